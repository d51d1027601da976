import LazyIsolation
import LazyKit
import LazyMedia
import Support
import Testing

/// Files of one list, which become one clip.
@Suite(.ownThreads, .enabled(if: !Sanitizer.isLinked))
struct PartsOfOneListTests {
    @Test func `they follow each other in one process of their type`() throws {
        let program = WatchedProgram()
        let host = DecoderHost(IsolationPolicy(program: program.path))
        var registry: DecoderRegistry? = .standard.isolated(by: host.forPartsOfOneList())
        func open(_ name: String) throws -> any OpenedMedia {
            try #require(registry).open(FileBytes(path: Media.path(name)), limits: .local)
        }
        /// The process that decodes a file, whose picture must be the usual one.
        func decoder(of name: String) throws -> Int32 {
            let usual = try DecoderRegistry.standard.open(
                FileBytes(path: Media.path(name)), limits: .local)
            let expected = try usual.makeReader(ReaderOptions(limits: .local)).nextFrame()
            let media = try open(name)
            #expect(try media.frameIndex(CancellationFlag()).count == 1)
            let found = try media.makeReader(ReaderOptions(limits: .local)).nextFrame()
            #expect(found?.bitmap == expected?.bitmap && found?.timing == expected?.timing)
            return try #require(program.newest?.id)
        }
        let first = try decoder(of: "still-rgb8.png")
        #expect(try decoder(of: "still-palette.png") == first)
        #expect(try decoder(of: "still-rgb16.png") == first)
        // Each type has libraries of its own.
        let other = try decoder(of: "still.jpg")
        #expect(other != first)
        #expect(try decoder(of: "still-progressive.jpg") == other)
        #expect(host.liveDecoders == 2)
        // Media that is in use keeps its process.
        do {
            let kept = try open("still-grey8.png")
            let second = try decoder(of: "still-rgb8.png")
            #expect(second != first && second != other && host.liveDecoders == 3)
            withExtendedLifetime(kept) {}
        }
        registry = nil
        #expect(host.liveDecoders == 0)
    }

    @Test func `media that are no parts of a list have processes of their own`() throws {
        let program = WatchedProgram()
        let host = DecoderHost(IsolationPolicy(program: program.path))
        let registry = DecoderRegistry.standard.isolated(by: host)
        let processes = try (0..<3).map { _ in
            let media = try registry.open(FileBytes(path: Media.path("still.jpg")), limits: .local)
            defer { withExtendedLifetime(media) {} }
            return try #require(program.newest?.id)
        }
        #expect(Set(processes).count == 3)
    }

    @Test func `after one that crashes the decoder the next has another`() throws {
        let host = Hosts.hostile().forPartsOfOneList()
        #expect(Hosts.outcome("frames usual", by: host) == nil)
        #expect(Hosts.outcome("crash", by: host)?.code == .decoderCrashed)
        #expect(Hosts.outcome("frames usual", by: host) == nil)
    }
}
