internal import ArgumentParser
internal import LazyEditing
internal import LazyMedia
internal import LazyRenditions

/// Which frames of a clip are used, and how they are shown.
struct ClipOptions: ParsableArguments {
    @OptionGroup var range: RangeOptions

    @Option(
        help: .init(
            "Use these segments in order: 1-2.5,10-12.5 (an end may be omitted).",
            valueName: "segments"),
        transform: Arguments.segments)
    var segments: [Range<Duration>] = []

    @Option(
        help: .init(
            "The maximum frame rate: 12, 12.5 or 30000/1001; without it each frame keeps its exact time.",
            valueName: "rate"),
        transform: Arguments.rate)
    var fps: Rational?

    @OptionGroup var pace: SpeedOptions
    @OptionGroup var count: FrameCountOptions

    @Flag(help: "Play backward.")
    var reverse = false

    @Flag(help: "Play forward, then backward.")
    var bounce = false

    @Option(
        help: .init(
            "Fade the end into the beginning for this time, for a seamless loop.",
            valueName: "time"),
        transform: Arguments.duration)
    var crossfade: Duration?

    @OptionGroup var frame: FramingOptions
    @OptionGroup var edits: EditOptions
    @OptionGroup var matte: MatteOptions

    /// Whether a range or segments were given.
    var hasRange: Bool {
        range.isGiven || !segments.isEmpty
    }

    /// The options as an edit; throws for contradictions.
    ///
    /// `limits` are those of the files that it draws.
    func edit(_ limits: LimitsChoice) throws(CommandFailure) -> ClipEdit {
        let target = try frame.target(isCropping: edits.cropsByGravity)
        var edit = ClipEdit(
            segments: try pieces(), frameRate: fps, speed: pace.speed ?? 1,
            maxFrames: count.maxFrames, isReversed: reverse, isBouncing: bounce,
            crossfade: crossfade ?? .zero, size: target,
            gravity: frame.gravity ?? .center)
        (edit.shape, edit.padding, edit.matte) = (edits.shape, try edits.padding(), matte.matte)
        edit.overlays = try edits.overlay.overlays(limits)
        return edit
    }

    private func pieces() throws(CommandFailure) -> [Range<Duration>] {
        let segment = try range.segment()
        guard segments.isEmpty else {
            if segment != nil {
                throw .usage("--segments cannot be combined with --start, --end or --duration.")
            }
            return segments
        }
        return segment.map { [$0] } ?? []
    }
}

extension Arguments {
    /// `1-2.5,10-12`: segments of a clip.
    static func segments(_ text: String) throws -> [Range<Duration>] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { piece in
            let ends = piece.split(separator: "-", omittingEmptySubsequences: false)
            let start = ends.first.flatMap { $0.isEmpty ? .zero : TimestampParser.duration($0) }
            let finish = ends.last.flatMap {
                $0.isEmpty ? ClipEdit.toTheEnd : TimestampParser.duration($0)
            }
            guard ends.count == 2, let start, let finish else {
                throw ArgumentError(
                    "segments are written as 1-2.5,10-12; \(TimestampParser.explanation)")
            }
            guard start < finish else { throw ArgumentError("a segment must end after its start") }
            return start..<finish
        }
    }

    /// `2`, `0.5`, `1.5x`.
    static func factor(_ text: String) throws -> Double {
        let digits = text.hasSuffix("x") ? String(text.dropLast()) : text
        guard let number = Double(digits), (0.01...100).contains(number) else {
            throw ArgumentError("a factor is a number from 0.01 to 100")
        }
        return number
    }

    /// `center`, `smart`, `north-east`, `0.3,0.5`.
    static func gravity(_ text: String) throws -> Gravity {
        switch text {
        // The spelling of earlier versions.
        case "centre": return .center
        case "smart": return .attention
        default: break
        }
        let plain = Gravity.named.first { $0.description.filter { $0 != "-" } == text }
        guard let gravity = Gravity(text) ?? plain else {
            throw ArgumentError(
                "write \(Gravity.words.joined(separator: ", ")) or a point such as 0.3,0.5")
        }
        return gravity
    }
}

extension Gravity {
    /// The words on the command line.
    static let words = ["center", "smart"] + named.dropFirst().map(\.description)
}
