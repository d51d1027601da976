import LazyEditing
import LazyKit
import LazyMedia
import LazyPipeline
import Support
import Testing
import ToolSupport

/// Every edit makes the same pixels wherever it is asked for: one list has its steps (`ClipEdit.steps`).
///
/// Pictures have odd sides, so that crops begin at odd pixels. Formats are lossless; the crop of what is
/// encoded with chroma at half the resolution is in `CropAlignmentTests`.
@Suite(.ownThreads) struct EditFacesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The options of the command line.
        let words: String
        let edit: ClipEdit
        /// Processors that do the same.
        let processors: [any ImageProcessing]
        var testDescription: String { words }

        init(
            _ words: String, _ processors: (any ImageProcessing)...,
            edit change: (inout ClipEdit) -> Void
        ) {
            self.words = words
            self.processors = processors
            var edit = ClipEdit()
            change(&edit)
            self.edit = edit
        }

        var options: [String] { words.split(separator: " ").map(String.init) }
        /// Whether frames are written one by one with it: they keep their order.
        var isPlayed: Bool {
            edit.keepsAllFrames
                || [ClipEdit(segments: edit.segments), ClipEdit(maxFrames: edit.maxFrames)]
                    .contains(edit) && !words.contains("--segments")
        }
        /// Whether tiles are made with it, which have a size of their own.
        var isTiled: Bool {
            edit.keepsAllFrames
                ? edit.size != nil
                : edit == ClipEdit(segments: edit.segments) && !words.contains("--segments")
        }
        /// Whether the pictures decide: then a poster looks at its own picture, after scaling.
        var isSmart: Bool { edit.gravity == .attention || edit.gravity == .entropy }
    }

    private static let size = PixelSize(width: 41, height: 31)
    private static let square = TargetSize(width: 20, height: 20, fit: .cover)

    static let rows: [Row] = [
        Row("--crop 13x7+3+5", .crop(PixelRect(x: 3, y: 5, width: 13, height: 7))) {
            $0.shape.crop = .rect(PixelRect(x: 3, y: 5, width: 13, height: 7))
        },
        Row("--crop 1:1") { $0.shape.crop = .ratio(1, 1) },
        Row("--crop 15x12 --gravity south-west") {
            $0.shape.crop = .size(PixelSize(width: 15, height: 12))
            $0.gravity = .southWest
        },
        Row("--crop 15x12 --gravity smart") {
            $0.shape.crop = .size(PixelSize(width: 15, height: 12))
            $0.gravity = .attention
        },
        Row("--rotate 90", .rotate(degrees: 90)) { $0.shape.rotation = 90 },
        Row("--rotate 30", .rotate(degrees: 30)) { $0.shape.rotation = 30 },
        Row("--flip horizontal", .flip(.horizontal)) { $0.shape.isMirrored = true },
        Row("--flip vertical", .flip(.vertical)) { $0.shape.isFlipped = true },
        Row("--rotate 270 --flip horizontal", .rotate(degrees: 270), .flip(.horizontal)) {
            ($0.shape.rotation, $0.shape.isMirrored) = (270, true)
        },
        Row("--trim") { $0.shape.trimsBars = true },
        Row("--width 17", .resize(width: 17)) { $0.size = TargetSize(width: 17) },
        Row("--height 50 --fit contain", .resize(height: 50, upscale: true)) {
            $0.size = TargetSize(height: 50)
        },
        Row("--size 17x17 --fit fill", .resize(width: 17, height: 17, fit: .fill)) {
            $0.size = TargetSize(width: 17, height: 17, fit: .fill)
        },
        Row("--size 99x9 --fit scale-down", .resize(width: 99, height: 9, fit: .scaleDown)) {
            $0.size = TargetSize(width: 99, height: 9, fit: .scaleDown)
        },
        Row(
            "--size 20x20 --fit cover", .resize(width: 20, height: 20, crop: true)
        ) { $0.size = square },
        Row("--size 9x31 --fit cover", .resize(width: 9, height: 31, crop: true)) {
            $0.size = TargetSize(width: 9, height: 31, fit: .cover)
        },
        Row(
            "--size 50x50 --fit cover", .resize(width: 50, height: 50, crop: true, upscale: true)
        ) { $0.size = TargetSize(width: 50, height: 50, fit: .cover) },
        Row("--size 20x20 --fit cover --gravity north-west") {
            ($0.size, $0.gravity) = (square, .northWest)
        },
        Row("--size 20x20 --fit cover --gravity 0.7,0.1") {
            ($0.size, $0.gravity) = (square, .point(0.7, 0.1))
        },
        Row("--size 20x20 --fit cover --gravity entropy") {
            ($0.size, $0.gravity) = (square, .entropy)
        },
        Row("--pad 3 --pad-color #ff8000") {
            $0.padding = Padding(.border(3), color: PixelColor(red: 255, green: 128, blue: 0))
        },
        Row("--pad 16:9") { $0.padding = Padding(.ratio(16, 9)) },
        Row(
            "--trim --crop 5:3 --gravity east --rotate 90 --flip vertical --size 11x13 --fit cover --pad 17x15"
        ) {
            $0.shape = PictureShape(
                trimsBars: true, crop: .ratio(5, 3), rotation: 90, isFlipped: true)
            ($0.size, $0.gravity) = (TargetSize(width: 11, height: 13, fit: .cover), .east)
            $0.padding = Padding(.size(PixelSize(width: 17, height: 15)))
        },
    ]

    static let cuts: [Row] = [
        Row("--segments 0.1-0.3") {
            $0.segments = [.milliseconds(100) ..< .milliseconds(300)]
        },
        Row("--reverse --crop 7x7+3+5") {
            $0.isReversed = true
            $0.shape.crop = .rect(PixelRect(x: 3, y: 5, width: 7, height: 7))
        },
        Row("--bounce --size 20x20 --fit cover --gravity smart --pad 3") {
            $0.isBouncing = true
            ($0.size, $0.gravity, $0.padding) = (square, .attention, Padding(.border(3)))
        },
        Row("--max-frames 3") { $0.maxFrames = 3 },
        Row("--max-frames 5 --bounce --flip vertical") {
            ($0.maxFrames, $0.isBouncing, $0.shape.isFlipped) = (5, true, true)
        },
        Row("--max-frames 2 --reverse --speed 0.5") {
            ($0.maxFrames, $0.isReversed, $0.speed) = (2, true, 0.5)
        },
        Row("--start 0.1 --end 0.3") { $0.segments = [.milliseconds(100) ..< .milliseconds(300)] },
        Row("--speed 2 --crossfade 0.1 --size 20x20 --fit cover") {
            ($0.speed, $0.crossfade, $0.size) = (2, .milliseconds(100), square)
        },
    ]

    private let scratch = Scratch()

    /// A picture without symmetry, with black bars above and below, in which some is transparent.
    private static func picture(_ number: Int = 0) throws(MediaError) -> Bitmap {
        try Bitmap(size: size, isOpaque: false) { rows in
            let pixels = rows.bindMemory(to: SIMD4<UInt8>.self)
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let isBar = y < 4 || y >= size.height - 4
                    let color = SIMD4(
                        UInt8(100 + (x * 3 + number * 20) % 150), UInt8(90 + y * 5),
                        UInt8((x * x + y * 7) % 251), x > 30 && y > 20 ? 200 : 255)
                    pixels[y * size.width + x] = isBar ? SIMD4(0, 0, 0, 255) : color
                }
            }
        }
    }

    private static func bytes(_ bitmaps: [Bitmap]) -> [UInt8] {
        bitmaps.flatMap { $0.withBytes { Array($0) } }
    }

    private static func pixels(_ sequence: FrameSequence) async throws -> [UInt8] {
        var bitmaps: [Bitmap] = []
        for try await frame in sequence.frames() { bitmaps.append(frame.bitmap) }
        return bytes(bitmaps)
    }

    /// The pixels that a command writes to a file.
    private func made(
        _ command: String, _ source: String, _ name: String, _ options: [String]
    ) async throws -> [UInt8] {
        let file = scratch.path(name)
        let outcome = Tool.run([command, source, "-o", file, "--force"] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try await Self.pixels(FrameSequence(path: file))
    }

    @Test(arguments: rows) func `a still is the same everywhere`(row: Row) async throws {
        let picture = try Self.picture()
        let source = scratch.path("still.png")
        Tool.write(try picture.pngData(), to: source)
        let wanted = try await Self.pixels(FrameSequence(path: source).edited(row.edit))
        #expect(wanted != Self.bytes([picture]))

        let raw = ["--frames", "-", "--format", "raw"]
        let played = Tool.run(["play", source] + raw + row.options)
        #expect(played.output == wanted, "play \(played.errors)")
        if !row.isSmart {
            let poster = Tool.run(["poster", source, "-f", "raw", "-o", "-"] + row.options)
            #expect(poster.output == wanted, "poster \(poster.errors)")
        }
        #expect(try await made("convert", source, "made.png", row.options) == wanted)
        #expect(Self.bytes([try picture.edited(row.edit)]) == wanted)
        let clip: any ImageProcessing = .edited(row.edit)
        #expect(Self.bytes([try clip.process(picture)]) == wanted)
        guard !row.processors.isEmpty else { return }
        let processed = try ImageContainer(still: picture).processed(
            by: .composition(row.processors))
        #expect(Self.bytes([processed.image]) == wanted)
    }

    @Test(arguments: rows + cuts) func `an animation is the same everywhere`(
        row: Row
    ) async throws {
        let source = scratch.path("clip.apng")
        let drawn = DrawnMedia(
            size: Self.size, durations: Array(repeating: .milliseconds(100), count: 4)
        ) { (number) throws(MediaError) in try Self.picture(number) }
        Tool.write(try await FrameSequence(drawn).encoded(as: .apng), to: source)
        let wanted = try await Self.pixels(FrameSequence(path: source).edited(row.edit))

        #expect(
            try await made("convert", source, "made.apng", row.options + ["--format", "apng"])
                == wanted)
        let isCut = !row.edit.segments.isEmpty
        let raw = ["--frames", "-", "--format", "raw"]
        if row.isPlayed {
            #expect(Tool.run(["play", source] + raw + row.options).output == wanted)
        }
        let whole =
            (isCut ? [] : ["--whole"])
            + ["--loop-seam", "none"].filter { _ in
                !row.edit.isBouncing && row.edit.crossfade == .zero
            }
        #expect(try await made("animate", source, "small.apng", row.options + whole) == wanted)
        guard row.isTiled else { return }
        // One column of tiles without gaps is the frames one below the other.
        let tiles = ["--columns", "1", "--exact", "--no-vtt", "--no-json-file"]
        let size = row.edit.size == nil ? ["--size", "41x31"] : []
        #expect(try await made("sheet", source, "sheet.png", row.options + tiles + size) == wanted)
    }

    @Test func `a watermark lies where the processor draws it`() async throws {
        let mark = try Bitmap(size: PixelSize(width: 5, height: 4), isOpaque: true) { rows in
            rows.bindMemory(to: SIMD4<UInt8>.self).update(repeating: SIMD4(250, 0, 0, 255))
        }
        let (source, file) = (scratch.path("still.png"), scratch.path("mark.png"))
        Tool.write(try Self.picture().pngData(), to: source)
        Tool.write(try mark.pngData(), to: file)
        for gravity in Gravity.named {
            guard gravity.focus != nil else { continue }
            let overlay: any ImageProcessing = .overlay(mark, gravity: gravity)
            let wanted = Self.bytes([try overlay.process(Self.picture())])
            let options = ["--watermark", file, "--watermark-gravity", gravity.description]
            let poster = Tool.run(["poster", source, "-f", "raw", "-o", "-"] + options)
            #expect(poster.output == wanted, "\(gravity) \(poster.errors)")
            let frames = ["--frames", "-", "--format", "raw"]
            #expect(Tool.run(["play", source] + frames + options).output == wanted)
        }
    }
}
