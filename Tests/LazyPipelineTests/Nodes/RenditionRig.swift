import FoundationEssentials
import LazyBase
import LazyCodecs
import LazyLoading
import LazyMedia
import LazyPipeline
import LazyRenditions
import Support
import Testing

/// A server with one GIF, pipelines that make renditions of it, and counts of all that is done.
final class RenditionRig: Sendable {
    let loader: ScriptedLoader
    let clock = ManualClock()
    /// Opened media, and encoded pictures.
    let decodes = Counter()
    let encodes = Counter()
    /// The encodings whose task was cancelled while they waited.
    let cancelledEncodes = Counter()
    private let version: LockedBox

    /// Makes a server with cache control; gates are passed before a head (-1) and a piece (from 0).
    init(
        cacheControl: String? = "max-age=600", hasValidator: Bool = true,
        gate: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        let version = LockedBox("1")
        self.version = version
        loader = ScriptedLoader { request in
            var headers = HTTPHeaders()
            headers["Cache-Control"] = cacheControl
            let tag = "\"\(version.value)\""
            if hasValidator { headers["ETag"] = tag }
            if hasValidator, request.headers["If-None-Match"] == tag {
                let head = ResponseHead(
                    url: request.url, status: 304, headers: headers, origin: .network)
                return .init([], head: head, gate: gate)
            }
            let bytes = Given.gif(frames: 3, width: 8, height: 8)
            let head = ResponseHead(
                url: request.url, headers: headers, expectedCount: bytes.count, origin: .network)
            return .init(Given.split(bytes, 2), head: head, gate: gate)
        }
    }

    /// The server has another version from now on.
    func change(to version: String) { self.version.value = version }

    var asked: Int { loader.requests.count }

    /// A pipeline without a delegate, whose encoder writes its name, a count and a number of bytes.
    func pipeline(
        _ name: String = "one", size: Int = 100, cache: any DataCaching = PlainDataCache(),
        store: (any EntryStoring)? = nil, gate: Gate? = nil,
        _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
    ) -> ImagePipeline {
        let encoder = CountedPictures(
            name: name, size: size, count: encodes, cancelled: cancelledEncodes, gate: gate)
        var loading: any DataLoading = loader
        if let store { loading = CachingLoader(loader, store: store, clocks: clock.clocks) }
        return Given.pipeline(loading) { [clock, decodes] in
            $0.decoders = DecoderRegistry(formats: [.gif])
            $0.decoders.register(CountedGIF(count: decodes))
            $0.clocks = clock.clocks
            $0.dataCache = cache
            $0.dataCachePolicy = .automatic
            $0.renditionCacheLimit = 64 << 20
            $0.renditionEncoders = EncoderRegistry([
                EncoderFactory(
                    .png, FormatTraits(canAnimate: false, alpha: .full, side: 1 << 15)
                ) { _, _ in encoder }
            ])
            configure(&$0)
        }
    }

    static let poster = Rendition.poster(.first)
    static let request = ImageRequest(url: Given.url())
}

/// A value that tests change.
final class LockedBox: Sendable {
    private let state: Locked<String>
    init(_ value: String) { state = Locked(value) }
    var value: String {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Counts what it opens with the decoder of GIF.
private struct CountedGIF: MediaDecoding {
    let name = "counted"
    let count: Counter

    func canOpen(_ type: MediaType) -> Bool { type == .gif }

    func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        count.add()
        return try GIFDecoder().open(bytes, type: type, limits: limits)
    }
}

/// Writes a name, the number of the encoding and zeros for each picture, as its last act.
private struct CountedPictures: MediaEncoding {
    let name: String
    let size: Int
    let count: Counter
    let cancelled: Counter
    let gate: Gate?
    var canAnimate: Bool { false }

    func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        for try await _ in frames {}
        await gate?.pass()
        if Task.isCancelled {
            cancelled.add()
            throw .cancelled
        }
        count.add()
        let text = Array("\(name) \(count.value) \(info.size)".utf8)
        try write(text + [UInt8](repeating: 0, count: max(0, size - text.count)))
    }
}

extension RenditionTask.Response {
    /// The text before the zeros.
    var text: String {
        get throws { String(decoding: try body.bytes().prefix { $0 != 0 }, as: UTF8.self) }
    }
}

/// Waits until a condition holds; a test that runs out of time fails.
func eventually(
    _ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async {
    while !condition() {
        if Task.isCancelled {
            Issue.record("It has not come to that.", sourceLocation: sourceLocation)
            return
        }
        await Task.yield()
    }
}
