internal import LazyBase
public import LazyIsolation
internal import LazyMedia
public import LazyPipeline

extension MediaOpening {
    /// An opening with the formats, loaders and decoders of this build.
    ///
    /// URLs are loaded through the store of HTTP responses; no pictures are kept in memory.
    public static let standard = MediaOpening(
        .standard { .withURLCache(StandardLoader.httpStore(), imageCache: nil) })
}

extension MediaOpening.Configuration {
    /// The formats and decoders of this build, with a pipeline of the caller.
    public static func standard(
        pipeline: @escaping @Sendable () -> ImagePipeline.Configuration
    ) -> Self {
        var configuration = Self(
            decoders: MediaOpening.Decoders.standard, formats: .standard, pipeline: pipeline)
        configuration.hasSharedDecoder = { isShared.withLock { $0() } }
        return configuration
    }

    // Asked once in a process.
    private static let isShared = Locked(SharedAnswer())

    private struct SharedAnswer {
        private var known: Bool?

        mutating func callAsFunction() -> Bool {
            let answer = known ?? SharedDecoder.isRunning
            known = answer
            return answer
        }
    }
}

extension MediaOpening.Decoders {
    /// The decoders of this build at a place; their programs are started once for all openings.
    public static func standard(_ place: MediaOpening.Place) -> Self {
        switch place {
        case .here: Self(.standard)
        case .isolated: Self(isolated)
        case .pooled: Self(pooled)
        case .untrusted: Self(untrusted)
        }
    }

    private static let isolated = DecoderHost(.standard)
    private static let pooled = DecoderHost(IsolationPolicy(.pooled(2)))
    private static let untrusted = DecoderHost(.untrusted)

    /// The decoders of this build in the processes of a host.
    public init(_ host: DecoderHost) {
        self.init(
            .standard.isolated(by: host),
            forOneList: { .standard.isolated(by: host.forPartsOfOneList()) },
            prepare: { host.prepare(for: $0) })
    }
}
