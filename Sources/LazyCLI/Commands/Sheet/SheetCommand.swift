internal import ArgumentParser
internal import LazyEditing
internal import LazyKit
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// `lazyimg sheet`: a sprite sheet of a clip, with WebVTT.
struct SheetCommand: JobCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheet",
        abstract: "Write a sprite sheet of a clip, with WebVTT and JSON.",
        discussion: """
            Images of the clip at regular times are arranged in rows on one page, for previews on a \
            player's timeline or as a contact sheet. The .vtt file maps times to rectangles; the .json \
            file also says which frame each tile shows. A page has at most 16384 pixels per side; \
            further pages are numbered: NAME-01.jpg, NAME-02.jpg.

            With --start, --end or --duration the tiles are distributed over that part. Their times stay \
            those of the whole clip, so that its player finds them.

            A tile shows a keyframe if there is one within half an interval of its time, otherwise the \
            frame on screen at that time; both without H.264's deblocking, which is invisible at this \
            size. --exact uses the exact frame with exact pixels, --keyframes only keyframes, which is \
            much faster. The files always name the frame.

            Examples:
              lazyimg sheet clip.mp4
              lazyimg sheet cat.gif
              lazyimg sheet clip.mp4 -o sheet.webp --interval 2 --width 240
              lazyimg sheet clip.mp4 --columns 10 --rows 6 -o contact.jpg --no-vtt --no-json-file
              lazyimg sheet film.mp4 --columns 4 --rows 5 --width 320 --gap 8 --stamp --heading
              lazyimg sheet film.mp4 --start 10:00 --end 12:00 --count 24
              lazyimg sheet film.mp4 --keyframes --interval 10 --url-prefix https://cdn.example/f/
              lazyimg sheet *.mp4 -o sheets/
            """,
        aliases: ["storyboard", "contact-sheet"])

    @OptionGroup var inputs: InputArguments
    @OptionGroup var destination: OutputOptions<SheetOutput>

    @Option(
        "How files are named: usual, or jellyfin, as that reads them beside a film: NAME.trickplay/320 - 10x10/0.jpg, a tile of 320 pixels every 10 s.",
        Words.choice(SheetFiles.self), as: "layout")
    var layout: SheetFiles = .usual

    @OptionGroup(title: "Tiles") var tiles: SheetOptions
    @OptionGroup(title: "Encoding") var files: SheetFileOptions

    @OptionGroup var decoding: DecodingOptions
    @OptionGroup var options: JobOptions

    var jobs: Int { decoding.parallel.jobs }
    var takesOutputWord: Bool { layout == .usual }
    var readsOnlyInputs: Bool {
        destination.isLinked && !tiles.stamp && !tiles.heading && !tiles.edits.overlay.isGiven
    }
}

/// The outputs of `sheet`.
enum SheetOutput: OutputDescription {
    static let formats = SheetJob.formats
    static let standardName = "the input's name with -sheet.jpg, next to the input"
}

/// The tiles of a sheet and their arrangement.
struct SheetOptions: ParsableArguments {
    @Option(
        "The time between tiles. Default: a hundredth of the duration, at least 1 s; below 10 s ten tiles, or all frames of a GIF, WebP, APNG or AVIF (at most 100).",
        Words.time, as: "time", name: [.customShort("i", allowingJoined: true), .long])
    var interval: Duration?

    @Option(
        "The number of tiles, evenly distributed over the clip.",
        Words.count, as: "n", name: [.customShort("n", allowingJoined: true), .long])
    var count: Int?

    @OptionGroup var range: RangeOptions

    @Option("Tiles per row.", Words.count, as: "n")
    var columns: Int = 10

    @Option(
        "Rows per page; without --interval and --count, one page of columns times rows.",
        Words.count, as: "n")
    var rows: Int?

    @Flag(help: "Write the time of its frame on each tile.")
    var stamp = false

    @Flag(help: "Write name, format, size and length of the file above the tiles.")
    var heading = false

    @OptionGroup var frame: FramingOptions
    @OptionGroup var edits: EditOptions

    @Option("Pixels between tiles.", Words.distance, as: "pixels")
    var gap: Int = 0

    @Option(
        "The color between tiles and behind transparent pixels, as in CSS: black, #ff8000. Default: transparent, or white in JPEG.",
        Words.color, as: "color")
    var background: PixelColor?

    @Flag(exclusivity: .exclusive, help: "Which frames tiles show.")
    var precision: SheetPrecision?
}

/// Which frames tiles show, as flags.
enum SheetPrecision: String, EnumerableFlag {
    case exact, keyframes

    var layout: Rendition.Sheet.Precision {
        switch self {
        case .exact: .exact
        case .keyframes: .keyframes
        }
    }
}

/// The files of a sheet and their quality.
struct SheetFileOptions: ParsableArguments {
    @OptionGroup var encoding: QualityOptions
    @OptionGroup var threading: ThreadOptions

    @Flag(inversion: .prefixedNo, help: "Write a WebVTT file next to the page.")
    var vtt = true

    @Flag(inversion: .prefixedNo, help: "Write a JSON file next to the page.")
    var jsonFile = true

    @Flag(help: "Write the chapters of the film as WebVTT next to the page: NAME.chapters.vtt.")
    var chapters = false

    @Option(
        "A prefix for the names of pages in the WebVTT file, such as a URL that ends in a slash.",
        as: "prefix")
    var urlPrefix: String?
}

extension SheetCommand {
    func job(_ inputs: [Input]) throws -> SheetJob {
        var arranged = try tiles.sheet()
        var asked = try tiles.edit()
        let trickplay = layout == .jellyfin ? try trickplay(&arranged, &asked) : nil
        arranged.indexes =
            trickplay != nil
            ? []
            : (files.vtt ? [.vtt] : []) + (files.jsonFile ? [.json] : [])
                + (files.chapters ? [.chapters] : [])
        var edit = asked
        edit.overlays = try CommandFailure.converting(
            tiles.edits.overlay.overlays(options.limits.limits.choice.files))
        let reading = decoding.rendering.rendering(try options.reading(inputs))
        return SheetJob(
            output: destination.output, format: destination.format,
            rendition: Rendition(
                .sheet(arranged), reading: reading.pixels, edit: asked,
                output: .init(destination.format?.type(isAnimation: false), files.options())),
            edit: edit, trickplay: trickplay, threads: files.threading.threads,
            prefix: files.urlPrefix ?? "", overwrite: options.existing.policy, reading: reading)
    }

    /// The names of the files, with the tiles as Jellyfin has them unless an option says otherwise.
    private func trickplay(
        _ layout: inout Rendition.Sheet, _ edit: inout ClipEdit
    ) throws(CommandFailure) -> Trickplay {
        let given = [
            ("--name", destination.naming.name != nil), ("--count", tiles.count != nil),
            ("--start", tiles.range.start != nil), ("--end", tiles.range.end != nil),
            ("--duration", tiles.range.duration != nil),
            ("--size", tiles.frame.size.size != nil), ("--height", tiles.frame.size.height != nil),
            ("--gap", tiles.gap != 0), ("--heading", tiles.heading), ("--chapters", files.chapters),
            ("--url-prefix", files.urlPrefix != nil),
            ("--format", destination.format.map { $0.rawValue != "jpg" } ?? false),
        ]
        if let (name, _) = given.first(where: \.1) {
            throw .usage("--layout jellyfin cannot be combined with \(name).")
        }
        // An odd width is rounded down there.
        let width = (tiles.frame.size.width ?? Trickplay.usual.width) / 2 * 2
        guard width > 0 else { throw .usage("A tile of --layout jellyfin has at least 2 pixels.") }
        let rows = tiles.rows ?? Trickplay.usual.side
        layout.interval = layout.interval ?? Trickplay.usual.interval
        (layout.rows, layout.fillsPages) = (rows, true)
        edit.size = TargetSize(width: width)
        layout.background = layout.background ?? .black
        return Trickplay(width: width, columns: layout.columns, rows: rows)
    }
}

extension SheetOptions {
    /// The options as a layout; throws for contradictions.
    func sheet() throws(CommandFailure) -> Rendition.Sheet {
        if let interval, interval <= .zero { throw .usage("--interval must be above 0.") }
        guard gap <= 1024 else { throw .usage("--gap must be at most 1024 pixels.") }
        var sheet = Rendition.Sheet(
            interval: interval, count: count, columns: columns, rows: rows, gap: gap,
            background: background, precision: precision?.layout ?? .near)
        sheet.stampsTime = stamp
        sheet.hasHeading = heading
        return sheet
    }

    /// What is done to tiles: their size, the part of the clip, and the names of files of overlays.
    func edit() throws(CommandFailure) -> ClipEdit {
        var edit = ClipEdit(
            size: try frame.target(isCropping: edits.cropsByGravity),
            gravity: frame.gravity ?? .center)
        edit.parts = try range.section().map { [$0] } ?? []
        (edit.shape, edit.padding) = (edits.shape, try CommandFailure.converting(edits.padding()))
        try CommandFailure.converting(edits.overlay.check())
        edit.overlays = try CommandFailure.converting(edits.overlay.asked())
        return edit
    }
}

extension SheetFileOptions {
    /// The options for an encoder.
    func options() -> EncodingOptions {
        EncodingOptions(quality: encoding.quality, effort: encoding.effort)
    }
}
