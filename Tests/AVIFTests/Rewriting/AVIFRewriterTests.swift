import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite(.ownThreads) struct AVIFRewriterTests {
    private func rewritten(_ bytes: [UInt8], _ change: TimingChange) throws -> [UInt8] {
        var result: [UInt8] = []
        try AVIFRewriter().rewrite(MemoryBytes(bytes), change, limits: .web) { result += $0 }
        return result
    }

    @Test(arguments: [true, false]) func `every number of plays becomes every other`(
        isOpaque: Bool
    ) async throws {
        var movie = TestMovie(3)
        movie.isOpaque = isOpaque
        movie.info.hasAlpha = !isOpaque
        var bytes = try await movie.encoded(loop: .plays(1))
        let pixels = try Decoded.frames(Decoded.media(bytes)).map(\.bitmap)
        for plays in [nil, 2, 1, 7, nil, 1, 2] {
            bytes = try rewritten(
                bytes, TimingChange(plays: plays.map { .times($0) } ?? .forever))
            let media = try Decoded.media(bytes)
            #expect(media.info.loop.plays == plays)
            #expect(try Decoded.frames(media).map(\.bitmap) == pixels)
            #expect(media.info.duration == .milliseconds(120))
        }
    }

    @Test func `a file without an edit list gets one, and its offsets move`() async throws {
        var bytes = try await TestMovie(3).encoded(loop: .plays(2))
        let pixels = try Decoded.frames(Decoded.media(bytes)).map(\.bitmap)
        // The list is hidden, and then the file is as libavif 0.11 writes it.
        let list = try #require(Boxes.find("edts", in: bytes))
        bytes.replaceSubrange((list + 4)..<(list + 8), with: Array("free".utf8))
        #expect(try Decoded.media(bytes).info.loop == LoopCount(raw: nil, plays: nil))
        let looped = try rewritten(bytes, TimingChange(plays: .times(7)))
        #expect(looped.count > bytes.count)
        let media = try Decoded.media(looped)
        #expect(media.info.loop.plays == 7)
        #expect(try Decoded.frames(media).map(\.bitmap) == pixels)
        // The primary picture's place has moved, too.
        let still = try Decoded.media(looped, .avif)
        #expect(try still.makeReader(ReaderOptions()).nextFrame() != nil)
    }

    @Test(.needs("avifdec")) func `avifdec reads rewritten files`() async throws {
        let bytes = try await TestMovie(3).encoded(loop: .plays(2))
        let looped = try rewritten(bytes, TimingChange(plays: .times(7)))
        let scratch = Scratch()
        let path = scratch.write(looped, "a.avif")
        let output = Peer.output(
            of: "avifdec --index 2 \(path) \(scratch.path)/o.png 2>&1; echo $?")
        #expect(String(decoding: output, as: UTF8.self).hasSuffix("0\n"))
    }

    @Test func `delays change and the loop stays`() async throws {
        let bytes = try await TestMovie(3).encoded(loop: .plays(2))
        let slow = try Decoded.media(
            try rewritten(bytes, TimingChange(delays: .each(.milliseconds(333)))))
        #expect(slow.info.loop.plays == 2)
        #expect(slow.info.duration == .milliseconds(999))
        let fast = try Decoded.media(
            try rewritten(bytes, TimingChange(plays: .forever, delays: .speed(2.5))))
        #expect(fast.info.loop.plays == nil)
        #expect(
            try Decoded.frames(fast).map(\.duration)
                == Array(repeating: .milliseconds(16), count: 3))
    }

    @Test func `pictures and damaged files are refused with a sentence`() async throws {
        let still = try await TestMovie.encode(
            TestMovie(1), AVIFEncoder(isStill: true), loop: .still)
        let change = TimingChange(plays: .forever)
        let error = #expect(throws: MediaError.self) { try rewritten(still, change) }
        #expect(error?.code == .notWritable)
        let whole = try await TestMovie(2, 32, 24).encoded()
        for end in stride(from: 0, to: whole.count, by: 3) {
            _ = try? rewritten(Array(whole[..<end]), change)
        }
        for place in 0..<min(whole.count, 2500) {
            var bytes = whole
            bytes[place] ^= 0x81
            _ = try? rewritten(bytes, TimingChange(plays: .times(3), delays: .speed(2)))
        }
    }
}
