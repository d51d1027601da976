import LazyCodecs
import LazyMedia
import LazyVideo
import Testing

@testable import LazyRenditions

@Suite struct ConversionPlanTests {
    private static let encoders =
        FormatRegistry([.gif, .png, .jpeg, .webp, .apng, .avif] + MediaFormat.video).encoders

    private static func timings(_ delays: [MediaTime]) -> [FrameTiming] {
        delays.enumerated().map { index, delay in
            FrameTiming(index: index, presentation: .zero, duration: delay, isKeyframe: true)
        }
    }

    private static func milliseconds(_ delays: [Int64]) -> [FrameTiming] {
        timings(delays.map { MediaTime(microseconds: $0 * 1000) })
    }

    @Test(
        arguments: [
            ([100, 100], MediaType.gif, 0, 0), ([100, 105], .gif, 1, 0),
            ([40, 10, 20], .gif, 0, 0),
            ([33, 33], .gif, 2, 0), ([33, 33], .webpAnimation, 0, 0),
            ([5, 20], .webpAnimation, 0, 1),
            ([33, 5], .mp4, 0, 0), ([33, 5], .webm, 0, 0), ([33, 5], .apng, 0, 1),
            ([5], .gif, 1, 0),
        ] as [([Int64], MediaType, Int, Int)])
    func `what a format cannot say of delays is counted`(
        delays: [Int64], type: MediaType, rounded: Int, tooShort: Int
    ) throws {
        let loss = TimingLoss(
            Self.milliseconds(delays), in: try #require(Self.encoders.traits(for: type)))
        #expect(loss.rounded == rounded)
        #expect(loss.tooShort == tooShort)
    }

    @Test(arguments: [
        (MediaType.gif, 12, 60, 2), (.gif, 24, 2500, 23), (.gif, 1, 2500, 0), (.gif, 9, 50, 0),
        (.webpAnimation, 24, 2500, 0), (.apng, 24, 2500, 0), (.mp4, 12, 60, 0),
    ])
    func `frames that a format leaves out are counted`(
        type: MediaType, count: Int, rate: Int64, omitted: Int
    ) throws {
        let timings = Self.timings(
            Array(repeating: MediaTime(ticks: 1, base: Rational(1, rate)), count: count))
        let loss = TimingLoss(timings, in: try #require(Self.encoders.traits(for: type)))
        #expect(loss.omitted == omitted)
        #expect(loss.tooShort == 0 || type != .gif)
    }

    @Test func `thirds of a second are exact in none but fractions`() throws {
        let thirds = Self.timings(
            Array(repeating: MediaTime(ticks: 1001, base: Rational(1, 30000)), count: 3))
        for (type, rounded) in [(MediaType.gif, 3), (.webpAnimation, 3), (.mp4, 0), (.apng, 0)] {
            #expect(
                TimingLoss(thirds, in: try #require(Self.encoders.traits(for: type))).rounded
                    == rounded)
        }
    }

    @Test(
        arguments: [
            ([33, 33], .gif, 1), ([41, 42, 42], .gif, 1), ([12, 12], .gif, 1), ([40, 50], .gif, 0),
            ([5, 5], .gif, 1), ([33, 42], .webpAnimation, 0),
        ] as [([Int64], MediaType, Int)])
    func `delays are told of that change by 5 ms or more`(
        delays: [Int64], type: MediaType, visibly: Int
    ) throws {
        let loss = TimingLoss(
            Self.milliseconds(delays), in: try #require(Self.encoders.traits(for: type)))
        #expect(loss.visiblyRounded == visibly)
        let codes = try plan(from: .mp4, to: type, delays: delays.map { max(20, $0) }).warnings
        #expect(codes.isEmpty || type == .gif)
    }

    private func plan(
        from source: MediaType, to type: MediaType, delays: [Int64] = [100, 100],
        loop: LoopCount = .gif(0), sample: ContentSample? = nil,
        change: (inout ConversionWork) -> Void = { _ in }
    ) throws -> ConversionPlan {
        var conversion = ConversionWork(to: type)
        change(&conversion)
        let info = MediaInfo(
            type: source, codec: "x", size: PixelSize(width: 64, height: 48), loop: loop)
        return try ConversionPlan(
            conversion, Self.encoders,
            .init(info: info, timings: Self.milliseconds(delays), sample: sample))
    }

    private func sample(
        isFlat: Bool, isDithered: Bool = false, alpha: UInt8 = 255
    ) throws -> ContentSample {
        var sample = ContentSample()
        sample.add(
            try Bitmap(size: PixelSize(width: 64, height: 64), isOpaque: false) { bytes in
                let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
                for place in pixels.indices {
                    let (x, y) = (place % 64, place / 64)
                    let value =
                        isFlat ? (x < 32 ? 0 : 200) : x + y + (isDithered ? (x ^ y) & 1 * 24 : 0)
                    pixels[place] = SIMD4(UInt8(value), 0, 0, x == 5 ? alpha : 255)
                }
            })
        return sample
    }

    @Test func `flat art is kept exactly, photographs are not`() throws {
        let (flat, photo) = (try sample(isFlat: true), try sample(isFlat: false))
        for type in [MediaType.webpAnimation, .avifSequence] {
            let isExact = type == .webpAnimation
            #expect(try plan(from: .gif, to: type, sample: flat).options.lossless == isExact)
            #expect(try plan(from: .gif, to: type, sample: photo).options.lossless == false)
            #expect(try plan(from: .mp4, to: type).options.lossless == false)
            let asked = try plan(from: .gif, to: type, sample: flat) { $0.options.lossless = false }
            #expect(asked.options.lossless == false)
            let graded = try plan(from: .gif, to: type, sample: flat) { $0.options.quality = 50 }
            #expect(graded.options.lossless == false)
        }
        #expect(try plan(from: .gif, to: .mp4, sample: flat).options.lossless == nil)
        // What browsers show in wrong colors is made only where it is asked for, and not in silence.
        #expect(try plan(from: .gif, to: .avifSequence, sample: flat).options.quality == 90)
        let asked = try plan(from: .gif, to: .avifSequence) { $0.options.lossless = true }
        #expect(asked.warnings.map(\.code) == [.colorsMisread])
    }

    @Test(arguments: [
        (MediaType.gif, MediaType.mp4, false, Rendition.Conversion.Undithering.auto, true),
        (.gif, .webm, false, .auto, true), (.gif, .webpAnimation, false, .auto, true),
        (.gif, .webpAnimation, true, .auto, false), (.gif, .mp4, true, .auto, false),
        (.gif, .apng, false, .auto, false), (.apng, .mp4, false, .auto, false),
        (.gif, .mp4, false, .never, false), (.gif, .apng, true, .always, true),
    ])
    func `dithering is taken out where a lossy codec would pay for it`(
        source: MediaType, type: MediaType, isFlat: Bool, wish: Rendition.Conversion.Undithering,
        expected: Bool
    ) throws {
        let dithered = try sample(isFlat: isFlat, isDithered: true)
        let plan = try plan(from: source, to: type, sample: dithered) {
            $0.conversion.undithering = wish
        }
        #expect((plan.undithering > 0) == expected)
        if source == .gif, wish == .auto {
            let clean = try self.plan(from: source, to: type, sample: sample(isFlat: isFlat))
            #expect(clean.undithering == 0)
            #expect(!clean.choices.contains { $0.subject == "undither" && $0.decision == "yes" })
        }
    }

    @Test func `one frame that an edit leaves is no still without a word`() throws {
        func converted(_ type: MediaType, count: Int) throws -> ConversionPlan {
            let info = MediaInfo(type: .gif, codec: "x", size: PixelSize(width: 8, height: 8))
            return try ConversionPlan(
                ConversionWork(to: type), Self.encoders,
                .init(info: info, timings: Self.milliseconds([100]), sourceCount: count))
        }
        for type in [MediaType.webpAnimation, .avifSequence, .apng, .gif, .png, .jpeg] {
            let error = #expect(throws: MediaError.self) { try converted(type, count: 9) }
            #expect(error?.code == .isAnimation)
            #expect(throws: Never.self) { try converted(type, count: 1) }
        }
        #expect(throws: Never.self) { try converted(.mp4, count: 9) }
    }

    @Test(arguments: [
        (MediaType.webp, 2, MediaType.webpAnimation), (.webpAnimation, 1, .webp),
        (.avifSequence, 1, .avif), (.avif, 3, .avifSequence), (.apng, 1, .png), (.gif, 1, .gif),
        (.png, 1, .png), (.jpeg, 1, .jpeg), (.mp4, 2, .mp4),
    ])
    func `one frame is a still, more are an animation`(
        asked: MediaType, count: Int, type: MediaType
    ) throws {
        let delays = [Int64](repeating: 100, count: count)
        #expect(try plan(from: .gif, to: asked, delays: delays).type == type)
    }

    @Test(arguments: [MediaType.png, .jpeg])
    func `an animation becomes a still only on demand`(type: MediaType) throws {
        let error = #expect(throws: MediaError.self) { try plan(from: .gif, to: type) }
        #expect(error?.code == .isAnimation)
        #expect(error?.message.contains("2 frames") == true)
        #expect(try plan(from: .gif, to: type) { $0.conversion.isStill = true }.type == type)
    }

    @Test func `frames that are left out do not make a still of an animation`() throws {
        let error = #expect(throws: MediaError.self) {
            try plan(from: .mp4, to: .gif, delays: Array(repeating: 1, count: 24))
        }
        #expect(error?.code == .isAnimation)
        #expect(
            error?.message
                == "One frame is left of this animation of 24, and GIF would be a still.")
        let still = try plan(from: .mp4, to: .gif, delays: [1, 1]) { $0.conversion.isStill = true }
        #expect(still.frameCount == 1)
    }

    @Test func `a still has no length to be video`() throws {
        let error = #expect(throws: MediaError.self) {
            try plan(from: .png, to: .mp4, delays: [0])
        }
        #expect(error?.code == .notWritable)
    }

    @Test func `what is lost is told`() throws {
        func codes(_ plan: ConversionPlan) -> [MediaWarning.Code] { plan.warnings.map(\.code) }
        #expect(codes(try plan(from: .gif, to: .mp4, loop: .gif(2))) == [.loopLost])
        #expect(codes(try plan(from: .gif, to: .mp4)) == [])
        #expect(codes(try plan(from: .gif, to: .webpAnimation, loop: .gif(2))) == [])
        let clear = try sample(isFlat: true, alpha: 0)
        let soft = try sample(isFlat: true, alpha: 99)
        #expect(codes(try plan(from: .gif, to: .mp4, sample: clear)) == [.alphaLost])
        #expect(codes(try plan(from: .apng, to: .gif, sample: clear)) == [])
        #expect(codes(try plan(from: .apng, to: .gif, sample: soft)) == [.alphaLost])
        #expect(codes(try plan(from: .gif, to: .webm, sample: soft)) == [])
        #expect(codes(try plan(from: .mp4, to: .gif, delays: [33, 33])) == [.delaysRounded])
        #expect(codes(try plan(from: .mp4, to: .gif, delays: [16, 16])) == [])
        let fast = try plan(from: .mp4, to: .gif, delays: Array(repeating: 16, count: 10))
        #expect(codes(fast) == [.delaysTooShort] && fast.frameCount == 8)
        #expect(
            fast.warnings.first?.message
                == "2 of 10 frames are left out: a frame of GIF lasts at least 20 ms, as players slow down shorter ones."
        )
    }

    @Test(arguments: [(MediaType.gif, 65_536), (.webpAnimation, 65_535)])
    func `more plays than a format has are refused, or those of the source reduced`(
        type: MediaType, most: Int
    ) throws {
        let many = LoopCount.plays(70_000)
        let reduced = try plan(from: .apng, to: type, loop: many)
        #expect(reduced.loop.plays == most)
        #expect(reduced.warnings.map(\.code) == [.loopLost])
        let error = #expect(throws: MediaError.self) {
            try plan(from: .apng, to: type) { $0.conversion.looping = .times(most + 1) }
        }
        #expect(error?.code == .notWritable)
        #expect(
            error?.message
                == "\(type.title) cannot play \(most + 1) times, \(most) is the most.")
        let full = try plan(from: .apng, to: type) { $0.conversion.looping = .times(most) }
        #expect(full.loop.plays == most && full.warnings.isEmpty)
        #expect(try plan(from: .gif, to: .apng, loop: many).loop == many)
    }

    @Test func `frames larger than the format are refused`() throws {
        let info = MediaInfo(
            type: .gif, codec: "gif", size: PixelSize(width: 17_000, height: 4), loop: .gif(0))
        let facts = ConversionPlan.Facts(
            info: info, timings: Self.milliseconds([10, 10]), sample: nil)
        let conversion = ConversionWork(to: .webpAnimation)
        #expect(throws: MediaError.self) { try ConversionPlan(conversion, Self.encoders, facts) }
    }
}
