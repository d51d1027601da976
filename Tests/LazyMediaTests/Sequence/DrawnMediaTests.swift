import LazyMedia
import Testing

@Suite struct DrawnMediaTests {
    static func picture(_ gray: Int, side: Int = 4) throws(MediaError) -> Bitmap {
        try Bitmap(size: PixelSize(width: side, height: side), isOpaque: true) { rows in
            for place in rows.indices { rows[place] = place % 4 == 3 ? 255 : UInt8(gray) }
        }
    }

    static let media = DrawnMedia(
        size: PixelSize(width: 4, height: 4),
        durations: [40, 60, 0, 100].map { .milliseconds($0) }, hasAlpha: false
    ) { (index) throws(MediaError) in try picture(index * 10) }

    @Test func `frames are drawn on request, with their timing`() async throws {
        let sequence = FrameSequence(Self.media)
        var seen: [(Int, Duration, UInt8)] = []
        for try await frame in sequence.frames() {
            seen.append((frame.index, frame.presentationTime, frame.bitmap[0, 0].x))
        }
        #expect(seen.map(\.0) == [0, 1, 2, 3])
        #expect(seen.map(\.1) == [0, 40, 100, 100].map { .milliseconds($0) })
        #expect(seen.map(\.2) == [0, 10, 20, 30])
        #expect(sequence.info.duration == .milliseconds(200))
        #expect(sequence.info.loop.plays == nil)
    }

    @Test(arguments: [3, 0, 2, 1]) func `seeking is exact`(index: Int) async throws {
        let frame = try await FrameSequence(Self.media).frame(index)
        #expect(frame.bitmap[0, 0].x == UInt8(index * 10))
        #expect(frame.index == index)
    }

    @Test func `pictures make a sequence at the size of the first`() async throws {
        let frames = [
            (picture: try Self.picture(7), duration: Duration.seconds(1)),
            (picture: try Self.picture(9, side: 8), duration: .seconds(2)),
        ]
        let sequence = FrameSequence(frames: frames, loop: .plays(3))
        #expect(sequence.info.loop.plays == 3)
        #expect(!sequence.info.hasAlpha)
        let last = try await sequence.frame(1)
        #expect(last.bitmap.size == PixelSize(width: 4, height: 4))
        #expect(last.bitmap[2, 2] == SIMD4(9, 9, 9, 255))
    }

    @Test func `the reader throws the error of drawing`() async {
        let media = DrawnMedia(size: PixelSize(width: 4, height: 4), durations: [.seconds(1)]) {
            (_) throws(MediaError) in throw MediaError(.malformed, "No such picture.")
        }
        await #expect(throws: MediaError.self) { try await FrameSequence(media).frame(0) }
    }

    @Test func `only the pixels are changed`() throws {
        let picture = try Self.picture(100)
        let darker = try picture.mapPixels { SIMD4($0.x / 2, $0.y, $0.z, $0.w) }
        #expect(darker[3, 3] == SIMD4(50, 100, 100, 255))
        #expect(darker.isOpaque && picture[3, 3].x == 100)
        #expect(try !picture.mapPixels(isOpaque: false) { _ in SIMD4() }.isOpaque)
    }
}
