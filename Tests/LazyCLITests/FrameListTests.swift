import Glibc
import LazyBase
import LazyMedia
import Support
import Testing
import ToolSupport

@testable import LazyCLI

/// Lists of pictures: folders, patterns, `frames.json` and ffmpeg's scripts.
@Suite struct FrameListTests {
    private let scratch = Scratch()

    init() throws {
        mkdir(scratch.path("in"), 0o700)
        let picture = try Media.array("still-rgb8.png")
        for name in ["a1.png", "a2.png", "a10.png", "b.png", ".hidden.png"] {
            scratch.write(picture, "in/\(name)")
        }
        scratch.write(Array("words".utf8), "in/notes.txt")
        scratch.write(picture, "secret.png")
        mkdir(scratch.path("in/sub"), 0o700)
        mkfifo(scratch.path("in/pipe.png"), 0o600)
        symlink("../secret.png", scratch.path("in/link.png"))
    }

    private func list(
        _ path: String, without output: String? = nil, limits: DecodingLimits = .local
    ) throws -> FrameList? {
        try FrameList(
            scratch.path(path), joinsFolders: true, without: output.map(scratch.path),
            limits: limits)
    }

    private func names(_ list: FrameList?) -> [String] {
        list?.entries.map(\.path.lastName) ?? []
    }

    private func failure(_ text: String, _ name: String) -> MediaError? {
        scratch.write(Array(text.utf8), name)
        do { _ = try list(name) } catch { return error as? MediaError }
        return nil
    }

    @Test(arguments: [
        (["a10", "a2", "a1"], ["a1", "a2", "a10"]),
        (["b", "a", "B"], ["a", "B", "b"]),
        (["x007", "x7", "x07", "x8"], ["x007", "x07", "x7", "x8"]),
        (["f1-10", "f1-9", "f01-9b"], ["f1-9", "f01-9b", "f1-10"]),
        (["a", "", "a1"], ["", "a", "a1"]),
        (
            ["v99999999999999999999", "v100000000000000000000"],
            ["v99999999999999999999", "v100000000000000000000"]
        ),
    ])
    func `names are in natural order`(given: [String], sorted: [String]) {
        #expect(given.map(NaturalName.init).sorted().map(\.name) == sorted)
    }

    @Test func `the order is that of sort -V`() {
        let names = ["a1.png", "a10.png", "a2.png", "shot-9-1", "shot-10-0", "z", "b2c3", "b2c12"]
        let text = names.joined(separator: "\\n")
        let theirs = String(
            decoding: Peer.output(of: "printf '\(text)\\n' | LC_ALL=C sort -V"), as: UTF8.self)
        #expect(
            names.map(NaturalName.init).sorted().map(\.name)
                == theirs.split(separator: "\n").map(String.init))
    }

    @Test func `a folder has its media, without hidden files, folders and pipes`() throws {
        #expect(names(try list("in")) == ["a1.png", "a2.png", "a10.png", "b.png", "link.png"])
        #expect(
            names(try list("in", without: "in/b.png")) == [
                "a1.png", "a2.png", "a10.png", "link.png",
            ])
        let error = #expect(throws: MediaError.self) { try list("in/sub") }
        #expect(error?.message == "There is no media in \(scratch.path("in/sub")).")
    }

    @Test(
        arguments: [
            ("f-%d.png", "f-12.png", 12), ("f-%d.png", "f-012.png", nil),
            ("f-%d.png", "f-0.png", 0),
            ("f-%03d.png", "f-012.png", 12), ("f-%03d.png", "f-12.png", nil),
            ("f-%03d.png", "f-1234.png", 1234), ("f-%03d.png", "f-0123.png", nil),
            ("f-%03d.png", "f-000.png", 0), ("f-%d.png", "f-.png", nil),
            ("f-%d.png", "f--1.png", nil),
            ("100%%-%d", "100%-7", 7), ("%d", "5", 5),
            ("f-%d.png", "f-99999999999999999999.png", nil),
        ] as [(String, String, Int?)])
    func `a pattern reads numbers as printf writes them`(
        pattern: String, name: String, number: Int?
    ) throws {
        #expect(try #require(NumberPattern(pattern)).number(in: name) == number)
        guard let number else { return }
        let printed = Peer.output(of: "printf '\(pattern)' \(number)")
        #expect(String(decoding: printed, as: UTF8.self) == name)
    }

    @Test(arguments: ["a.png", "%s.png", "%d-%d.png", "%4d.png", "%", "%0d", "%099999999999d.png"])
    func `other names are no patterns`(name: String) { #expect(NumberPattern(name) == nil) }

    @Test func `a pattern names what is there, and says what is missing`() throws {
        let list = try #require(try list("in/a%d.png"))
        #expect(names(list) == ["a1.png", "a2.png", "a10.png"])
        #expect(
            list.warnings.map(\.message) == ["7 numbers are missing between a1.png and a10.png."])
        let error = #expect(throws: MediaError.self) { try self.list("in/c%d.png") }
        #expect(error?.message == "No file matches \(scratch.path("in/c%d.png")).")
        #expect((error?.underlying as? SystemError)?.code == ENOENT)
    }

    @Test func `outputs are named after what files of a pattern share`() throws {
        for (text, name) in [
            ("in/a%d.png", "a"), ("in/shot_%04d.png", "shot"), ("in/%d.png", "frames"),
            ("in/a1.png", "a1"), ("in/", "in"),
        ] {
            #expect(try InputAddress(scratch.path(text)).name == name)
        }
    }

    @Test func `a list in JSON has times until the next frame, and plays`() throws {
        let text = """
            {"loop": {"raw": 2, "plays": 3}, "frames": [
            {"file": "a1.png", "ptsUs": 0, "durationUs": 40000},
            {"file": "a2.png", "ptsUs": 120000, "durationUs": 40000}]}
            """
        scratch.write(Array(text.utf8), "in/frames.json")
        let list = try #require(try list("in/frames.json"))
        #expect(list.entries.map { $0.duration?.microseconds } == [120_000, 40_000])
        #expect(list.loop?.plays == 3)
        // A folder is read by the list in it.
        #expect(names(try self.list("in")) == ["a1.png", "a2.png"])
    }

    @Test func `times in a base are exact`() throws {
        let text = """
            {"timeBase": "1001/24000", "frames": [
            {"file": "a1.png", "ptsUs": 0, "durationUs": 41708, "pts": 0, "duration": 1},
            {"file": "a2.png", "ptsUs": 41708, "durationUs": 41709, "pts": 1, "duration": 1}]}
            """
        scratch.write(Array(text.utf8), "in/frames.json")
        let base = Rational(1001, 24000)
        #expect(
            try list("in/frames.json")?.entries.map(\.duration) == [
                MediaTime(ticks: 1, base: base), MediaTime(ticks: 1, base: base),
            ])
    }

    @Test func `a script of ffmpeg is read as ffmpeg reads it`() throws {
        let text = """
            ffconcat version 1.0
            # a comment
            file a1.png
            duration 0.5
              file 'a2.png'

            duration 00:00:01.25
            file a\\10.png\r
            duration 2
            file 'a1''0.png'
            """
        scratch.write(Array(text.utf8), "in/list.ffconcat")
        let list = try #require(try list("in/list.ffconcat"))
        // The last file is named twice for the sake of its duration.
        #expect(names(list) == ["a1.png", "a2.png", "a10.png"])
        #expect(list.entries.map { $0.duration?.microseconds } == [500_000, 1_250_000, 2_000_000])
    }

    @Test(arguments: [
        ("file ../secret.png", "names ../secret.png, which is not in its folder."),
        ("file /etc/passwd", "names /etc/passwd, which is not in its folder."),
        ("file sub/../../secret.png", "names sub/../../secret.png, which is not in its folder."),
        ("file link.png", "names link.png, which is not in its folder."),
        ("file ''", "names an empty file, which is not in its folder."),
        ("file gone.png", "names gone.png, which does not exist."),
        ("file pipe.png", "names pipe.png, which is not a regular file."),
        ("file sub", "names sub, which is not a regular file."),
        ("file x.ffconcat", "names x.ffconcat, and a list cannot contain lists."),
        ("file 'a1.png", "In line 2 of "), ("inpoint 3", "In line 2 of "),
        ("file a1.png\nduration soon", "In line 3 of "), ("duration 1", "In line 2 of "),
        ("", "names no file."),
    ])
    func `a hostile script is refused in one sentence`(lines: String, message: String) throws {
        let error = try #require(failure("ffconcat version 1.0\n\(lines)\n", "in/x.ffconcat"))
        #expect(error.message.contains(message))
        #expect(error.message.hasSuffix("."))
    }

    @Test(arguments: [
        "{}", "[]", "nonsense", #"{"frames": 3}"#, #"{"frames": []}"#, #"{"frames": [{}]}"#,
        #"{"frames": [{"file": null, "durationUs": 3}]}"#,
        #"{"frames": [{"file": "a1.png"}]}"#,
        #"{"frames": [{"file": "a1.png", "durationUs": -1}]}"#,
        #"{"frames": [{"file": "a1.png", "ptsUs": 5, "durationUs": 1}, {"file": "a1.png", "ptsUs": 4, "durationUs": 1}]}"#,
        #"{"frames": [{"file": "a1.png", "ptsUs": -9223372036854775808, "durationUs": 1}, {"file": "a1.png", "ptsUs": 9223372036854775807, "durationUs": 1}]}"#,
        #"{"frames": [{"file": "a1.png", "durationUs": 1e300}]}"#,
        #"{"frames": [{"file": "../secret.png", "durationUs": 1}]}"#,
        #"{"frames": [{"file": "frames.json", "durationUs": 1}]}"#,
        String(repeating: "[", count: 100_000),
    ])
    func `a hostile list in JSON is refused in one sentence`(text: String) throws {
        let error = try #require(failure(text, "in/frames.json"))
        #expect(error.code == .malformed)
        #expect(error.message.hasSuffix("."))
        #expect(!error.message.contains("\n"))
    }

    /// Lists of one file more than the limit, none of which exists.
    static let long = [
        (
            "in/x.ffconcat",
            "ffconcat version 1.0\n" + String(repeating: "file gone.png\n", count: 4)
        ),
        (
            "in/x.json",
            #"{"frames": ["#
                + Array(repeating: #"{"file": "gone\"{[.png", "durationUs": 1}"#, count: 4)
                .joined(separator: ",") + "]}"
        ),
    ]

    @Test(arguments: long)
    func `a list is counted before a file of it is looked for`(name: String, text: String) throws {
        scratch.write(Array(text.utf8), name)
        let error = #expect(throws: MediaError.self) {
            try list(name, limits: DecodingLimits(frames: 3))
        }
        #expect(error?.code == .limitExceeded && error?.excess?.limit == "frames")
        let other = #expect(throws: MediaError.self) {
            try list(name, limits: DecodingLimits(frames: 4))
        }
        #expect(other?.code == .environment)
    }

    @Test func `entries take memory of the limit`() throws {
        scratch.write(Array(Self.long[0].1.utf8), "in/x.ffconcat")
        let error = #expect(throws: MediaError.self) {
            try list("in/x.ffconcat", limits: DecodingLimits(memory: 350))
        }
        #expect(error?.excess?.limit == "memory")
    }

    @Test(arguments: ["in", "in/a%d.png"])
    func `files of folders and patterns are counted`(path: String) throws {
        let error = #expect(throws: MediaError.self) {
            try list(path, limits: DecodingLimits(frames: 2))
        }
        #expect(error?.excess?.limit == "frames")
    }

    @Test func `a name that is not UTF-8 comes back from its bytes`() throws {
        let bytes = try Media.array("still-rgb8.png")
        let name = FileName.text([0x66, 0xFF, 0x2E, 0x70, 0x6E, 0x67])
        let path = Array((scratch.path("in") + "/").utf8) + FileName.bytes(name)
        let file = open(path.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o600)
        _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        close(file)
        let json = JSONValue.object([
            ("frames", .array([.object([("file", .name(name)), ("durationUs", .integer(1))])]))
        ])
        scratch.write(Array(json.text.utf8), "in/frames.json")
        #expect(names(try list("in/frames.json")).map(FileName.bytes) == [FileName.bytes(name)])
    }
}
