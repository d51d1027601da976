internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyRenditions

extension MediaOpening {
    /// Opens the stream whose playlist a file, a pipe or bytes are.
    ///
    /// Segments from a network are read as media of URLs is.
    func openStream(
        _ playlist: any ByteSource, of source: Source, _ call: Call
    ) async throws(MediaError) -> Opened {
        let (kind, bytes) = try await blocking { () throws(MediaError) in
            (
                try StreamKind(playlist),
                try playlist.bytes(min(playlist.count, StreamLoader.maxPlaylist), at: 0)
            )
        }
        guard let kind else { throw .unknownContent }
        let url = source.fileURL
        let request = configuration.request(url ?? Source.nowhere)
        let foreign = call.trust.limits(isFile: false)
        let stream = try await StreamOpening(
            kind, bytes, request, at: url.map { StreamPlace($0, isPrivate: false) },
            size: call.wanted.size, loader: LocalLoader(next: FirstLoader(opening: self)),
            limits: call.trust.limits(isFile: source.isFile),
            maximumBytes: request.maximumBytes ?? foreign.inputBytes, call.flag)
        let isLocal = source.isFile && stream.isLocal
        let limits = call.trust.limits(isFile: isLocal)
        let decoders = decoders(for: call.trust, isFile: isLocal).registry
        return try await BlockingPool.shared.run { [self] () throws(MediaError) in
            let media = try stream.open(decoders, limits, for: call.wanted.use.poster, call.flag)
            var opened = Opened(
                FrameSequence(media, limits: limits),
                isLocal ? nil : Transfer(received: { stream.bytesRead }))
            try select(of: &opened, isFile: isLocal, call)
            return opened
        }
    }
}

/// The loader of an opening, which is made for the first segment at a server.
private struct FirstLoader: DataLoading {
    let opening: MediaOpening

    func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        try await opening.loading.dataLoader.load(request)
    }
}
