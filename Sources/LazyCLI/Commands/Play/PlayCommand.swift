internal import ArgumentParser
internal import LazyEditing
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions
internal import LazyTerminal

/// `lazyimg play`: plays in the terminal, or writes frames to files or a stream.
struct PlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Show media in the terminal, or write its frames.",
        discussion: """
            Without --frames the input plays in the terminal: at its own speed, silent, as often as \
            the file says (once with several inputs, or if standard output is not a terminal). Space \
            pauses, the arrow keys seek, n and p change the input, s saves the frame, q quits, and ? \
            lists all keys. A video at a URL plays while it loads. Terminals with kitty's or iTerm2's \
            protocol or sixels show pixels, others cells with two pixels each. With --grid, all inputs \
            play side by side; n and p change the window.

            With --frames DIR every frame of the source is written once, composited to the full \
            canvas; DIR/frames.json contains the time of each. --frames - writes to standard output. \
            Each file appears complete or not at all.

            Examples:
              lazyimg play clip.mp4
              lazyimg play https://example.org/cat.gif
              lazyimg play --leave cat.gif
              lazyimg play *.gif --grid 3x2
              lazyimg play film.mkv --trim --text '{time}'
              lazyimg play clip.mp4 --frames out/
              lazyimg play clip.mp4 --frames out/ --fps 5 --width 320
              lazyimg play clip.mp4 --frames out/ --start 1m2s --duration 3 --format ppm
              lazyimg play a.gif b.webm --frames out/ --pattern '{name}-{index:06}.png'
              lazyimg play clip.mp4 --frames - --format framehash
              lazyimg play clip.mp4 --frames - --format raw | encoder
            """)

    @OptionGroup var media: InputArguments

    @Option(
        "Write frames to a folder, or with - to standard output.",
        as: "dir", completion: .directory)
    var frames: String?

    @OptionGroup(title: "Options of --frames") var export: ExportOptions
    @OptionGroup(title: "Edits") var edits: EditOptions
    @OptionGroup(title: "Edits") var gravity: CropGravityOptions
    @OptionGroup(title: "Range") var range: RangeOptions
    @OptionGroup(title: "Options for the terminal") var terminal: TerminalOptions
    @OptionGroup(title: "Options for the terminal") var grid: GridOptions
    @OptionGroup(title: "Options for the terminal") var drawing: DrawingOptions
    @OptionGroup(title: "Options for the network") var network: NetworkOptions
    @OptionGroup(title: "Common options") var rendering: RenderingOptions
    @OptionGroup(title: "Common options") var reading: ReadingOptions
    @OptionGroup(title: "Common options") var report: ReportOptions

    func run() async throws {
        let inputs = try media.inputs(output: frames, report)
        DecoderLibraries.choose(
            for: inputs, reading.limits.choice, readsOnlyInputs: readsOnlyInputs)
        var reading = rendering.rendering(
            try Reading(reading, network, inputs: inputs, report, isProgressive: frames == nil))
        if let frames {
            // As with an unset variable in a script: it does not mean the current folder.
            if frames.isEmpty { throw CommandFailure.usage("--frames needs the name of a folder.") }
            let reason = "needs a terminal and cannot be combined with --frames"
            try terminal.refuse(reason)
            try drawing.refuse(reason)
            if grid.shape != nil { throw CommandFailure.usage("--grid \(reason).") }
            reading = try export.frames.colors.reading(reading, rendering)
            let target = try export.frames.size.target()
            var edit = try CommandFailure.converting(
                edits.edit(
                    gravity.place(of: edits, isCovering: target?.fit == .cover),
                    self.reading.limits.choice.files))
            edit.size = target
            var (writing, pattern) = try export.frames(
                to: frames, of: inputs, range: range, edit: edit, reading)
            writing.rendition.edit.overlays = try CommandFailure.converting(edits.overlay.asked())
            try await FrameJob(
                writing: writing, folder: frames == "-" ? nil : OutputFolder(frames),
                pattern: pattern, startNumber: export.frames.startNumber ?? 0, inputs: inputs,
                report: report.style
            ).run()
        } else {
            try export.refuse("needs --frames DIR")
            let settings = try terminal.settings(range, drawing)
            let edit = try edit()
            let section = try range.section().flatMap { $0.times == nil ? $0 : nil }
            if section != nil, grid.shape != nil || terminal.leave {
                throw CommandFailure.usage(
                    "\(terminal.leave ? "--leave" : "--grid") takes a range of times only.")
            }
            if let shape = grid.shape {
                if terminal.leave {
                    throw CommandFailure.usage("--leave cannot be combined with --grid.")
                }
                return try await show(inputs, in: shape, settings, reading, edit)
            }
            try await TerminalJob(
                settings: settings, section: section, inputs: inputs, reading, edit: edit,
                plays: terminal.plays, leaves: terminal.leave, report.style
            ).run()
        }
    }

    /// Whether it decodes only its inputs, and encodes nothing by a library that is loaded on demand.
    var readsOnlyInputs: Bool { export.frames.isLinked && !edits.overlay.isGiven }

    // Nil without one, so that files can be handed over as they are.
    private func edit() throws(CommandFailure) -> ClipEdit? {
        try CommandFailure.converting(edits.edit(placing: gravity, reading.limits.choice.files))
    }

    // On a terminal that moves its cursor they play, elsewhere posters are printed.
    private func show(
        _ inputs: [Input], in shape: (columns: Int, rows: Int?), _ settings: PlayerSettings,
        _ reading: Reading, _ edit: ClipEdit?
    ) async throws {
        if settings.traits.movesCursor, let screen = TerminalScreen() {
            try await PlayedGridJob(
                settings, shape: shape, inputs: inputs, reading, edit: edit,
                plays: terminal.plays, report.style
            ).run(on: screen)
        } else {
            let posters = PosterGrid(settings, shape: shape)
            try await GridJob(posters, inputs: inputs, reading, edit: edit, report.style).run()
        }
    }
}
