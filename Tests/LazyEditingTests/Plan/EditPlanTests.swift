import LazyMedia
import Testing

@testable import LazyEditing

@Suite struct `Edit plans` {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        /// Hundredths of a second of each source frame.
        var lengths: [Int64] = [10, 20, 30, 40]
        var edit: ClipEdit
        var sources: [Int]
        /// Milliseconds of each frame that comes out.
        var milliseconds: [Double]
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "nothing", edit: ClipEdit(), sources: [0, 1, 2, 3],
            milliseconds: [100, 200, 300, 400]),
        Case(
            name: "a piece cuts its first and its last frame",
            edit: ClipEdit(segments: [.milliseconds(150) ..< .milliseconds(650)]),
            sources: [1, 2, 3], milliseconds: [150, 300, 50]),
        Case(
            name: "a piece is half-open",
            edit: ClipEdit(segments: [.milliseconds(100) ..< .milliseconds(300)]),
            sources: [1], milliseconds: [200]),
        Case(
            name: "pieces come in their own order, and may overlap",
            edit: ClipEdit(segments: [
                .milliseconds(600) ..< .seconds(9), .zero ..< .milliseconds(150),
                .milliseconds(100) ..< .milliseconds(200),
            ]),
            sources: [3, 0, 1, 1], milliseconds: [400, 100, 50, 100]),
        Case(
            name: "twice as fast", edit: ClipEdit(speed: 2), sources: [0, 1, 2, 3],
            milliseconds: [50, 100, 150, 200]),
        Case(
            name: "a third as fast", lengths: [10, 10], edit: ClipEdit(speed: 1.0 / 3),
            sources: [0, 1], milliseconds: [100 * 1e6 / 333_333, 100 * 1e6 / 333_333]),
        Case(
            name: "backwards", edit: ClipEdit(isReversed: true), sources: [3, 2, 1, 0],
            milliseconds: [400, 300, 200, 100]),
        Case(
            name: "there and back", edit: ClipEdit(isBouncing: true), sources: [0, 1, 2, 3, 2, 1],
            milliseconds: [100, 200, 300, 400, 300, 200]),
        Case(
            name: "backwards and there again", edit: ClipEdit(isReversed: true, isBouncing: true),
            sources: [3, 2, 1, 0, 1, 2], milliseconds: [400, 300, 200, 100, 200, 300]),
        Case(
            name: "two frames have nothing between to come back over", lengths: [10, 10],
            edit: ClipEdit(isBouncing: true), sources: [0, 1], milliseconds: [100, 100]),
        Case(
            name: "half of the frames of an even rate", lengths: [4, 4, 4, 4, 4, 4],
            edit: ClipEdit(frameRate: Rational(25, 2)), sources: [0, 2, 4],
            milliseconds: [80, 80, 80]),
        Case(
            name: "the frame in the middle of a step stands for it", lengths: [3, 3, 3, 3],
            edit: ClipEdit(frameRate: Rational(20, 1)), sources: [0, 2],
            milliseconds: [50, 50]),
        Case(
            name: "a rate above the source's makes no more frames",
            edit: ClipEdit(frameRate: Rational(20, 1)), sources: [0, 1, 2, 3],
            milliseconds: [100, 200, 300, 400]),
        Case(
            name: "what is shorter than a step is one step", lengths: [1, 1],
            edit: ClipEdit(frameRate: Rational(2, 1)), sources: [1], milliseconds: [500]),
        Case(
            name: "the rate holds after the speed", lengths: Array(repeating: 10, count: 8),
            edit: ClipEdit(frameRate: Rational(10, 1), speed: 2), sources: [0, 2, 4, 6],
            milliseconds: [100, 100, 100, 100]),
        Case(
            name: "a picture without a length is kept", lengths: [0], edit: ClipEdit(speed: 3),
            sources: [0], milliseconds: [0]),
        Case(
            name: "the end fades over the beginning", lengths: Array(repeating: 10, count: 6),
            edit: ClipEdit(crossfade: .milliseconds(200)), sources: [2, 3, 4, 5],
            milliseconds: [100, 100, 100, 100]),
        Case(
            name: "the first frames", edit: ClipEdit(maxFrames: 2), sources: [0, 1],
            milliseconds: [100, 200]),
        Case(
            name: "more frames than there are", edit: ClipEdit(maxFrames: 9),
            sources: [0, 1, 2, 3], milliseconds: [100, 200, 300, 400]),
        Case(
            name: "frames count after the rate, and over all pieces",
            lengths: [4, 4, 4, 4, 4, 4],
            edit: ClipEdit(
                segments: [.zero ..< .milliseconds(80), .milliseconds(160) ..< .seconds(9)],
                frameRate: Rational(25, 2), maxFrames: 2),
            sources: [0, 4], milliseconds: [80, 80]),
        Case(
            name: "the first frames backwards", edit: ClipEdit(maxFrames: 3, isReversed: true),
            sources: [2, 1, 0], milliseconds: [300, 200, 100]),
        Case(
            name: "a bounce comes back within the number",
            edit: ClipEdit(maxFrames: 4, isBouncing: true), sources: [0, 1, 2, 1],
            milliseconds: [100, 200, 300, 200]),
        Case(
            name: "a bounce of an odd number", edit: ClipEdit(maxFrames: 5, isBouncing: true),
            sources: [0, 1, 2, 1], milliseconds: [100, 200, 300, 200]),
        Case(
            name: "a bounce of one frame", edit: ClipEdit(maxFrames: 1, isBouncing: true),
            sources: [0], milliseconds: [100]),
        Case(
            name: "the fade is made of the first frames", lengths: Array(repeating: 10, count: 9),
            edit: ClipEdit(maxFrames: 6, crossfade: .milliseconds(200)), sources: [2, 3, 4, 5],
            milliseconds: [100, 100, 100, 100]),
    ]

    @Test(arguments: cases) func `an edit takes the right frames for the right time`(
        _ test: Case
    ) throws {
        let plan = try EditPlan(Self.index(test.lengths), test.edit)
        #expect(plan.entries.map(\.source) == test.sources)
        let index = plan.frameIndex(keyframes: test.lengths.map { _ in false })
        for (timing, milliseconds) in zip(index.timings, test.milliseconds) {
            let length = timing.duration.duration / .milliseconds(1)
            #expect(abs(length - milliseconds) < 1e-9)
        }
        // Each begins where the one before ends, without a rounding in between.
        let steps = index.timings.map(\.presentation.ticks)
        let lengths = index.timings.map(\.duration.ticks)
        #expect(zip(steps, lengths).map(+).dropLast() == steps.dropFirst())
    }

    @Test func `blends lead from the last frame to the first`() throws {
        let plan = try EditPlan(
            Self.index(Array(repeating: 10, count: 8)), ClipEdit(crossfade: .milliseconds(300)))
        #expect(plan.entries.map(\.source) == [3, 4, 5, 6, 7])
        #expect(plan.entries.map { $0.blend?.source } == [nil, nil, 0, 1, 2])
        let shares = plan.entries.compactMap { $0.blend?.share }
        #expect(shares == [43, 128, 213])
    }

    @Test func `the step of a rate is exact over an hour`() throws {
        // 30000/1001 of NTSC against 12 a second: no drift after 43 200 frames.
        let base = Rational(1, 30000)
        let index = FrameIndex(
            (0..<107_892).map {
                FrameTiming(
                    index: $0, presentation: MediaTime(ticks: Int64($0) * 1001, base: base),
                    duration: MediaTime(ticks: 1001, base: base), isKeyframe: false)
            })
        let plan = try EditPlan(index, ClipEdit(frameRate: Rational(12, 1)))
        #expect(plan.base == Rational(1, 12))
        #expect(plan.entries.count == 43200)
        for (number, entry) in plan.entries.enumerated() {
            // The last n with n * 1001 / 30000 < (number + ½) / 12.
            #expect(entry.source == ((2 * number + 1) * 30000 - 1) / (24 * 1001))
        }
    }

    @Test func `a piece that begins with a frame has nothing of the one before`() throws {
        let base = Rational(1, 3)
        let index = FrameIndex(
            (0..<9).map {
                FrameTiming(
                    index: $0, presentation: MediaTime(ticks: Int64($0), base: base),
                    duration: MediaTime(ticks: 1, base: base), isKeyframe: true)
            })
        // Thirds of a second are no whole number of any unit that a duration has.
        for (start, end) in [
            (index.timings[2].presentation.duration, index.timings[7].presentation.duration),
            (.microseconds(666_667), .microseconds(2_333_333)),
        ] {
            let plan = try EditPlan(index, ClipEdit(segments: [start..<end]))
            #expect(plan.entries.map(\.source) == [2, 3, 4, 5, 6])
            #expect(plan.base == base)
        }
        let rest = try EditPlan(index, ClipEdit(segments: [.seconds(2)..<index.duration]))
        #expect(rest.entries.map(\.length) == [1, 1, 1])
    }

    @Test(arguments: [
        ClipEdit(segments: [.seconds(5) ..< .seconds(6)]),
        ClipEdit(segments: [.seconds(1) ..< .seconds(1)]),
    ]) func `a range without a frame is not found`(_ edit: ClipEdit) {
        #expect {
            try EditPlan(Self.index([10, 10]), edit)
        } throws: { ($0 as? MediaError)?.code == .notFound }
    }

    @Test(arguments: [0, -1, .nan, .infinity]) func `a speed that is none is refused`(
        _ speed: Double
    ) {
        #expect {
            try EditPlan(Self.index([10, 10]), ClipEdit(speed: speed))
        } throws: { ($0 as? MediaError)?.code == .notWritable }
    }

    @Test func `no frame is no number of frames`() {
        #expect {
            try EditPlan(Self.index([10, 10]), ClipEdit(maxFrames: 0))
        } throws: { ($0 as? MediaError)?.code == .notWritable }
    }

    @Test(arguments: [
        ClipEdit(frameRate: Rational(10, 1), maxFrames: 4),
        ClipEdit(frameRate: Rational(10, 1), speed: 2, maxFrames: 3, isReversed: true),
        ClipEdit(
            segments: [.milliseconds(400) ..< .milliseconds(600), .zero ..< .milliseconds(400)],
            maxFrames: 7, isBouncing: true),
        ClipEdit(maxFrames: 100),
    ]) func `segments that end with the last frame take the same frames`(edit: ClipEdit) throws {
        let index = Self.index(Array(repeating: 5, count: 20))
        let ended = try edit.endingWithFrames(index)
        #expect(try EditPlan(index, ended).entries == EditPlan(index, edit).entries)
        // Without the number too, so that a lower rate has fewer of them.
        var free = ended
        free.maxFrames = nil
        #expect(try EditPlan(index, free).entries == EditPlan(index, edit).entries)
    }

    static func index(_ lengths: [Int64]) -> FrameIndex {
        let base = Rational(1, 100)
        var start: Int64 = 0
        return FrameIndex(
            lengths.enumerated().map { number, length in
                defer { start += length }
                return FrameTiming(
                    index: number, presentation: MediaTime(ticks: start, base: base),
                    duration: MediaTime(ticks: length, base: base), isKeyframe: number == 0)
            })
    }
}
