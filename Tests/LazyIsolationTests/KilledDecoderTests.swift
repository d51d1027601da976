import Glibc
import LazyIsolation
import LazyKit
import LazyMedia
import Support
import Testing
import ToolSupport

/// Decoders that end by no fault of their media.
@Suite(.ownThreads, .enabled(if: !Sanitizer.isLinked))
struct KilledDecoderTests {
    enum Victim: CaseIterable { case decoder, program }

    @Test(arguments: Victim.allCases)
    func `A killed decoder is reported as killed, and its reader continues in another one`(
        _ victim: Victim
    ) throws {
        let program = WatchedProgram()
        let host = DecoderHost(IsolationPolicy(program: program.path))
        let bytes = try FileBytes(path: Media.path("counter.gif"))
        let media = try DecoderRegistry.standard.isolated(by: host).open(bytes, limits: .local)
        let reader = try media.makeReader(ReaderOptions(limits: .local))
        let decoder = try #require(program.newest)
        let killed = victim == .decoder ? decoder.id : try #require(program.process)
        kill(killed, SIGKILL)
        while decoder.isAlive { usleep(1000) }
        let error = #expect(throws: MediaError.self) { try reader.nextFrame() }
        #expect(error?.code == .decoderKilled, "\(String(describing: error))")
        #expect(host.statistics.killed == 1 && host.statistics.crashed == 0)
        let usual = try DecoderRegistry.standard.open(bytes, limits: .local)
            .makeReader(ReaderOptions(limits: .local))
        for _ in 0..<3 {
            let (found, expected) = (try reader.nextFrame(), try usual.nextFrame())
            #expect(found?.bitmap == expected?.bitmap && found?.timing == expected?.timing)
        }
    }

    @Test
    func `A program that ends before its first decoder was ready is no victim`() throws {
        let host = DecoderHost(IsolationPolicy(program: "/bin/true"))
        #expect(Hosts.outcome("stat /", by: host)?.code == .environment)
    }

    /// Waits until a run of the command has written a file to a folder; nil where it ended before.
    private static func decoder(
        of program: WatchedProgram, _ run: pid_t, writingTo folder: String
    ) -> WatchedProcess? {
        var status: CInt = 0
        while waitpid(run, &status, WNOHANG) == 0 {
            if !Tool.names(in: folder).isEmpty { return program.newest }
            usleep(1000)
        }
        return nil
    }

    @Test(arguments: Victim.allCases)
    func `A killed decoder has the exit code of temporary errors`(_ victim: Victim) throws {
        let scratch = Scratch()
        let program = WatchedProgram()
        let run = Tool.start(
            [
                "play", Media.path("clip.mp4"), "--frames", scratch.path("out"), "--fps", "1000",
                "--isolate", "always",
            ], errors: scratch.path("errors"),
            environment: ["LAZYIMG_DECODER=\(program.path)"])
        let decoder = try #require(
            Self.decoder(of: program, run, writingTo: scratch.path("out")))
        #expect(decoder.field("Seccomp:") == "2")
        kill(victim == .decoder ? decoder.id : try #require(program.process), SIGKILL)
        #expect(Tool.wait(for: run) == 75)
        #expect(scratch.text("errors").contains("was killed from outside"))
    }

    @Test func `A batch tries again what fell with the program that decodes`() throws {
        let scratch = Scratch()
        let program = WatchedProgram()
        let inputs = (0..<4).map { number in
            scratch.write(Tool.bytes(Media.path("clip.mp4")), "\(number).mp4")
        }
        let run = Tool.start(
            ["batch", "convert", "-f", "gif", "-W", "64", "--no-journal", "--jobs", "2"]
                + ["--isolate", "always", "-o", scratch.path("out/")] + inputs,
            errors: scratch.path("errors"),
            environment: ["LAZYIMG_DECODER=\(program.path)"])
        _ = try #require(Self.decoder(of: program, run, writingTo: scratch.path("out")))
        let first = try #require(program.process)
        kill(first, SIGKILL)
        #expect(Tool.wait(for: run) == 0, "\(scratch.text("errors"))")
        #expect(program.process != first)
        #expect(scratch.names("out").count == inputs.count)
    }
}
