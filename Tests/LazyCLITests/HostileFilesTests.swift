import Glibc
import LazyMedia
import Support
import Testing
import ToolSupport

/// A small file that asks for much, and what reading it may take of memory.
struct Hostile: CustomTestStringConvertible, Sendable {
    let name: String
    /// The word of the only code that may be told beside success.
    var codes: Set<CInt> = [76]
    let make: @Sendable () throws -> [UInt8]
    var testDescription: String { name }

    static let all = [
        // 12 million pixels of 14 bits in full color, 17 of them: 1.2 GB.
        Hostile(name: "references.h264.ts", codes: [0, 65, 76]) {
            HostileForge.transport(
                HostileForge.h264(
                    width: 4096, height: 3072, depth: 14, references: 16, pictures: 20))
        },
        Hostile(name: "pixels.h264.ts") {
            HostileForge.transport(
                HostileForge.h264(
                    width: 12_800, height: 8_000, depth: 8, references: 4, pictures: 3))
        },
        Hostile(name: "header.ivf", codes: [65, 76]) {
            HostileForge.vp9(width: 16_000, height: 16_000)
        },
        Hostile(name: "edits.mp4") {
            HostileForge.movie(try Media.array("clip.mp4"), edits: 2_000_000 / 24)
        },
        Hostile(name: "tracks.mp4") {
            HostileForge.movie(try Media.array("small.mp4"), copiesOfTrack: 1_200)
        },
        Hostile(name: "boxes.mp4", codes: [65, 76]) {
            HostileForge.movie(
                try Media.array("small.mp4"), appending: HostileForge.emptyBoxes(600_000))
        },
        Hostile(name: "boxes.avif", codes: [65, 76]) {
            HostileForge.movie(
                try Media.array("animation.avif"), appending: HostileForge.emptyBoxes(600_000))
        },
        Hostile(name: "tracks.webm") { HostileForge.matroska(tracks: 300_000) },
    ]
}

/// A profile, and the most memory of a process that reads with it.
enum Promise: String, CaseIterable, Sendable {
    case web, untrusted

    var most: Int { self == .web ? 1 << 30 : 400_000_000 }
}

/// Memory is refused before it is taken: measured from outside, in a process for each file.
@Suite(.ownThreads, .serialized, .needs("time")) struct HostileFilesTests {
    @Test(arguments: Hostile.all, Promise.allCases)
    func `a process stays below the limits of its profile`(
        file: Hostile, profile: Promise
    ) throws {
        let scratch = Scratch()
        let path = scratch.path(file.name)
        try FileBytes.write(file.make(), to: path)
        for command in [["info"], ["poster", "--width", "64", "-o", scratch.path("p.png")]] {
            let run = Tool.measured(command + Tool.limits(profile.rawValue) + [path])
            if !Sanitizer.isLinked {
                #expect(run.peak < profile.most, "\(command[0]): \(run.peak >> 20) MB")
            }
            #expect(file.codes.contains(run.status), "\(command[0]): \(run.errors)")
            if run.status == 76 {
                #expect(run.errors.contains("limit"))
                #expect(run.errors.contains("--limit "))
            }
        }
    }

    @Test func `a large image without content is not read completely`() throws {
        let scratch = Scratch()
        let path = scratch.path("sparse.png")
        let head = try Media.array("still-rgba8.png").prefix(33)
        try FileBytes.write(Array(head), to: path)
        #expect(truncate(path, 20 << 30) == 0)
        let run = Tool.measured(["poster", path, "-o", scratch.path("p.png")])
        #expect(run.status == 65)
        #expect(run.errors.contains("invalid chunk type"))
        #expect(run.peak < 200_000_000)
    }

    @Test func `an image of many small chunks is walked within the limit of memory`() throws {
        let scratch = Scratch()
        let path = scratch.path("many.png")
        // Text chunks without text, of 12 bytes each.
        let head = try Media.array("still-rgba8.png").prefix(33)
        let chunk: [UInt8] = [0, 0, 0, 0] + Array("tEXt".utf8) + [0x2C, 0x1D, 0xE3, 0x91]
        try FileBytes.write(
            Array(head) + (0..<2_000_000).flatMap { _ in chunk }, to: path)
        let run = Tool.measured([
            "poster", path, "-o", scratch.path("p.png"), "--limit", "memory=50M",
        ])
        #expect(run.status == 76 && run.errors.contains("--limit memory="), "\(run.errors)")
        #expect(run.peak < 200_000_000)
    }

    /// A film's tables, and behind them samples of which most are a hole.
    @Test(arguments: ["local", "web", "untrusted"])
    func `a file of many gigabytes gives poster, metadata, sheet and excerpt`(profile: String)
        throws
    {
        let scratch = Scratch()
        let path = scratch.path("film.mp4")
        let clip = try Media.array("clip.mp4")
        try FileBytes.write(clip, to: path)
        // A last box that reaches over the hole.
        let hole = 9 << 30
        let tail: [UInt8] =
            [0, 0, 0, 1] + Array("free".utf8)
            + [56, 48, 40, 32, 24, 16, 8, 0].map { UInt8(truncatingIfNeeded: hole >> $0) }
        try FileBytes.write(clip + tail, to: path)
        #expect(truncate(path, clip.count + hole) == 0)
        let commands = [
            ["info"], ["poster", "-o", scratch.path("p.png")],
            ["sheet", "-o", scratch.path("s.jpg")],
            ["animate", "-o", scratch.path("a.gif"), "--start", "0.2", "--end", "0.6", "-W", "64"],
        ]
        for command in commands {
            let run = Tool.measured(command + Tool.limits(profile) + [path])
            #expect(run.status == 0, "\(command[0]): \(run.errors)")
            if !Sanitizer.isLinked {
                #expect(run.peak < 400_000_000, "\(command[0]): \(run.peak >> 20) MB")
            }
        }
    }
}

extension FileBytes {
    fileprivate static func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }
}

extension Tool {
    /// Runs it and measures the most memory that was resident, in bytes.
    ///
    /// By GNU time, which is small: Linux counts the memory of the process that starts a program as the
    /// program's own, up to `exec`, and a process of tests has more than is looked for.
    fileprivate static func measured(
        _ arguments: [String]
    ) -> (status: CInt, errors: String, peak: Int) {
        let scratch = Scratch()
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        let outcome = shell(
            "exec time -q -f %M -o '\(scratch.path("peak"))' \"$lazyimg\" \(words) >/dev/null")
        let kilobytes = Int(scratch.text("peak").filter(\.isNumber))
        return (outcome.status, outcome.errors, kilobytes.map { $0 * 1024 } ?? .max)
    }
}
