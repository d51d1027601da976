import LazyEditing
import LazyMedia
import LazyPipeline
import Testing

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

@Suite struct OutputTests {
    @Test func `a bar shows name, percentage, count and rate`() {
        #expect(
            ProgressBar.line("clip.mp4", done: 30, total: 60, elapsed: .seconds(2))
                == "clip.mp4 ██████████░░░░░░░░░░ 50% 30/60 15 fps")
        #expect(ProgressBar.line("a", done: 5, total: nil, elapsed: .zero) == "a 5 frames")
        #expect(
            ProgressBar.line("a-very-long-name-of-a-clip.mp4", done: 9, total: 6, elapsed: .zero)
                == "…long-name-of-a-clip.mp4 ████████████████████ 100% 9/6")
    }

    @Test func `a bar of bytes shows sizes and a rate without earlier bytes`() {
        #expect(
            ProgressBar.line(
                "a.mp4", .bytes, done: 30_000_000, total: 60_000_000, given: 10_000_000,
                elapsed: .seconds(2))
                == "a.mp4 ██████████░░░░░░░░░░ 50% 30.0 MB of 60.0 MB 10.0 MB/s")
        #expect(
            ProgressBar.line("a", .bytes, done: 1500, total: nil, elapsed: .seconds(1))
                == "a 1.5 kB 1.5 kB/s")
        #expect(
            ProgressBar.line("a", .inputs, done: 3, total: 4, elapsed: .seconds(1))
                == "a ███████████████░░░░░ 75% 3/4")
    }

    @Test(arguments: [
        (500, 1000, 2.0, "a ██████████░░░░░░░░░░ 50% 2s left"),
        (3500, 7000, 2.0, "a ██████████░░░░░░░░░░ 50% 3/7 1.7/s 2s left"),
        (50_000, 5_000_000, 1.0, "a ░░░░░░░░░░░░░░░░░░░░ 1% 50/5000 50/s 1m39s left"),
        (1000, 9_000_000, 1.0, "a ░░░░░░░░░░░░░░░░░░░░ 0% 1/9000 1.0/s 2h29m left"),
        (0, 2000, 1.0, "a ░░░░░░░░░░░░░░░░░░░░ 0% 0/2"),
        (20, 2000, 7.6, "a ░░░░░░░░░░░░░░░░░░░░ 1% 0/2"),
        (400, 2000, 10.0, "a ████░░░░░░░░░░░░░░░░ 20% 0/2 25.0 s each 40s left"),
    ]) func `a bar of inputs shows the rate and the remaining time`(
        done: Int, total: Int, seconds: Double, text: String
    ) {
        let line = ProgressBar.line(
            "a", .shares, done: done, total: total, elapsed: .seconds(seconds))
        #expect(line == text)
    }

    @Test(arguments: [
        (65, "a-clip-with-a-name.mp4 ██████████░░░░░░░░░░ 50% 4.0 MB of 8.0 MB"), (0, ""),
        (40, "a-clip-with-a-name.mp4 █████░░░░░ 50%"), (30, "a-clip-with-a-name.mp4 50%"),
        (10, "50%"), (2, "50"),
    ]) func `a bar omits parts that do not fit`(columns: Int, text: String) {
        let line = ProgressBar.line(
            "a-clip-with-a-name.mp4", .bytes, done: 4_000_000, total: 8_000_000,
            elapsed: .seconds(2), columns: columns)
        #expect(line.count <= columns)
        #expect(line == text)
    }

    static let outcomes: [(MediaError, CInt)] = [
        (MediaError(.unsupported, ""), 65), (MediaError(.encrypted, ""), 65),
        (MediaError(.malformed, ""), 65), (MediaError(.truncated, ""), 65),
        (MediaError(.notFound, ""), 65), (MediaError(.limitExceeded, ""), 76),
        (MediaError(.cancelled, ""), 130), (MediaError(.environment, ""), 69),
        (SystemError(code: 2).mediaError("open", "a"), 66),
        (SystemError(code: 20).mediaError("open", "a"), 66),
        (SystemError(code: 21).mediaError("read", "a"), 66),
        (SystemError(code: 13).mediaError("open", "a"), 77),
        (SystemError(code: 5).mediaError("read", "a"), 74),
    ]

    @Test(arguments: outcomes) func `each media error has its exit code`(
        error: MediaError, code: CInt
    ) {
        #expect(CommandFailure(error, about: "a").status.number == code)
    }

    @Test(arguments: [(17, 73), (13, 77), (30, 77), (2, 73), (20, 73), (28, 74), (5, 74), (32, 0)])
    func `each error of writing has its exit code`(errno: CInt, code: CInt) {
        #expect(CommandFailure(writing: "a", SystemError(code: errno)).status.number == code)
    }

    @Test func `a failure is one line that names its input`() {
        let error = MediaError(
            .limitExceeded, "Too\nmuch.",
            excess: .init(limit: "pixelsPerFrame", allowed: 5, actual: 123_456))
        #expect(
            CommandFailure(error, about: "a.gif").line
                == "lazyimg: a.gif: Too much. Allow more with '--limit pixels=130K' if you trust the file; see 'lazyimg help limits'."
        )
        #expect(
            CommandFailure(MediaError(.truncated, "It ends."), about: "a.gif").json.line
                == #"{"error": {"code": "truncated", "message": "It ends.", "hint": null, "input": "a.gif", "exitCode": 65}}"#
        )
    }

    private static func bitmap(_ pixels: [SIMD4<UInt8>]) throws -> Bitmap {
        try Bitmap(size: PixelSize(width: pixels.count, height: 1), isOpaque: false) {
            (rows) throws(MediaError) in
            for (place, pixel) in pixels.enumerated() {
                for channel in 0..<4 { rows[place * 4 + channel] = pixel[channel] }
            }
        }
    }

    @Test func `covering crops evenly`() throws {
        let bitmap = try Self.bitmap((0..<5).map { SIMD4(UInt8($0), 0, 0, 255) })
        let cut = try bitmap.edited(
            ClipEdit(size: TargetSize(width: 3, height: 1, fit: .cover)))
        #expect((0..<3).map { cut[$0, 0].x } == [1, 2, 3])
    }
}
