import Glibc
import LazyIsolation
import LazyKit
import LazyMedia
import Support
import Testing
import ToolSupport

/// Decoders that end by no fault of their media.
@Suite(.enabled(if: !Sanitizer.isLinked))
struct KilledDecoderTests {
    enum Victim: CaseIterable { case decoder, program }

    @Test(arguments: Victim.allCases)
    func `A killed decoder is told as such, and its reader goes on in another one`(
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

    /// A function of a shell that prints the newest process that another one has forked behind a wall.
    private static let newest = """
        newest() {
            child=$1
            while next=$(cat /proc/$child/task/*/children 2>/dev/null) && [ -n "$next" ]; do
                next=${next% } child=${next##* }
            done
            grep -qs '^Seccomp:.*2' /proc/$child/status && echo $child
        }
        """

    /// A decoder that never answers, and is killed when it has begun.
    @Test
    func `A killed decoder has the exit code of temporary errors`() {
        let scratch = Scratch()
        let path = scratch.write(Array("GIF89aHOSTILE silent".utf8), "silent.gif")
        let program = scratch.program(
            """
            #!/bin/bash
            echo $$ >'\(scratch.path("process"))'
            exec -a lazyimg-decoder '\(Hosts.folder)/HostileDecoder' "$@"

            """, "hostile")
        let outcome = Tool.shell(
            """
            \(Self.newest)
            LAZYIMG_DECODER='\(program)' "$lazyimg" info --json --isolate always '\(path)' &
            while [ ! -s '\(scratch.path("process"))' ]; do sleep 0.01; done
            process=$(cat '\(scratch.path("process"))')
            while [ -z "$decoder" ]; do sleep 0.01; decoder=$(newest $process); done
            sleep 0.2
            kill -KILL $decoder
            wait $!
            """)
        #expect(outcome.status == 75, "\(outcome.errors)")
        #expect((outcome.text + outcome.errors).contains("\"decoderKilled\""), "\(outcome.text)")
    }

    @Test
    func `A batch tries again what fell with the program that decodes`() {
        let scratch = Scratch()
        // The first of these programs is killed when it has decoders.
        let program = scratch.program(
            """
            #!/bin/bash
            \(Self.newest)
            if mkdir '\(scratch.path("first"))' 2>/dev/null; then
                program=$$
                (
                    while [ -z "$(newest $program)" ]; do sleep 0.01; done
                    sleep 0.2
                    kill -KILL $program
                    touch '\(scratch.path("killed"))'
                ) >/dev/null 2>&1 3>&- &
            fi
            exec -a lazyimg-decoder '\(Hosts.folder)/lazyimg-decoder' "$@"

            """, "killed-once")
        let inputs = (0..<4).map { number in
            scratch.write(Tool.bytes(Media.path("small.mp4")), "\(number).mp4")
        }
        let outcome = Tool.shell(
            """
            LAZYIMG_DECODER='\(program)' "$lazyimg" batch convert -f gif -W 16 --no-journal \
            --jobs 2 -o '\(scratch.path("out"))/' '\(inputs.joined(separator: "' '"))'
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(scratch.names("out").count == inputs.count)
        #expect(scratch.names("").contains("killed"))
    }
}
