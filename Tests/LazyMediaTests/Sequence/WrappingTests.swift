import LazyMedia
import Support
import Testing

@Suite struct WrappingTests {
    @Test func `a sequence at another size keeps its timing`() async throws {
        let media = ScriptedMedia(count: 4, size: PixelSize(width: 40, height: 20))
        let small = FrameSequence(media).decoded(at: TargetSize(width: 10))
        #expect(small.info.size == PixelSize(width: 10, height: 5))
        #expect(try await small.poster().bitmap.size == small.info.size)
        let frame = try await small.frame(2)
        #expect(frame.bitmap.size == small.info.size)
        #expect(frame.timing == media.index.timings[2])
        #expect(try await small.frameIndex().count == 4)
        #expect(try await small.detailedInfo().frameCount == 4)
        // A requested size refers to the new one.
        let smaller = try await small.frame(3, size: TargetSize(height: 2))
        #expect(smaller.bitmap.size == PixelSize(width: 4, height: 2))
    }

    @Test func `the sequence's own size changes nothing`() {
        let media = ScriptedMedia(count: 1, size: PixelSize(width: 40, height: 20))
        let same = FrameSequence(media).decoded(at: TargetSize(width: 90, fit: .scaleDown))
        #expect(same.info.size == PixelSize(width: 40, height: 20))
    }

    @Test func `a wrapped sequence keeps limits and rules`() throws {
        let limits = DecodingLimits(pixelsPerFrame: 10)
        let media = ScriptedMedia(count: 1, size: PixelSize(width: 2, height: 2))
        let wrapped = FrameSequence(media, limits: limits, delayRule: .raw).wrapped { $0 }
        #expect(wrapped.limits == limits)
        #expect(wrapped.delayRule == .raw)
    }

    @Test func `a still is shared, scaled and bounded`() async throws {
        let size = PixelSize(width: 6, height: 4)
        let picture = try Bitmap(size: size, isOpaque: false) { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 90)
        }
        let still = FrameSequence(still: picture, type: .png)
        #expect(still.info.hasAlpha)
        #expect(still.info.loop.plays == 1)
        var frames = 0
        for try await frame in still.frames(looping: .times(2)) {
            #expect(frame.bitmap == picture)
            frames += 1
        }
        #expect(frames == 2)
        let reader = try still.makeReader(
            ReaderOptions(
                size: PixelSize(width: 100, height: 100), limits: .init(pixelsPerFrame: 99)))
        let error = #expect(throws: MediaError.self) { try reader.nextFrame() }
        #expect(error?.code == .limitExceeded)
    }
}
