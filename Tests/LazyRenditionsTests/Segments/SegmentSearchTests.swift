import LazyEditing
import LazyMedia
import Support
import Testing

@testable import LazyRenditions

@Suite struct `Best segments` {
    private func choose(
        _ media: some OpenedMedia, wantsLoop: Bool = false, pieces: Int = 3
    ) async throws -> SegmentChoice {
        try await SegmentSearch(length: .seconds(3), pieces: pieces, wantsLoop: wantsLoop)
            .run(FrameSequence(media))
    }

    @Test func `black, fades and stills lose against what moves`() async throws {
        // 3 s black, 3 s fading in, 3 s still, 3 s moving, 2 s still.
        let media = PaintedMedia(seconds: 14) { frame, x, y in
            switch frame {
            case ..<60: return SIMD4(0, 0, 0, 255)
            case ..<120:
                return Paint.dimmed(Paint.block(x, y, at: 10, 10), Double(frame - 60) / 60)
            case ..<180: return Paint.block(x, y, at: 10, 10)
            case ..<240: return Paint.block(x, y, at: 10 + (frame - 180), 10)
            default: return Paint.block(x, y, at: 70, 10)
            }
        }
        let choice = try await choose(media)
        #expect(choice.reason == .best)
        #expect(choice.duration == .seconds(3))
        for piece in choice.segments {
            #expect(piece.lowerBound >= .milliseconds(8500))
            #expect(piece.lowerBound <= .milliseconds(11_500))
        }
    }

    @Test func `no piece goes over a cut`() async throws {
        // Shots of 1.9 s, each on a ground of its own.
        let media = PaintedMedia(seconds: 11.4, keyframes: 38) { frame, x, y in
            let shot = frame / 38
            let color = Paint.block(x, y, at: frame % 38, 8 * shot % 30, ground: shot * 17)
            return shot % 2 == 0 ? color : SIMD4(color.z, color.x, 255 - color.y, 255)
        }
        let choice = try await choose(media)
        #expect(!choice.segments.isEmpty)
        for piece in choice.segments {
            let cuts = (1...5).map { Duration.milliseconds(1900 * $0) }
            #expect(!cuts.contains { $0 > piece.lowerBound && $0 < piece.upperBound })
        }
    }

    @Test func `shaking loses against moving`() async throws {
        let media = PaintedMedia(seconds: 8) { frame, x, y in
            guard frame < 80 else { return Paint.block(x, y, at: (frame - 80) % 70, 20) }
            // The whole picture jumps.
            let jump = [0, 7, -6, 5, -8, 3][frame / 2 % 6]
            return Paint.block(x + jump + 40, y + jump / 2 + 20, at: 60, 30)
        }
        let choice = try await choose(media, pieces: 1)
        #expect(try #require(choice.segments.first).lowerBound >= .milliseconds(3500))
    }

    @Test func `pieces are spread over the clip`() async throws {
        let media = PaintedMedia(seconds: 60) { frame, x, y in
            Paint.block(x, y, at: frame % 70, frame / 70 % 30)
        }
        let choice = try await choose(media)
        #expect(choice.segments.count == 3)
        #expect(choice.duration == .seconds(3))
        for (one, next) in zip(choice.segments, choice.segments.dropFirst()) {
            #expect(next.lowerBound - one.lowerBound > .seconds(10))
        }
    }

    @Test(arguments: [60.0, 600]) func `the search decodes a bounded part of a clip`(
        _ seconds: Double
    ) async throws {
        let media = PaintedMedia(seconds: seconds, size: PixelSize(width: 32, height: 18)) {
            frame, x, y in
            SIMD4(UInt8(truncatingIfNeeded: frame * 5 + x * 7), UInt8(y * 9), 90, 255)
        }
        _ = try await choose(media)
        // 12 s of 20 frames and a few keyframes.
        #expect(media.decoded.all.count <= 320)
    }

    @Test func `the answer is the same every time`() async throws {
        let first = try await choose(Clips.open("clip.mp4").opened)
        let second = try await choose(Clips.open("clip.mp4").opened)
        #expect(first.segments == second.segments)
        #expect(first.candidates == second.candidates)
    }

    @Test func `short clips and short animations are whole`() async throws {
        let clip = PaintedMedia(seconds: 3) { frame, x, y in Paint.block(x, y, at: frame, 4) }
        let animation = PaintedMedia(seconds: 9, type: .gif) { frame, x, y in
            Paint.block(x, y, at: frame % 60, 4)
        }
        for media in [clip, animation] {
            let choice = try await choose(media)
            #expect(choice.reason == .whole)
            #expect(choice.segments.isEmpty)
            #expect(media.decoded.all.isEmpty)
        }
    }

    @Test func `a periodic clip is cut to its period`() async throws {
        // A block on a circle, once round in 2 s; a drift outside of seconds 2 to 8.
        let media = PaintedMedia(seconds: 10) { frame, x, y in
            let (left, top) = Self.circle(frame, period: 40)
            let drift = frame < 40 ? (40 - frame) / 2 : frame > 160 ? (frame - 160) / 2 : 0
            return Paint.block(x + drift, y, at: left + drift, top)
        }
        let choice = try await choose(media, wantsLoop: true)
        #expect(choice.reason == .loop)
        let length = choice.duration / .seconds(1)
        #expect(abs(length - 2) < 0.001)
    }

    @Test func `what does not come back is no loop`() async throws {
        let media = PaintedMedia(seconds: 5) { frame, x, y in
            Paint.block(x, y, at: frame * 2 / 3, frame / 5)
        }
        let choice = try await choose(media, wantsLoop: true)
        #expect(choice.reason == .best)
    }

    /// A place on a circle of 20 pixels, by eighths of a turn that are filled in straight.
    private static func circle(_ frame: Int, period: Int) -> (Int, Int) {
        let corners = [
            (20, 0), (14, 14), (0, 20), (-14, 14), (-20, 0), (-14, -14), (0, -20), (14, -14),
        ]
        let turn = Double(frame % period) / Double(period) * 8
        let (from, to) = (corners[Int(turn) % 8], corners[(Int(turn) + 1) % 8])
        let share = turn - turn.rounded(.down)
        let x = Double(from.0) + Double(to.0 - from.0) * share
        let y = Double(from.1) + Double(to.1 - from.1) * share
        return (40 + Int(x.rounded()), 18 + Int((y * 0.7).rounded()))
    }

    @Test(arguments: [1, 1 << 20, 1 << 40] as [Int64])
    func `what is looked at of a part of any length is bounded`(seconds: Int64) {
        let starts = (0...20_000).map { Int64($0) * seconds / 1000 }
        let base = Rational(1, 20)
        let index = FrameIndex(
            zip(starts, starts.dropFirst()).enumerated().map { number, times in
                FrameTiming(
                    index: number, presentation: MediaTime(ticks: times.0, base: base),
                    duration: MediaTime(ticks: times.1 - times.0, base: base),
                    isKeyframe: number == 0)
            })
        let numbers = SampledRuns.numbers(in: .zero..<index.duration, index, rate: 10)
        #expect(numbers.count <= 4097)
        #expect(numbers == numbers.sorted())
    }
}

extension FrameSequence {
    /// The sequence as media, for tests that wrap it.
    fileprivate var opened: SequenceMedia { SequenceMedia(sequence: self) }
}

private struct SequenceMedia: OpenedMedia {
    let sequence: FrameSequence
    var info: MediaInfo { sequence.info }

    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        let reader = try sequence.makeReader(ReaderOptions(cancellation: cancellation))
        var timings: [FrameTiming] = []
        while let frame = try reader.nextFrame() { timings.append(frame.timing) }
        return FrameIndex(timings)
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try sequence.makeReader(options)
    }
}
