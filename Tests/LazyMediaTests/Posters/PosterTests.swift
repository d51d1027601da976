import LazyBase
import LazyMedia
import Support
import Testing

@Suite struct PosterTests {
    private static let size = PixelSize(width: 64, height: 48)

    @Test func `the first frame is the default`() async throws {
        let poster = try await FrameSequence(ScriptedMedia(count: 9)).poster()
        #expect(poster.timing?.index == 0)
        #expect(poster.candidates.isEmpty)
    }

    @Test(
        arguments: [
            (.at(.milliseconds(350)), 3), (.at(.seconds(99)), 9), (.percent(0), 0),
            (.percent(25), 2),
            (.percent(100), 9), (.percent(1000), 9), (.index(4), 4), (.index(-1), 9),
            (.index(-10), 0),
        ] as [(PosterChoice, Int)])
    func `each choice gives its frame`(choice: PosterChoice, index: Int) async throws {
        let poster = try await FrameSequence(ScriptedMedia(count: 10)).poster(choice)
        #expect(poster.timing?.index == index)
    }

    @Test(arguments: [.index(10), .index(-11), .embedded] as [PosterChoice])
    func `missing frames and pictures are not found`(choice: PosterChoice) async {
        let error = await #expect(throws: MediaError.self) {
            try await FrameSequence(ScriptedMedia(count: 10)).poster(choice)
        }
        #expect(error?.code == .notFound)
    }

    @Test func `a sequence without frames has no poster`() async {
        let error = await #expect(throws: MediaError.self) {
            try await FrameSequence(ScriptedMedia(count: 0)).poster()
        }
        #expect(error?.code == .notFound)
    }

    @Test func `the cover stands for a film without a frame, which is told`() async throws {
        let lost = MediaError(.truncated, "The file holds no frame of its video.")
        var media = ScriptedMedia(count: 9)
        media.fault = (0, lost)
        media.keyframes = [0]
        let error = await #expect(throws: MediaError.self) {
            try await FrameSequence(media).poster(.auto)
        }
        #expect(error?.message == lost.message)
        let cover = try Bitmap(size: Self.size, isOpaque: true) { pixels in
            _ = pixels.initializeMemory(as: UInt8.self, repeating: 200)
        }
        media.cover = cover
        let poster = try await FrameSequence(media).poster(.auto)
        #expect(poster.bitmap == cover && poster.timing == nil)
        #expect(poster.warnings == [lost.warning])
        await #expect(throws: MediaError.self) { try await FrameSequence(media).poster(.first) }
        media.fault = nil
        #expect(try await FrameSequence(media).poster(.auto).timing != nil)
    }

    @Test func `auto prefers colored frames to black, white and empty ones`() async throws {
        var media = ScriptedMedia(count: 40)
        media.colors = Array(repeating: SIMD4(0, 0, 0, 255), count: 40)
        media.colors[34] = SIMD4(90, 140, 70, 255)
        media.colors[38] = SIMD4(255, 255, 255, 255)
        media.colors[30] = SIMD4(90, 140, 70, 0)
        media.keyframes = [0, 30, 34, 38]
        let sequence = FrameSequence(media)
        let poster = try await sequence.poster(.auto)
        #expect(poster.timing?.index == 34)
        #expect(poster.candidates.count > 2)
        let again = try await sequence.poster(.auto)
        #expect(again.candidates.map(\.score) == poster.candidates.map(\.score))
    }

    @Test func `auto stops at the first round that holds a good frame`() async throws {
        let media = ScriptedMedia(count: 100, size: Self.size)
        let poster = try await FrameSequence(media).poster(.auto)
        #expect(poster.candidates.count > 1, "flat frames are never good, so all rounds run")
    }

    @Test(arguments: [[0, 20], [0, 8, 9], [0]])
    func `auto decodes few frames, by one reader`(keys: [Int]) async throws {
        var media = ScriptedMedia(count: 100, size: Self.size)
        let decoded = Locked<[Int]>([])
        media.willDecode = { index in decoded.withLock { $0.append(index) } }
        media.keyframes = Set(keys)
        media.isStriped = true
        let poster = try await FrameSequence(media).poster(.auto)
        let first = try #require(poster.candidates.first)
        #expect(poster.candidates.count == 1, "a frame that is clearly good ends the search")
        #expect(poster.timing?.index == first.timing.index)
        // This reader keeps nothing: the poster is decoded once more.
        #expect(decoded.withLock { $0 } == [first.timing.index, first.timing.index])
        #expect(media.log.made == 2)
    }

    @Test func `auto takes the frame at a tenth where the keyframe before it is plain`()
        async throws
    {
        var media = ScriptedMedia(count: 100, size: Self.size)
        let decoded = Locked<[Int]>([])
        media.willDecode = { index in decoded.withLock { $0.append(index) } }
        media.isStriped = true
        media.keepsLast = true
        media.plain = [0]
        let poster = try await FrameSequence(media).poster(.auto)
        #expect(poster.timing?.index == 10)
        #expect(poster.candidates.map(\.timing.index) == [10])
        #expect(decoded.withLock { $0 } == [0, 10])
    }

    @Test func `the poster is made from the reader's kept frame`() async throws {
        var media = ScriptedMedia(count: 100, size: Self.size)
        let decoded = Locked<[Int]>([])
        media.willDecode = { index in decoded.withLock { $0.append(index) } }
        media.isStriped = true
        media.keepsLast = true
        let size = TargetSize(width: 32)
        let poster = try await FrameSequence(media).poster(.auto, size: size)
        #expect(poster.bitmap.size == PixelSize(width: 32, height: 24))
        #expect(decoded.withLock { $0 } == [0])
        #expect(media.log.made == 1)
    }

    @Test(arguments: [[0, 45, 62], [0], Array(0..<100)])
    func `within a part the best frame of it is taken`(keys: [Int]) async throws {
        var media = ScriptedMedia(count: 100, milliseconds: 100)
        media.colors = Array(repeating: SIMD4(90, 140, 70, 255), count: 100)
        for number in 50..<60 where number != 57 { media.colors[number] = SIMD4(0, 0, 0, 255) }
        media.keyframes = Set(keys)
        let range = Duration.seconds(5)..<Duration.seconds(6)
        let poster = try await FrameSequence(media).poster(.within(range))
        #expect(poster.timing?.index == 57)
        #expect(poster.candidates.allSatisfy { (50..<60).contains($0.timing.index) })
    }

    @Test(arguments: [
        Duration.seconds(1)..<Duration.seconds(2), .seconds(50) ..< .seconds(60),
    ]) func `after the end there is no part`(range: Range<Duration>) async {
        let error = await #expect(throws: MediaError.self) {
            try await FrameSequence(ScriptedMedia(count: 10, milliseconds: 100))
                .poster(.within(range))
        }
        #expect(error?.code == .notFound)
    }

    @Test func `a still is its own poster`() async throws {
        let poster = try await FrameSequence(ScriptedMedia(count: 1, milliseconds: 0)).poster(.auto)
        #expect(poster.timing?.index == 0)
        #expect(poster.candidates.count == 1)
    }

    @Test func `scores rank a picture above its fade, its blur and a flat color`() throws {
        let picture = try pattern { x, y in (x / 4 + y / 4) % 2 == 0 ? 40 : 220 }
        let faded = try pattern { x, y in (x / 4 + y / 4) % 2 == 0 ? 5 : 27 }
        let blurred = try pattern { x, _ in UInt8(90 + x) }
        let gray = try pattern { _, _ in 128 }
        let black = try pattern { _, _ in 0 }
        let totals = [picture, blurred, faded, black].map { PosterScore($0).total }
        #expect(totals == totals.sorted(by: >), "\(totals)")
        #expect(PosterScore(picture).isGood)
        #expect(!PosterScore(gray).isGood)
        #expect(!PosterScore(faded).isGood)
        #expect(PosterScore(gray).total > PosterScore(black).total)
    }

    @Test func `the score of a transparent picture is 0`() throws {
        let empty = try pattern(alpha: 0) { x, _ in UInt8(x * 4) }
        #expect(PosterScore(empty).total == 0)
        #expect(PosterScore(empty).coverage == 0)
    }

    private func pattern(
        alpha: UInt8 = 255, _ luma: (Int, Int) -> UInt8
    ) throws -> Bitmap {
        try Bitmap(size: Self.size, isOpaque: alpha == 255) { bytes in
            let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
            for y in 0..<Self.size.height {
                for x in 0..<Self.size.width {
                    let value = luma(x, y)
                    pixels[y * Self.size.width + x] = SIMD4(value, value, value, alpha)
                }
            }
        }
    }
}
