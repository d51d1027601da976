import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

/// What a signal, a full disk or a terminal does to the executable.
@Suite(.ownThreads) struct SignalTests {
    private let scratch = Scratch()

    // Many more frames than can be written before the signal comes.
    private func startLongExport(_ frames: String) -> pid_t {
        Tool.start([
            "play", Media.path("clip.mp4"), "--frames", frames, "--fps", "1000", "--format", "ppm",
            "--width", "320", "--max-frames", "2000",
        ])
    }

    private func waitForFiles(in folder: String) {
        while scratch.names(folder).isEmpty { sched_yield() }
    }

    @Test(arguments: [(SIGINT, CInt(130)), (SIGTERM, CInt(143)), (SIGHUP, CInt(129))])
    func `a signal ends the export with its code and only complete files`(
        signal: CInt, status: CInt
    ) {
        let process = startLongExport(scratch.path("out"))
        waitForFiles(in: "out")
        kill(process, signal)
        #expect(Tool.wait(for: process) == status)
        let names = scratch.names("out")
        #expect(!names.isEmpty)
        for name in names {
            #expect(name.hasPrefix("frame-") && name.hasSuffix(".ppm"))
            #expect(Tool.bytes(scratch.path("out/" + name)).count == 15 + 320 * 180 * 3)
        }
    }

    @Test func `a signal that ends an export says how many frames have no list`() {
        let frames = scratch.path("out")
        let outcome = Tool.shell(
            """
            "$lazyimg" play '\(Media.path("clip.mp4"))' --frames '\(frames)' --fps 1000 --format ppm \
                --width 320 --max-frames 2000 & child=$!
            until ls '\(frames)'/*.ppm >/dev/null 2>&1; do :; done
            kill -TERM $child; wait $child; echo $?
            """)
        #expect(outcome.text == "143\n")
        let count = scratch.names("out").count
        #expect(
            outcome.errors.contains(
                "\(count) \(count == 1 ? "frame was" : "frames were") written to \(frames) before the end, without frames.json."
            ), "\(outcome.errors)")
    }

    @Test func `SIGKILL leaves only complete files`() {
        let process = startLongExport(scratch.path("out"))
        waitForFiles(in: "out")
        kill(process, SIGKILL)
        #expect(Tool.wait(for: process) == 128 + SIGKILL)
        for name in scratch.names("out") where !name.hasPrefix(".") {
            #expect(Tool.bytes(scratch.path("out/" + name)).count == 15 + 320 * 180 * 3)
        }
    }

    @Test func `a signal that the caller ignores stays ignored`() {
        let outcome = Tool.shell(
            """
            trap '' INT
            "$lazyimg" play '\(Media.path("counter.gif"))' --cells 8x4 >/dev/null & child=$!
            kill -INT $child; wait $child; echo $?
            """)
        #expect(outcome.text == "0\n")
    }

    @Test func `a signal ends waiting for standard input`() {
        let pipe = scratch.path("pipe")
        mkfifo(pipe, 0o600)
        let outcome = Tool.shell(
            """
            exec 3<>'\(pipe)'
            timeout --preserve-status -s INT 0.3 "$lazyimg" info - <&3; echo $?
            """)
        #expect(outcome.text == "130\n")
        #expect(outcome.errors == "")
    }

    @Test func `a full disk is reported and leaves only complete files`() throws {
        let disk = scratch.path("disk")
        mkdir(disk, 0o700)
        // Only where the test may mount; elsewhere /dev/full stands for it.
        guard mount("tmpfs", disk, "tmpfs", 0, "size=1m") == 0 else {
            try Test.cancel("a small disk cannot be mounted here")
        }
        defer { umount(disk) }
        let outcome = Tool.run(
            ["play", Media.path("clip.mp4"), "--frames", disk, "--format", "raw", "--width", "320"])
        #expect(outcome.status == 74)
        #expect(outcome.errors.hasPrefix("lazyimg: Cannot write \(disk)/frame-0000"))
        #expect(outcome.errors.hasSuffix(": No space left on device.\n"))
        let names = scratch.names("disk")
        #expect(!names.isEmpty)
        for name in names {
            #expect(name.hasPrefix("frame-"))
            #expect(Tool.bytes(disk + "/" + name).count == 320 * 180 * 4)
        }
    }

    @Test func `without a terminal the frames are written once as escape sequences`() {
        let outcome = Tool.run(["play", Media.path("loop-0.gif"), "--cells", "8x4", "--untimed"])
        #expect(outcome.status == 0)
        #expect(outcome.text.hasPrefix("\u{1B}[?2026h\u{1B}[0m\u{1B}[2J\u{1B}[1;1H\u{1B}["))
        #expect(
            outcome.text.hasSuffix("\u{1B}[?2026l\u{1B}[5;1H")
                || outcome.text.hasSuffix("\u{1B}[4;1H"))
        #expect(!outcome.text.contains("\u{1B}[?1049h"))
        let twice = Tool.run(
            ["play", Media.path("loop-0.gif"), "--cells", "8x4", "--untimed", "--loops", "2"])
        let frames = outcome.text.split(separator: "\u{1B}[?2026h").count
        #expect(twice.text.split(separator: "\u{1B}[?2026h").count == frames * 2)
    }
}
