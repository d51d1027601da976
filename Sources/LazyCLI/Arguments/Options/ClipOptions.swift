internal import ArgumentParser
internal import LazyEditing
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// Which frames of a clip are used, and how they are shown.
struct ClipOptions: ParsableArguments {
    @OptionGroup var range: RangeOptions

    @Option(
        "Use these segments in order: 1-2.5,10-12.5 (an end may be omitted); frames (#100-#200) and chapters (chapter:3) are, too.",
        Words.segments, as: "segments")
    var segments: [ClipSection] = []

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
        var edit = try asked()
        edit.overlays = try CommandFailure.converting(edits.overlay.overlays(limits.files))
        return edit
    }

    /// The same with the names of files in place of what is in them.
    func asked() throws(CommandFailure) -> ClipEdit {
        let target = try frame.target(isCropping: edits.cropsByGravity)
        var edit = ClipEdit(
            frameRate: fps, speed: pace.speed ?? 1,
            maxFrames: count.maxFrames, isReversed: reverse, isBouncing: bounce,
            crossfade: crossfade ?? .zero, size: target,
            gravity: frame.gravity ?? .center)
        edit.parts = try parts()
        (edit.shape, edit.padding, edit.matte) = (
            edits.shape, try CommandFailure.converting(edits.padding()), matte.matte
        )
        edit.overlays = try CommandFailure.converting(edits.overlay.asked())
        return edit
    }

    private func parts() throws(CommandFailure) -> [ClipSection] {
        let section = try range.section()
        guard segments.isEmpty else {
            if section != nil {
                throw .usage("--segments cannot be combined with --start, --end or --duration.")
            }
            return segments
        }
        return section.map { [$0] } ?? []
    }
}
