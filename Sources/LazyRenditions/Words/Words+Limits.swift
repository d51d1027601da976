package import LazyMedia

extension Words {
    /// `pixels=100M,memory=2G,time=5m,frames=none`: limits that differ from a profile's.
    package static let limits = limit.list(
        limit.expected, samples: ["pixels=100M,time=5m,frames=none", "fonts=0"])

    /// `local`, `web`, `untrusted`, and `trusted`, the former name of `local`.
    package static let profile = Grammar<LimitsProfile>(
        "the profiles are local, web, untrusted", words: LimitsProfile.allCases.map(\.rawValue),
        shape: "local|trusted|web|untrusted", samples: ["local", "web", "untrusted", "trusted"],
        read: { LimitsProfile(rawValue: $0 == "trusted" ? "local" : $0) }, print: \.rawValue)

    private static let limit = Grammar<LimitChange>(
        "a limit is written as NAME=VALUE, and the names are "
            + DecodingLimits.Kind.allCases.map(\.key).joined(separator: ", "),
        shape: "[a-z-]+=(?:none|\(bytesShape)|\(time.shape))", samples: [],
        read: { text throws(WordError) in
            let parts = text.split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2,
                let kind = DecodingLimits.Kind.allCases.first(where: { $0.key == parts[0] })
            else { return nil }
            let value = String(parts[1])
            let isNone = value == "none"
            if kind.isTime {
                let time = readTime(value)
                guard isNone || time != nil else {
                    throw WordError(Words.time.expected + ", or 'none'", given: value)
                }
                return .time(kind, time)
            }
            // Without fonts of files there are those of the system.
            let number = readBytes(value).flatMap { $0 > 0 || kind == .fontBytes ? $0 : nil }
            guard isNone || number != nil else {
                throw WordError(
                    "a number is written as 1500, 100K, 50M or 2G, or 'none'", given: value)
            }
            return .number(kind, number)
        },
        print: { change in
            switch change {
            case .number(let kind, let number): "\(kind.key)=\(DecodingLimits.text(number))"
            case .time(let kind, let limit): "\(kind.key)=\(limit.map(time.text) ?? "none")"
            }
        })
}

/// A changed limit; nil is none.
package enum LimitChange: Equatable, Sendable {
    /// A limit that is a number.
    case number(DecodingLimits.Kind, Int?)
    /// A limit that is a time.
    case time(DecodingLimits.Kind, Duration?)

    /// Sets the limit.
    package func apply(to limits: inout DecodingLimits) {
        switch self {
        case .number(let kind, let number): limits.set(kind, to: number)
        case .time(let kind, let time): limits.set(kind, to: time)
        }
    }
}

/// A named set of limits.
package enum LimitsProfile: String, CaseIterable, Sendable {
    case local, web, untrusted

    /// Its limits.
    package var limits: DecodingLimits {
        DecodingLimits.profiles.first { $0.name == rawValue }?.limits ?? .untrusted
    }
}
