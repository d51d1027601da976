import LazyBase
import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// A gradient over which a disc of noise walks.
private func film(_ count: Int, _ width: Int = 96, _ height: Int = 64) throws -> [Bitmap] {
    try (0..<count).map { index in
        try Bitmap.drawn(width, height) { x, y in
            let (dx, dy) = (x - 20 - 3 * index, y - 30)
            let noise = UInt8(truncatingIfNeeded: (x &* 7919 ^ y &* 104729) >> 3) % 64
            return dx * dx + dy * dy < 150
                ? SIMD4(200, 40 + noise, 60, 255)
                : SIMD4(UInt8(x * 2), UInt8(y * 3), UInt8(100 + (x * y) % 32), 255)
        }
    }
}

/// Random rectangles on a transparent or an opaque ground.
private func scribbles(_ count: Int, seed: UInt64, isOpaque: Bool) throws -> [Bitmap] {
    var random = SplitMix(seed)
    var pixels = [SIMD4<UInt8>](
        repeating: isOpaque ? [10, 20, 30, 255] : .zero, count: 37 * 29)
    return try (0..<count).map { _ in
        let (x, y) = (
            Int.random(in: 0..<37, using: &random), Int.random(in: 0..<29, using: &random)
        )
        let color = SIMD4<UInt8>(
            .random(in: 0...255, using: &random), .random(in: 0...255, using: &random), 7,
            isOpaque ? 255 : [0, 90, 255].randomElement(using: &random) ?? 0)
        for row in y..<min(29, y + Int.random(in: 0..<12, using: &random)) {
            for column in x..<min(37, x + 9) { pixels[row * 37 + column] = color }
        }
        return try Bitmap.drawn(37, 29, isOpaque: isOpaque) { pixels[$1 * 37 + $0] }
    }
}

@Suite struct `WebP encoder` {
    @Test(arguments: [true, false], 0..<6)
    func `lossless frames are reproduced exactly`(isOpaque: Bool, seed: Int) async throws {
        let pictures = try scribbles(12, seed: UInt64(seed), isOpaque: isOpaque)
        let bytes = try await Slides(pictures).animated(.init(effort: seed, lossless: true))
        let sequence = try opened(bytes)
        var time = Duration.zero
        for picture in pictures {
            let frame = try await sequence.frame(at: time)
            #expect(frame.bitmap.visible == picture.visible)
            time += .milliseconds(40)
        }
        #expect(try await sequence.frameIndex().duration == time)
    }

    @Test(arguments: [true, false])
    func `lossy frames are similar to the source and do not drift`(hasPlanes: Bool) async throws {
        let pictures = try film(30)
        var slides = Slides(pictures)
        slides.hasPlanes = hasPlanes
        let bytes = try await slides.animated(.init(quality: 85, lossless: false))
        let frames = try await opened(bytes).all()
        #expect(frames.count == pictures.count)
        for (frame, picture) in zip(frames, pictures) {
            #expect(frame.bitmap.error(to: picture) < 90)
        }
        #expect(frames.allSatisfy { $0.bitmap.isOpaque })
        // Only the disc changes: most of each frame shows through.
        let still = try await Slides([pictures[0]]).animated(.init(quality: 85, lossless: false))
        #expect(bytes.count < still.count * 20)
    }

    @Test func `lossy frames with alpha keep their alpha`() async throws {
        let pictures = try (0..<5).map { index in
            try Bitmap.drawn(50, 40, isOpaque: false) { x, y in
                SIMD4(UInt8(x * 5), UInt8(y * 6), 90, x > 10 * index ? UInt8(x * 5) : 0)
            }
        }
        let bytes = try await Slides(pictures).animated(.init(quality: 90, lossless: false))
        let frames = try await opened(bytes).all()
        #expect(frames.count == 5)
        for (frame, picture) in zip(frames, pictures) {
            let (a, b) = (frame.bitmap.visible, picture.visible)
            #expect(a.map { $0 >> 24 } == b.map { $0 >> 24 })
        }
    }

    @Test(arguments: [true, false])
    func `what vanishes is cleared, and the rest left alone`(isLossless: Bool) async throws {
        // A sprite jumps between the corners of a transparent canvas.
        let pictures = try (0..<6).map { index in
            try Bitmap.drawn(120, 90, isOpaque: false) { x, y in
                let (dx, dy) = (x - (index % 2) * 100, y - (index / 2) * 30)
                return (0..<16).contains(dx) && (0..<16).contains(dy)
                    ? [UInt8(dx * 16), 200, 30, dx > 3 ? 255 : 120] : .zero
            }
        }
        let bytes = try await Slides(pictures).animated(
            .init(quality: 100, lossless: isLossless))
        let images = try #require(try WebPFile(MemoryBytes(bytes), limits: .web)).images
        #expect(images.dropFirst().allSatisfy { $0.header.rect.width <= 18 })
        #expect(images.dropLast().allSatisfy { $0.header.clears })
        let frames = try await opened(bytes).all()
        for (frame, picture) in zip(frames, pictures) where isLossless {
            #expect(frame.bitmap.visible == picture.visible)
        }
        #expect(
            frames.map { $0.bitmap.visible.count { $0 != 0 } } == Array(repeating: 256, count: 6))
    }

    @Test func `a cleared frame shown for hours is cleared at its end`() async throws {
        let pictures = try (0..<3).map { index in
            try Bitmap.drawn(64, 20, isOpaque: false) { x, _ in
                x / 20 == index ? [200, 0, 0, 255] : .zero
            }
        }
        var slides = Slides(pictures)
        slides.durations = [40, 17_000_000, 40].map {
            MediaTime(ticks: $0, base: Rational(1, 1000))
        }
        let sequence = try opened(
            await slides.animated(.init(lossless: true)), limits: .local)
        let shown = try await sequence.all().map(\.bitmap.visible)
        #expect(shown == [0, 1, 1, 2].map { pictures[$0].visible })
    }

    @Test func `equal frames lengthen the previous one`() async throws {
        let pictures = try film(3)
        let bytes = try await Slides(
            [0, 0, 1, 1, 1, 2].map { pictures[$0] }, milliseconds: 50
        ).animated(.init(lossless: true))
        let timings = try await opened(bytes).frameIndex().timings
        #expect(timings.map(\.duration.microseconds) == [100_000, 150_000, 50_000])
    }

    @Test(arguments: [
        ([33, 33, 34], Rational(1, 1000), [33, 33, 34]),
        ([1, 1, 1, 1, 1, 1], Rational(1, 60), [17, 16, 17, 17, 16, 17]),
        ([1, 1, 1], Rational(1, 12), [83, 84, 83]),
        ([1001, 1001, 1001], Rational(1, 30000), [33, 34, 33]),
        ([10_400, 10_400, 10_400], Rational(1, 1_000_000), [11, 11, 11]),
        ([10, 4, 0], Rational(1, 1000), [10, 4, 0]),
        ([1000, 1, 1000], Rational(1, 100), [10_000, 10, 10_000]),
    ])
    func `durations are whole milliseconds with diffused rounding errors`(
        ticks: [Int64], base: Rational, expected: [Int]
    ) async throws {
        var slides = Slides(try film(ticks.count))
        slides.durations = ticks.map { MediaTime(ticks: $0, base: base) }
        let bytes = try await slides.animated(.init(lossless: true))
        let timings = try await opened(bytes, .raw).frameIndex().timings
        #expect(timings.map { Int($0.rawDuration.microseconds / 1000) } == expected)
    }

    @Test func `a duration beyond 24 bits is split`() async throws {
        var slides = Slides(try film(2))
        slides.durations = [40_000_000, 50].map { MediaTime(ticks: $0, base: Rational(1, 1000)) }
        let bytes = try await slides.animated()
        let sequence = try opened(bytes, limits: .local)
        #expect(try await sequence.frameIndex().duration == .milliseconds(40_000_050))
        #expect(try await sequence.frameIndex().count == 4)
        let frames = try await sequence.all()
        #expect(frames[0].bitmap == frames[2].bitmap)
    }

    @Test(arguments: [nil, 1, 2, 65_535, 70_000])
    func `the number of plays is written`(plays: Int?) async throws {
        var slides = Slides(try film(2))
        slides.info.loop = LoopCount(raw: nil, plays: plays)
        let loop = try opened(await slides.animated()).info.loop
        #expect(loop.plays == plays.map { min($0, 65_535) })
    }

    @Test func `one frame becomes a still picture`() async throws {
        let pictures = try film(1)
        let bytes = try await Slides(pictures).animated(.init(lossless: true))
        let sequence = try opened(bytes)
        #expect(sequence.info.type == .webp)
        #expect(try await sequence.all()[0].bitmap == pictures[0])
    }

    @Test(arguments: [true, false]) func `equal frames remain an animation`(
        lossless: Bool
    ) async throws {
        let picture = try film(1)[0]
        var slides = Slides([picture, picture, picture], milliseconds: 500)
        slides.info.loop = LoopCount(raw: nil, plays: 3)
        let made = try opened(await slides.animated(.init(lossless: lossless)))
        #expect(made.info.type == .webpAnimation)
        #expect(made.info.loop.plays == 3)
        #expect(try await made.frameIndex().duration == .milliseconds(1500))
    }

    @Test func `flat art is lossless and film is lossy, unless told otherwise`() async throws {
        let flat = try (0..<4).map { index in
            try Bitmap.drawn(80, 60) { x, y in
                x / 20 == index ? [255, 0, 0, 255] : [250, 250, 240, 255]
            }
        }
        let drawn = try await opened(Slides(flat).animated()).all()
        #expect(zip(drawn, flat).allSatisfy { $0.bitmap == $1 })
        #expect(try opened(await Slides(flat).animated()).info.streams[0].codec == "vp8l")
        #expect(try opened(await Slides(film(4)).animated()).info.streams[0].codec == "vp8")
        let forced = try await Slides(flat).animated(.init(lossless: false))
        #expect(try opened(forced).info.streams[0].codec == "vp8")
    }

    @Test func `what the format cannot carry is refused in a sentence`() async throws {
        let wide = try Bitmap.drawn(16_384, 1) { _, _ in [1, 2, 3, 255] }
        for encoder in [AnimatedWebPEncoder(), WebPStillEncoder()] as [any MediaEncoding] {
            let error = await #expect(throws: MediaError.self) {
                try await Slides([wide]).encoded(encoder)
            }
            #expect(error?.code == .notWritable)
        }
        var mixed = try film(2)
        mixed[1] = try Bitmap.drawn(10, 10) { _, _ in [1, 2, 3, 255] }
        let slides = Slides(mixed)
        let error = await #expect(throws: MediaError.self) { try await slides.animated() }
        #expect(error?.code == .notWritable)
    }

    @Test(arguments: [false, true])
    func `a still picture is reproduced`(lossless: Bool) async throws {
        let picture = try film(1)[0]
        let encoder = WebPStillEncoder(.init(quality: 95, lossless: lossless))
        let frame = try await opened(Slides([picture]).encoded(encoder)).all()[0]
        #expect(frame.bitmap.error(to: picture) < (lossless ? 0.001 : 60))
        let two = try film(2)
        await #expect(throws: MediaError.self) { try await Slides(two).encoded(encoder) }
    }

    @Test func `a cancelled encoding ends and leaves nothing open`() async throws {
        let pictures = try film(200)
        let task = Task { try await Slides(pictures).animated(.init(effort: 10)) }
        task.cancel()
        let error = await #expect(throws: MediaError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }
}
