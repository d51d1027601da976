import FoundationEssentials
import Glibc
import HTTPSupport
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import LazyVideo
import Support

/// An opening whose decoders write down where they were asked, and one film in every kind of source.
final class OpeningRig: Sendable {
    /// The kinds of sources; all are the same film.
    enum Kind: String, CaseIterable, Sendable {
        case path, file, namedPipe, playlist, list
        case bytes, descriptor, pipe, arriving, growing, url, ranges

        /// Whether it is a file of this machine.
        var isFile: Bool {
            switch self {
            case .path, .file, .namedPipe, .playlist, .list: true
            case .bytes, .descriptor, .pipe, .arriving, .growing, .url, .ranges: false
            }
        }

        /// Whether its length is known before it is read.
        var hasLength: Bool { self != .playlist && self != .list }
    }

    /// Where a film was opened, and with which limits.
    struct Look: Equatable, Sendable {
        let place: MediaOpening.Place
        let limits: DecodingLimits
    }

    private let scratch = Scratch()
    private let looks = Locked<[Look]>([])
    private let nginx: Nginx
    private let film: [UInt8]
    let formats = FormatRegistry(MediaFormat.video)
    let loader: any DataLoading

    init(loader: any DataLoading = HTTPLoader()) throws {
        self.loader = loader
        nginx = try Nginx.shared()
        film = MovieForge.spread(try Media.array("clip.mp4"), room: 2_000_000, tablesFirst: true)
        try nginx.put(film, as: "opening.mp4")
        scratch.write(film, "film.mp4")
        scratch.write(try Media.array("h264.ts"), "part.ts")
        let playlist = """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-TARGETDURATION:10
            #EXTINF:4,
            part.ts
            #EXT-X-ENDLIST

            """
        scratch.write(Array(playlist.utf8), "film.m3u8")
    }

    /// The number of bytes of the film.
    var byteCount: Int { film.count }

    /// What has been opened since it was asked last.
    func takeLooks() -> [Look] {
        looks.withLock { looks in
            defer { looks = [] }
            return looks
        }
    }

    /// An opening; `hasSharedDecoder` says that isolation costs no start.
    func opening(
        hasSharedDecoder: Bool = false,
        _ change: (inout MediaOpening.Configuration) -> Void = { _ in }
    ) -> MediaOpening {
        let (formats, loader) = (formats, loader)
        var configuration = MediaOpening.Configuration(
            decoders: { [self] in decoders($0) }, formats: formats,
            pipeline: {
                var pipeline = ImagePipeline.Configuration(
                    dataLoader: loader, decoders: DecoderRegistry())
                pipeline.remoteOpener = RangeOpener(loader: loader, formats: formats)
                pipeline.isRateLimiterEnabled = false
                return pipeline
            })
        configuration.hasSharedDecoder = { hasSharedDecoder }
        change(&configuration)
        return MediaOpening(configuration)
    }

    private func decoders(_ place: MediaOpening.Place) -> MediaOpening.Decoders {
        let base = DecoderRegistry(formats: formats)
        var registry = base
        registry.clear()
        registry.register(
            WatchedDecoder(base: base) { [self] limits in
                looks.withLock { $0.append(Look(place: place, limits: limits)) }
            })
        return MediaOpening.Decoders(registry)
    }

    /// The film as a source of a kind.
    func source(_ kind: Kind) throws -> MediaOpening.Source {
        let path = scratch.path("film.mp4")
        switch kind {
        case .path: return .path(path)
        case .file:
            return .file(named: path) { () throws(MediaError) in try FileBytes(path: path) }
        case .playlist: return .path(scratch.path("film.m3u8"))
        case .list: return .list(.init([.init("one", .path(path)), .init("two", .path(path))]))
        case .bytes: return .bytes(try MemoryBytes(film))
        case .descriptor: return .descriptor(open(path, O_RDONLY | O_CLOEXEC))
        case .url: return .url(nginx.url("/norange/opening.mp4"))
        case .ranges: return .url(nginx.url("/opening.mp4"))
        case .namedPipe:
            let pipe = scratch.path("pipe")
            guard mkfifo(pipe, 0o600) == 0 else { throw SystemError.last }
            try write { open(pipe, O_WRONLY | O_CLOEXEC) }
            return .path(pipe)
        case .pipe:
            var ends: [CInt] = [0, 0]
            guard Glibc.pipe(&ends) == 0 else { throw SystemError.last }
            let writing = ends[1]
            try write { writing }
            return .descriptor(ends[0])
        case .arriving, .growing:
            let rest = Locked(Given.split(film, 8))
            let body = LoadBody { () async throws(LoadingError) in
                rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            }
            let head = ResponseHead(
                url: nginx.url("/upload"), expectedCount: kind == .arriving ? film.count : nil,
                origin: .network)
            return .arriving(LoadResponse(head: head, body: body))
        }
    }

    /// Writes the film to a descriptor on a thread of its own.
    private func write(to open: @escaping @Sendable () -> CInt) throws {
        let film = film
        try DetachedThread.start {
            // Who has enough closes its end: that must not end the process.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            let number = open()
            defer { close(number) }
            film.withUnsafeBytes { bytes in
                var done = 0
                while done < bytes.count {
                    let count = Glibc.write(
                        number, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                    guard count > 0 else { return }
                    done += count
                }
            }
        }
    }
}

/// Decoders that say with which limits they open.
private struct WatchedDecoder: MediaDecoding {
    let base: DecoderRegistry
    let willOpen: @Sendable (DecodingLimits) -> Void
    let name = "watched"

    func canOpen(_ type: MediaType) -> Bool { base.decoder(for: type) != nil }

    func open(
        _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
    ) throws(MediaError) -> any OpenedMedia {
        willOpen(limits)
        return try base.open(bytes, as: type, limits: limits)
    }
}
