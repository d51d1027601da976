import LazyMedia
import Testing

@testable import LazyEditing

/// Times that only a damaged or a hostile file says.
@Suite struct EditPlanTimesTests {
    static let edits: [ClipEdit] = [
        ClipEdit(), ClipEdit(speed: 0.01), ClipEdit(speed: 100), ClipEdit(speed: 0.01),
        ClipEdit(frameRate: Rational(10, 1)), ClipEdit(frameRate: Rational(1000, 1), speed: 0.01),
        ClipEdit(frameRate: Rational(1_000_000, 999_983), speed: 3),
        ClipEdit(isReversed: true, isBouncing: true), ClipEdit(crossfade: .milliseconds(500)),
        ClipEdit(segments: [.zero ..< .seconds(1), .seconds(2)..<ClipEdit.toTheEnd]),
        ClipEdit(segments: Array(repeating: .zero..<ClipEdit.toTheEnd, count: 9)),
    ]
    static let bases = [
        Rational(1, 1), Rational(1, 1000), Rational(1, 90_000), Rational(Int64(Int32.max), 1),
        Rational(1, Int64(Int32.max)), Rational(Int64(UInt32.max), 3), Rational(1, .max),
    ]

    @Test(arguments: edits, bases)
    func `an edit of any times is planned at once or refused with a sentence`(
        edit: ClipEdit, base: Rational
    ) throws {
        let ends: [Int64] = [1, 1 << 31, 1 << 32, 1 << 53, .max - 1, .max]
        for end in ends {
            let index = Self.index([0, 1, end / 2, end], base)
            do throws(MediaError) {
                let plan = try EditPlan(index, edit)
                let made = plan.frameIndex(keyframes: index.timings.map(\.isKeyframe))
                // Each frame of each piece comes once, there and back twice, however long it is.
                #expect(made.count <= 2 * index.count * max(1, edit.segments.count))
                #expect(made.duration >= .zero)
            } catch {
                #expect([.unsupported, .notWritable, .notFound].contains(error.code))
            }
        }
    }

    @Test func `a frame of thirty years is one frame at any rate`() throws {
        // Every second of it would be ten steps, were they walked.
        let index = Self.index([0, 1, 1_000_000_000, 1_000_000_001], Rational(1, 1))
        let plan = try EditPlan(index, ClipEdit(frameRate: Rational(10, 1)))
        // The last one has no length, and so no step.
        #expect(plan.entries.map(\.source) == [0, 1, 2])
        #expect(
            plan.frameIndex(keyframes: [true, false, false, false]).timings.map(\.presentation)
                == index.timings.dropLast().map(\.presentation))
    }

    @Test(arguments: [0.05, 0.25, 0.999, 1, 1.7, 2.5, 3.9] as [Double])
    func `steps that are counted are those that a walk finds`(rate: Double) throws {
        // None is as long as a step, so that all of them are resampled.
        let lengths = (0..<40).flatMap { _ in [3, 0, 7, 1, 1, 25, 2, 9, 0, 9] as [Int64] }
        let index = `Edit plans`.index(lengths)
        let rate = Rational(Int64(rate * 1000), 1000)
        let plan = try EditPlan(index, ClipEdit(frameRate: rate))
        // At each step the frame that is shown in its middle, at the end of a frame that one.
        var ends: [Int64] = []
        for length in lengths { ends.append((ends.last ?? 0) + length) }
        let total = ends.last ?? 0
        let perStep = 100 * rate.denominator
        let steps = max(1, (2 * total * rate.numerator + perStep) / (2 * perStep))
        let walked = (0..<steps).map { step in
            ends.firstIndex { 2 * $0 * rate.numerator >= (2 * step + 1) * perStep }
                ?? lengths.count - 1
        }
        var runs: [(source: Int, length: Int64)] = []
        for source in walked {
            if runs.last?.source == source {
                runs[runs.count - 1].length += 1
            } else {
                runs.append((source, 1))
            }
        }
        let divisor = runs.reduce(UInt64(0)) { greatestDivisor($0, $1.length.magnitude) }
        #expect(plan.entries.map(\.source) == runs.map(\.source))
        #expect(plan.entries.map(\.length) == runs.map { $0.length / Int64(divisor) })
    }

    static func index(_ starts: [Int64], _ base: Rational) -> FrameIndex {
        FrameIndex(
            starts.enumerated().map { number, start in
                let next = number + 1 < starts.count ? starts[number + 1] : start
                return FrameTiming(
                    index: number, presentation: MediaTime(ticks: start, base: base),
                    duration: MediaTime(ticks: next - start, base: base), isKeyframe: number == 0)
            })
    }
}
