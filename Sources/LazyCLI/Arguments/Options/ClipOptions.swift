internal import ArgumentParser
internal import LazyEditing
internal import LazyMedia
internal import LazyRenditions

/// Which frames of a clip are used, and how they are shown.
struct ClipOptions: ParsableArguments {
    @OptionGroup var range: RangeOptions

    @Option(
        "Use these segments in order: 1-2.5,10-12.5 (an end may be omitted).",
        Words.segments, as: "segments")
    var segments: [Range<Duration>] = []

    @Option(
        "The maximum frame rate: 12, 12.5 or 30000/1001; without it each frame keeps its exact time.",
        Words.rate, as: "rate")
    var fps: Rational?

    @OptionGroup var pace: SpeedOptions
    @OptionGroup var count: FrameCountOptions

    @Flag(help: "Play backward.")
    var reverse = false

    @Flag(help: "Play forward, then backward.")
    var bounce = false

    @Option(
        "Fade the end into the beginning for this time, for a seamless loop.",
        Words.time, as: "time")
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
