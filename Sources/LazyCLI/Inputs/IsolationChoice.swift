internal import LazyBase
internal import LazyIsolation
internal import LazyKit
internal import LazyMedia

/// Whether inputs are decoded in processes of their own.
enum IsolationChoice: String, CaseIterable, Sendable {
    /// Strangers' inputs are: those of URLs, of standard input and of `--limits untrusted`, and all of
    /// commands that read many files. So is everything where `lazyimg warm` listens.
    case auto
    /// All are.
    case always
    /// None is.
    case never

    /// Whether this command reads many files, which nobody has looked at one by one.
    @TaskLocal static var readsManyFiles = false

    private static let standard = DecoderHost(.standard)
    private static let pooled = DecoderHost(IsolationPolicy(.pooled(2)))
    private static let untrusted = DecoderHost(.untrusted)
    private static let isShared = Locked<Bool?>(nil)

    /// The host that decodes an input, or nil where this process does.
    func host(isLocal: Bool, isUntrusted: Bool) -> DecoderHost? {
        let isIsolated =
            switch self {
            case .always: true
            case .never: false
            case .auto: isUntrusted || !isLocal || Self.readsManyFiles || Self.hasSharedDecoder
            }
        guard isIsolated else { return nil }
        if isUntrusted { return Self.untrusted }
        return Self.readsManyFiles ? Self.pooled : Self.standard
    }

    private static var hasSharedDecoder: Bool {
        isShared.withLock { known in
            let isRunning = known ?? SharedDecoder.isRunning
            known = isRunning
            return isRunning
        }
    }
}

extension DecoderRegistry {
    /// The decoders of this build, in this process or in those of a host.
    static func decoders(of host: DecoderHost?) -> DecoderRegistry {
        host.map { standard.isolated(by: $0) } ?? standard
    }
}
