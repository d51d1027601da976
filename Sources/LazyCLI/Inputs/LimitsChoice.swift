internal import LazyKit
internal import LazyMedia

/// The limits of decoding: a profile and individual limits.
struct LimitsChoice: Sendable {
    /// The profile; nil for the default of the input's location.
    var profile: LimitsProfile?
    /// Individual limits that differ from the profile.
    var changes: [LimitChange] = []
    /// Whether inputs are decoded in processes of their own.
    var isolation = IsolationChoice.auto

    /// The host that decodes a local file or another input, or nil where this process does.
    func host(isLocal: Bool) -> DecoderHost? {
        isolation.host(isLocal: isLocal, isUntrusted: profile == .untrusted)
    }

    /// The limits for a local file or another input.
    func limits(isLocal: Bool) -> DecodingLimits {
        let profile = profile ?? (isLocal ? .local : .web)
        return changes.reduce(into: profile.limits) { $1.apply(to: &$0) }
    }
}

/// A named set of limits.
enum LimitsProfile: String, CaseIterable, Sendable {
    case local, web, untrusted

    var limits: DecodingLimits {
        switch self {
        case .local: .local
        case .web: .web
        case .untrusted: .untrusted
        }
    }
}

/// A changed limit.
enum LimitChange: Equatable, Sendable {
    case number(DecodingLimits.Kind, Int?)
    case time(DecodingLimits.Kind, Duration?)

    /// Parses `pixels=100M,memory=2G,time=5m,frames=none`.
    static func list(_ text: String) throws -> [LimitChange] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { try one($0) }
    }

    private static func one(_ text: Substring) throws -> LimitChange {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        let kinds = DecodingLimits.Kind.allCases
        guard parts.count == 2, let kind = kinds.first(where: { $0.key == parts[0] }) else {
            let names = kinds.map(\.key).joined(separator: ", ")
            throw ArgumentError("a limit is written as NAME=VALUE, and the names are \(names)")
        }
        let value = String(parts[1])
        if kind.isTime {
            if value == "none" { return .time(kind, nil) }
            guard let time = TimestampParser.duration(value) else {
                throw ArgumentError(TimestampParser.explanation + ", or 'none'")
            }
            return .time(kind, time)
        }
        if value == "none" { return .number(kind, nil) }
        // Without fonts of files there are those of the system.
        let least = kind == .fontBytes ? 0 : 1
        guard let number = ByteSize.parse(value), number >= least else {
            throw ArgumentError("a number is written as 1500, 100K, 50M or 2G, or 'none'")
        }
        return .number(kind, number)
    }

    func apply(to limits: inout DecodingLimits) {
        switch self {
        case .number(let kind, let number): limits.set(kind, to: number)
        case .time(let kind, let time): limits.set(kind, to: time)
        }
    }
}
