import DesktopSupport
import Foundation
import LazyKit
import Testing

@testable import LazyViewer

/// Edits of what the window shows: options, and pixels on a real screen.
@Suite(.serialized) struct EditTests {
    private let folder: String
    private let screen: Screen

    init() throws {
        screen = try Screen()
        folder = NSTemporaryDirectory() + "lazyimg-edits-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func start(_ words: [String]) throws -> Program {
        try Program(
            Place.program("lazyimg-view"), ["--trace"] + words, environment: screen.environment())
    }

    /// Waits for lines of the trace with all of some texts.
    private func wait(_ program: Program, _ texts: String...) throws {
        while let line = program.line() {
            if texts.allSatisfy(line.contains) { return }
        }
        throw Ended()
    }

    private struct Ended: Error {}

    private func ffmpeg(_ words: String) throws {
        let arguments = words.split(separator: " ").map {
            $0.replacingOccurrences(of: "@", with: folder + "/")
        }
        _ = try Program.output("ffmpeg", ["-v", "error", "-y", "-nostdin"] + arguments)
    }

    private func focus() throws {
        try screen.send(
            "search", "--sync", "--onlyvisible", "--class", "lazyimg", "windowfocus", "--sync")
    }

    /// Whether the picture of a command of ffmpeg is on the screen, up to the rounding of colors.
    private func isShown(_ filter: String, width: Int, height: Int, inputs: [String]) throws -> Bool
    {
        let sources = inputs.flatMap { ["-i", $0] }
        let wanted = try Program.output(
            "ffmpeg",
            ["-v", "error", "-nostdin"] + sources + [
                "-filter_complex", filter, "-frames:v", "1", "-pix_fmt", "rgb24", "-f",
                "rawvideo", "-",
            ])
        try #require(wanted.count == width * height * 3)
        let shown = try screen.pixels(area: "1280x800+0+0")
        let places = Swift.stride(from: 0, to: width * height, by: 997)
        for y in 0...(800 - height) {
            for x in 0...(1280 - width) {
                let isThere = places.allSatisfy { place in
                    let target = ((y + place / width) * 1280 + x + place % width) * 3
                    return (0..<3).allSatisfy {
                        abs(Int(shown[target + $0]) - Int(wanted[place * 3 + $0])) <= 6
                    }
                }
                if isThere { return true }
            }
        }
        return false
    }

    /// Waits until a condition of the screen holds; the window draws when it draws.
    private func until(_ condition: () throws -> Bool) throws {
        for _ in 0..<200 { if try condition() { return } }
        Issue.record("the screen never shows it")
    }

    /// Pauses at the first frame.
    private func rest(_ program: Program) throws {
        try wait(program, "\"frame\":")
        try focus()
        try screen.send("key", "space")
        try screen.send("key", "BackSpace")
        try wait(program, "\"frame\":0,", "\"playing\":false")
    }

    @Test func `a clip is shown cropped and mirrored, pixel for pixel`() throws {
        let program = try start([
            "--crop", "321x241+101+61", "--flip", "horizontal", Place.media("clip.mp4"),
        ])
        try rest(program)
        try until {
            try isShown(
                "format=rgb24,crop=321:241:101:61,hflip", width: 321, height: 241,
                inputs: [Place.media("clip.mp4")])
        }
    }

    @Test func `a watermark is drawn in the pixels of the file, also where it is scaled`() throws {
        try ffmpeg("-f lavfi -i testsrc2=s=1600x1000:r=5:d=2 -pix_fmt yuv420p @a.mp4")
        try ffmpeg("-f lavfi -i color=red:s=400x250 -frames:v 1 @m.png")
        let program = try start(["--watermark", folder + "/m.png", folder + "/a.mp4"])
        try rest(program)
        // A quarter of the picture's sides, wherever the window has scaled it to.
        try until {
            let shown = try screen.pixels(area: "1280x800+0+0")
            let rows = (0..<800).map { y in
                (0..<1280).filter { x in
                    let pixel = shown[((y * 1280 + x) * 3)..<((y * 1280 + x) * 3 + 3)]
                    return Array(pixel) == [253, 0, 0] || Array(pixel) == [254, 0, 0]
                        || Array(pixel) == [255, 0, 0]
                }.count
            }
            let height = rows.filter { $0 > 100 }.count
            let width = rows.max() ?? 0
            return (200...260).contains(width) && abs(width * 250 - height * 400) < 4000
        }
    }

    @Test func `subtitles of a track are shown, and media without them too`() throws {
        try "1\n00:00:00,000 --> 00:00:09,000\nHello\n".write(
            toFile: folder + "/s.srt", atomically: true, encoding: .utf8)
        try ffmpeg(
            "-f lavfi -i color=gray:s=640x360:r=5:d=2 -i @s.srt -pix_fmt yuv420p -c:s mov_text -metadata:s:s language=eng @1.mp4"
        )
        try ffmpeg("-f lavfi -i color=gray:s=640x360:r=5:d=2 -pix_fmt yuv420p @2.mp4")
        let program = try start(["--subtitles", "track:en", folder + "/1.mp4"])
        try rest(program)
        // The lower middle of the window, where only letters are white.
        func whites() throws -> Int {
            let shown = try screen.pixels(area: "200x60+\(left + 220)+\(top + 290)")
            return Swift.stride(from: 0, to: shown.count, by: 3).filter { place in
                (0..<3).allSatisfy { shown[place + $0] > 220 }
            }.count
        }
        let (left, top) = try grayPlace()
        try until { try whites() > 20 }
        try screen.send("key", "Right")
        try wait(program, "\"item\":\"2.mp4\"", "\"phase\":\"success\"")
        try until { try whites() == 0 }
        try screen.send("key", "q")
        #expect(program.wait() == 0)
    }

    /// The left upper corner of the gray film.
    private func grayPlace() throws -> (Int, Int) {
        var found: (Int, Int)?
        try until {
            let shown = try screen.pixels(area: "1280x800+0+0")
            func isGray(_ x: Int, _ y: Int) -> Bool {
                (0..<3).allSatisfy { abs(Int(shown[(y * 1280 + x) * 3 + $0]) - 128) < 4 }
            }
            for y in 0..<440 {
                for x in 0..<640 where isGray(x, y) && isGray(x + 639, y) && isGray(x, y + 359) {
                    found = (x, y)
                    return true
                }
            }
            return false
        }
        return try #require(found)
    }

    @Test func `the grid shows edited pictures`() throws {
        try ffmpeg(
            "-f lavfi -i color=red:s=100x100 -f lavfi -i color=blue:s=100x100 -filter_complex hstack,format=rgb24 -frames:v 1 @a.png"
        )
        let program = try start(["--grid", "--crop", "100x100+0+0", folder])
        try wait(program, "\"page\":\"grid\"")
        func count(_ color: [UInt8]) throws -> Int {
            let shown = try screen.pixels(area: "1280x800+0+0")
            return Swift.stride(from: 0, to: shown.count, by: 3).filter { place in
                (0..<3).allSatisfy { abs(Int(shown[place + $0]) - Int(color[$0])) < 8 }
            }.count
        }
        try until { try count([254, 0, 0]) > 5000 }
        #expect(try count([0, 0, 254]) == 0)
    }

    @Test(
        arguments: [
            (["--crop", "wide"], 64), (["--text-size", "5"], 64), (["--rotate", "400"], 64),
            (["--subtitles", "track:0"], 64), (["--gravity", "north"], 64), (["--pad"], 64),
            (["--watermark", "/none.png"], 66), (["--subtitles", "/none.srt"], 66),
            (["--watermark", Place.root + "README.md"], 65),
            (["--subtitles", Place.root + "README.md"], 65),
        ] as [([String], Int32)])
    func `edits that cannot be made have an exit code`(words: [String], code: Int32) throws {
        let program = try Program(
            Place.program("lazyimg-view"), [Place.media("still.jpg")] + words,
            environment: screen.environment())
        while program.line() != nil {}
        #expect(program.wait() == code)
    }
}
