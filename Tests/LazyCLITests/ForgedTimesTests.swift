import Glibc
import Support
import Testing
import ToolSupport

/// Whole commands on files whose times no honest file has.
@Suite(.ownThreads) struct ForgedTimesTests {
    private let scratch = Scratch()

    /// Times of frames, and the seconds of a tick.
    static let clocks: [(times: [UInt64], numerator: UInt32, denominator: UInt32)] = [
        ([0, 40, UInt64(Int64.max)], 1, 1000), ([0, 1, 2], UInt32(Int32.max), 1),
        ([0, 1 << 62, UInt64(Int64.max)], 1, 1), ([0, 1 << 62, UInt64(Int64.max)], .max, 1),
        ([0, 40, 3_155_760_000_000], 1, 1000), ([0, 1 << 63, .max], 1, 30),
        ([0, 1 << 32, 1 << 33], 1, 30), ([1 << 53, 1 << 53, 0], 1, 30),
    ]
    static let commands = [
        "info IN", "info IN --frames --json", "poster IN -o OUT.png --at 50%",
        "sheet IN -o OUT.jpg -n 4", "animate IN -o OUT.gif -W 16", "animate IN -o OUT.webp -W 16",
        "convert IN -o OUT.mp4 -W 16 --speed 0.01 --force", "convert IN -o OUT.gif -W 16 --force",
        "convert IN -o OUT.webm -W 16 --fps 1000 --force --effort 0",
        "convert IN -o OUT.avif -W 16 --force --effort 0", "convert IN -o OUT.png -W 16 --force",
        "play IN --frames - --format null",
        "play IN --frames - --format framehash --fps 1000 --max-frames 20",
    ]

    @Test(arguments: commands)
    func `times at the limits of integers never trap`(command: String) throws {
        let forge = try IVFForge()
        for (number, clock) in Self.clocks.enumerated() {
            let (times, numerator, denominator) = clock
            let input = scratch.path("in-\(number).ivf")
            Tool.write(
                forge.file(at: times, numerator: numerator, denominator: denominator), to: input)
            let words = command.split(separator: " ").map { word in
                word == "IN"
                    ? input : String(word).replacing("OUT", with: scratch.path("out-\(number)"))
            }
            let limits = number.isMultiple(of: 2) ? "untrusted" : "local"
            let outcome = Tool.run(words + Tool.limits(limits))
            let isKnown = [0, 65, 73, 76].contains(outcome.status)
            #expect(isKnown, "\(outcome.status): \(command) on \(number), \(limits)")
            #expect(outcome.status == 0 || outcome.errors.hasPrefix("lazyimg: "))
            #expect(!outcome.errors.contains("Fatal error"))
        }
    }

    @Test func `a frame of thirty years does not prevent a thumbnail`() throws {
        let input = scratch.path("in.ivf")
        Tool.write(
            try IVFForge().file(at: [0, 100, 200, 1_000_000_000_000]), to: input)
        let outcome = Tool.run([
            "convert", input, "-o", scratch.path("out.mp4"), "-W", "32", "--fps", "10", "--force",
            "--limits", "local",
        ])
        #expect(outcome.status == 0)
    }

    /// Steps of a frame that is shown for long, just within the limit.
    @Test(arguments: [(SIGTERM, CInt(143)), (SIGINT, CInt(130)), (SIGQUIT, CInt(131))])
    func `the first signal ends endless work`(
        signal: CInt, status: CInt
    ) throws {
        let (input, out) = (scratch.path("in.ivf"), scratch.path("out"))
        let errors = scratch.path("errors")
        Tool.write(
            try IVFForge().file(at: [0, 40, 900_000, 900_040]), to: input)
        let process = Tool.start(
            [
                "play", input, "--frames", out, "--fps", "1000", "--format", "ppm",
                "--limits", "local",
            ], errors: errors)
        while scratch.names("out").isEmpty { sched_yield() }
        kill(process, signal)
        #expect(Tool.wait(for: process) == status)
        #expect(!scratch.text("errors").contains("did not end in time"))
    }

    @Test func `a steady rate writes no more frames than the limits allow`() throws {
        let input = scratch.path("in.ivf")
        Tool.write(try IVFForge().file(at: [0, 40, 100_000, 100_040]), to: input)
        let outcome = Tool.run(
            ["play", input, "--frames", "-", "--format", "null", "--fps", "1000"]
                + Tool.limits("untrusted"))
        #expect(outcome.status == 76)
        #expect(outcome.errors.contains("more than the limit of 10000 frames"))
    }
}
