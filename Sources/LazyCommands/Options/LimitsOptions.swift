internal import ArgumentParser
internal import LazyMedia

/// What decoding may cost, as the command line says it.
struct LimitsOptions: ParsableArguments {
    @Option(
        help: .init(
            "What decoding may cost: 'local' (for files), 'web' (for addresses and standard input), or 'untrusted' for uploads of strangers; see 'lazyimg help limits'.",
            valueName: "profile"))
    var limits: LimitsProfile?

    @Option(
        name: .customLong("limit"),
        help: .init(
            "Limits by themselves, such as pixels=100M,memory=2G or time=none; see 'lazyimg help limits'.",
            valueName: "name=value"),
        transform: LimitChange.list)
    var changes: [[LimitChange]] = []

    /// The limits for an input, whose profile depends on where it is where none is named.
    func limits(isLocal: Bool) -> DecodingLimits {
        let profile = limits ?? (isLocal ? .local : .web)
        return changes.joined().reduce(into: profile.limits) { $1.apply(to: &$0) }
    }
}

/// A named set of limits.
enum LimitsProfile: String, CaseIterable, ExpressibleByArgument {
    case local, web, untrusted

    init?(argument: String) {
        // The name that `local` had.
        self.init(rawValue: argument == "trusted" ? "local" : argument)
    }

    var limits: DecodingLimits {
        switch self {
        case .local: .local
        case .web: .web
        case .untrusted: .untrusted
        }
    }
}

/// One limit that is set by itself.
enum LimitChange: Equatable, Sendable {
    case number(DecodingLimits.Kind, Int?)
    case time(DecodingLimits.Kind, Duration?)

    /// Reads `pixels=100M,memory=2G,time=5m,frames=none`.
    static func list(_ text: String) throws -> [LimitChange] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { try one($0) }
    }

    private static func one(_ text: Substring) throws -> LimitChange {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        let kinds = DecodingLimits.Kind.allCases
        guard parts.count == 2, let kind = kinds.first(where: { $0.key == parts[0] }) else {
            let names = kinds.map(\.key).joined(separator: ", ")
            throw ArgumentFault("a limit is written as NAME=VALUE, and the names are \(names)")
        }
        let value = String(parts[1])
        if kind.isTime {
            if value == "none" { return .time(kind, nil) }
            guard let time = MomentParser.duration(value) else {
                throw ArgumentFault(MomentParser.explanation + ", or 'none'")
            }
            return .time(kind, time)
        }
        if value == "none" { return .number(kind, nil) }
        guard let number = ByteSize.parse(value), number > 0 else {
            throw ArgumentFault("a number is written as 1500, 100K, 50M or 2G, or 'none'")
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
