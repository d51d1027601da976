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
}
