extension DecodingLimits {
    /// One of the limits.
    package enum Kind: String, CaseIterable, Sendable {
        /// `DecodingLimits.pixelsPerFrame`.
        case pixelsPerFrame
        /// `DecodingLimits.memory`.
        case memory
        /// `DecodingLimits.frames`.
        case frames
        /// `DecodingLimits.totalPixels`.
        case totalPixels
        /// `DecodingLimits.inputBytes`.
        case inputBytes
        /// `DecodingLimits.tracks`.
        case tracks
        /// `DecodingLimits.fontBytes`.
        case fontBytes
        /// `DecodingLimits.openTime`.
        case openTime
        /// `DecodingLimits.decodeTime`.
        case decodeTime

        /// The short name, as `--limit` takes it.
        package var key: String {
            switch self {
            case .pixelsPerFrame: "pixels"
            case .memory: "memory"
            case .frames: "frames"
            case .totalPixels: "total-pixels"
            case .inputBytes: "input"
            case .tracks: "tracks"
            case .fontBytes: "fonts"
            case .openTime: "open-time"
            case .decodeTime: "time"
            }
        }

        /// A short description of what is limited.
        package var summary: String {
            switch self {
            case .pixelsPerFrame: "pixels of one frame"
            case .memory: "bytes of memory of one reader"
            case .frames: "frames decoded or written"
            case .totalPixels: "pixels decoded in all"
            case .inputBytes: "bytes downloaded or piped in"
            case .tracks: "tracks of one file"
            case .fontBytes: "bytes of fonts in one file"
            case .openTime: "time to open a file, or all of a list"
            case .decodeTime: "time to decode in all"
            }
        }

        /// Whether the value is a time.
        package var isTime: Bool { if case .time = field { true } else { false } }

        /// Where the value is.
        fileprivate var field: Field {
            switch self {
            case .pixelsPerFrame: .number(\.pixelsPerFrame)
            case .memory: .number(\.memory)
            case .frames: .number(\.frames)
            case .totalPixels: .number(\.totalPixels)
            case .inputBytes: .number(\.inputBytes)
            case .tracks: .number(\.tracks)
            case .fontBytes: .number(\.fontBytes)
            case .openTime: .time(\.openTime)
            case .decodeTime: .time(\.decodeTime)
            }
        }
    }

    fileprivate enum Field {
        case number(WritableKeyPath<DecodingLimits, Int?>)
        case time(WritableKeyPath<DecodingLimits, Duration?>)
    }

    /// The named profiles, the widest first.
    package static let profiles: [(name: String, limits: DecodingLimits)] = [
        ("local", .local), ("web", .web), ("untrusted", .untrusted),
    ]

    /// The value of a limit as `--limit` takes it, such as `50M`, `10m` or `none`.
    package func text(_ kind: Kind) -> String {
        switch kind.field {
        case .number(let path): Self.text(self[keyPath: path])
        case .time(let path): Self.text(self[keyPath: path])
        }
    }

    /// Sets a limit that is a number; does nothing for a time.
    package mutating func set(_ kind: Kind, to number: Int?) {
        if case .number(let path) = kind.field { self[keyPath: path] = number }
    }

    /// Sets a limit that is a time; does nothing for a number.
    package mutating func set(_ kind: Kind, to time: Duration?) {
        if case .time(let path) = kind.field { self[keyPath: path] = time }
    }

    /// The values of all profiles: a header row, then one row per limit.
    package static var table: [[String]] {
        [["limit"] + profiles.map(\.name) + ["what it bounds"]]
            + Kind.allCases.map { kind in
                [kind.key] + profiles.map { $0.limits.text(kind) } + [kind.summary]
            }
    }

    /// A number as `--limit` takes it, such as `50M`.
    package static func text(_ number: Int?) -> String {
        guard let number else { return "none" }
        for (factor, unit) in [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "K")]
        where number >= factor && number % (factor / 10) == 0 {
            let (whole, tenth) = (number / factor, number % factor / (factor / 10))
            return tenth == 0 ? "\(whole)\(unit)" : "\(whole).\(tenth)\(unit)"
        }
        return "\(number)"
    }

    private static func text(_ time: Duration?) -> String {
        guard let time else { return "none" }
        let seconds = time.components.seconds
        return seconds >= 60 && seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
    }
}
