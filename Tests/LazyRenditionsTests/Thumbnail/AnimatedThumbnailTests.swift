import LazyBase
import LazyCodecs
import LazyEditing
import LazyMedia
import Support
import Testing

@testable import LazyRenditions

@Suite struct AnimatedThumbnailTests {
    private static let registry = FormatRegistry([.apng]).encoders

    private func clip(
        seconds: Double, rate: Int64, type: MediaType = .mp4
    ) -> FrameSequence {
        FrameSequence(
            PaintedMedia(seconds: seconds, rate: rate, type: type) { frame, x, y in
                SIMD4(
                    UInt8(truncatingIfNeeded: frame &* 40 &+ x), UInt8(truncatingIfNeeded: y), 0,
                    255)
            })
    }

    @Test(
        arguments: [(0.1, 30, nil), (3.0, 30, Rational(1, 10)), (0.12, 25, nil)]
            as [(Double, Int64, Rational?)])
    func `a clip shorter than two steps moves all the same`(
        seconds: Double, rate: Int64, frameRate: Rational?
    ) async throws {
        var thumbnail = Rendition.animation(as: .apng)
        if let frameRate { thumbnail.edit.frameRate = frameRate }
        let clip = clip(seconds: seconds, rate: rate)
        let (_, report) = try await thumbnail.data(of: clip, encoders: Self.registry)
        #expect(report.frameCount == 2)
        let whole = try await clip.frameIndex().duration
        #expect(abs((report.duration ?? .zero) / .seconds(1) - whole / .seconds(1)) < 0.000_01)
    }

    @Test func `what holds one picture stays one frame, and that is said`() async throws {
        let range = Duration.milliseconds(990)..<Duration.milliseconds(999)
        var thumbnail = Rendition.animation(as: .apng)
        thumbnail.edit.segments = [range]
        for (clip, made) in [
            (clip(seconds: 0.1, rate: 10), Rendition.animation(as: .apng)),
            (clip(seconds: 1, rate: 10), thumbnail),
        ] {
            let (_, report) = try await made.data(of: clip, encoders: Self.registry)
            #expect(report.frameCount == 1)
            #expect(report.warnings.map(\.code) == [.isStill])
        }
    }

    @Test func `the report says what was written`() async throws {
        let seen = Locked<[Double]>([])
        let (bytes, report) = try await Rendition.animation(as: .apng).data(
            of: clip(seconds: 2, rate: 20), encoders: Self.registry,
            progress: { share in seen.withLock { $0.append(share) } })
        #expect(report.frameCount == 20)
        #expect(report.duration == .seconds(2))
        #expect(report.byteCount == bytes.count)
        let shares = seen.withLock { $0 }
        #expect(shares == shares.sorted())
        #expect(shares.last == 1)
    }

    @Test(
        arguments: [
            (12 as Int64, 1.0, nil, 24), (19, 1, nil, 38), (20, 1, nil, 20), (30, 1, nil, 20),
            (12, 2, nil, 10), (12, 1, Rational(6, 1), 12), (30, 1, Rational(15, 1), 30),
        ] as [(Int64, Double, Rational?, Int)])
    func `few frames a second are all kept unless a rate is asked for`(
        rate: Int64, speed: Double, asked: Rational?, count: Int
    ) async throws {
        var thumbnail = Rendition.animation(as: .apng)
        thumbnail.edit.speed = speed
        thumbnail.edit.frameRate = asked
        let (_, report) = try await thumbnail.data(
            of: clip(seconds: 2, rate: rate, type: .gif), encoders: Self.registry)
        #expect(report.frameCount == count)
    }

    @Test(arguments: [(4, 4), (12, 12), (25, 25), (500, 30)])
    func `the best part has so many frames at most`(
        most: Int, count: Int
    ) async throws {
        var thumbnail = Rendition.animation(.init(seam: .none), as: .apng)
        thumbnail.edit.maxFrames = most
        let clip = clip(seconds: 9, rate: 30)
        let (_, report) = try await thumbnail.data(of: clip, encoders: Self.registry)
        #expect(report.frameCount == count)
        #expect(report.duration == .milliseconds(100 * count))
        // The segments are as long as the frames, and are chosen for that; a second can be judged.
        let length = (report.animation?.edit.segments ?? []).reduce(Duration.zero) {
            $0 + $1.upperBound - $1.lowerBound
        }
        #expect(abs((length - (report.duration ?? .zero)) / .seconds(1)) < 0.000_001)
        let chosen = (report.animation?.choice.segments ?? []).reduce(Duration.zero) {
            $0 + $1.upperBound - $1.lowerBound
        }
        #expect(
            chosen >= length - .microseconds(1)
                && chosen <= max(length, .seconds(1)) + .microseconds(1))
    }

    @Test func `a bounce comes back within the number of frames`() async throws {
        var thumbnail = Rendition.animation(.init(seam: .bounce), as: .apng)
        thumbnail.edit.maxFrames = 12
        let (_, report) = try await thumbnail.data(
            of: clip(seconds: 9, rate: 30), encoders: Self.registry)
        #expect(report.frameCount == 12)
        #expect(report.duration == .milliseconds(1200))
    }

    @Test(arguments: [(400, 400), (480, 480), (500, 320)])
    func `flat art of little more than the usual size keeps it`(
        width: Int, expected: Int
    ) async throws {
        let size = PixelSize(width: width, height: 40)
        for isFlat in [true, false] {
            let media = PaintedMedia(seconds: 1, size: size, type: .gif) { frame, x, y in
                let shade = UInt8(truncatingIfNeeded: x / 2 &+ y &* 3)
                let box = UInt8((x / 64 + frame) % 2 * 255)
                return isFlat ? SIMD4(box, 40, 40, 255) : SIMD4(shade, shade, 9, 255)
            }
            let (_, report) = try await Rendition.animation(as: .apng).data(
                of: FrameSequence(media), encoders: Self.registry)
            #expect(report.size.width == (isFlat ? expected : 320))
            var asked = Rendition.animation(as: .apng)
            asked.edit.size = TargetSize(width: 100)
            let small = try await asked.data(of: FrameSequence(media), encoders: Self.registry)
            #expect(small.report.size.width == 100)
        }
    }

    @Test func `what the format cannot carry is told, and only that`() async throws {
        let maker = ScriptedEncoding(type: .mp4, exponent: 1, surprise: 1)
        let registry = EncoderRegistry([maker.factory])
        func codes(
            _ media: PaintedMedia, _ looping: Looping
        ) async throws -> [MediaWarning.Code] {
            var thumbnail = Rendition.animation(as: .mp4)
            thumbnail.animation.looping = looping
            return try await thumbnail.data(of: FrameSequence(media), encoders: registry)
                .report.warnings.map(\.code)
        }
        func media(alpha: UInt8) -> PaintedMedia {
            var media = PaintedMedia(seconds: 1, type: .gif) { frame, x, _ in
                SIMD4(UInt8(frame), 9, 9, x < 8 ? alpha : 255)
            }
            media.info.hasAlpha = true
            return media
        }
        #expect(try await codes(media(alpha: 0), .forever) == [.alphaLost])
        #expect(try await codes(media(alpha: 255), .forever) == [])
        #expect(try await codes(media(alpha: 255), .times(3)) == [.loopLost])
    }

    @Test func `cancelling ends the work`() async throws {
        let clip = clip(seconds: 60, rate: 30)
        let task = Task {
            try await Rendition.animation(as: .apng).data(of: clip, encoders: Self.registry)
        }
        task.cancel()
        let result = await task.result
        #expect(throws: (any Error).self) { try result.get() }
    }
}
