internal import FoundationEssentials
internal import LazyBase
internal import LazyKit
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline

extension Input {
    /// Opens the stream whose playlist a file, a pipe or a data: URL has.
    ///
    /// Segments from a network are read as media of URLs is.
    func openStream(
        _ kind: StreamKind, _ playlist: any ByteSource, _ reading: Reading
    ) async throws(MediaError) -> OpenedInput {
        let bytes = try playlist.bytes(min(playlist.count, StreamLoader.maxPlaylist), at: 0)
        let (url, settings) = (playlistURL, reading.network.settings)
        let request = settings.request(url ?? Self.nowhere)
        let flag = Interruption.flag
        let stream = try await StreamOpening(
            kind, bytes, request, at: url.map { StreamPlace($0, isPrivate: false) },
            size: reading.size,
            loader: LocalLoader(next: NetworkLoader(network: reading.network, reading)),
            limits: reading.limits(for: self),
            maximumBytes: settings.maximumBytes ?? reading.foreignLimits.inputBytes, flag)
        let isLocal = isFile && stream.isLocal
        let limits = isLocal ? reading.limits(for: self) : reading.foreignLimits
        let decoders = isLocal ? reading.decoders(for: self) : reading.foreignDecoders
        let result = await BlockingPool.shared.run {
            Result { () throws(MediaError) in
                try stream.open(decoders, limits, for: reading.poster, flag)
            }
        }
        var opened = OpenedInput(
            sequence: FrameSequence(try result.get(), limits: limits),
            transfer: isLocal
                ? nil : Transfer(origin: "network", total: nil, bytesRead: { stream.bytesRead }))
        try opened.select(reading.track, decoders)
        return opened
    }

    private var playlistURL: URL? {
        guard case .path(let path) = address else { return nil }
        let bytes = FilePath.absolute(path).systemPath.dropLast().map { UInt8(bitPattern: $0) }
        return URL(string: "file://" + PercentEncoding.encode(bytes, allowed: "/-._~"))
    }

    static let nowhere = URL(filePath: "/")
}

/// The loader of a run, which is made for the first segment at a server.
private struct NetworkLoader: DataLoading {
    let network: Network
    let limits: DecodingLimits

    init(network: Network, _ reading: Reading) {
        self.network = network
        limits = reading.foreignLimits
    }

    func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        try await network.pipeline(limits).configuration.dataLoader.load(request)
    }
}
