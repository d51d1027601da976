import LazyMedia
import Support
import Testing

@testable import LazyEditing

/// A frame rate is the highest one: it changes no time where frames are not faster.
@Suite struct RateLimitTests {
    /// The frames of an edit with a rate, with milliseconds for each source frame.
    private func plan(
        _ milliseconds: [Int64], _ rate: Rational, isStrict: Bool = false
    ) throws -> (sources: [Int], lengths: [Double]) {
        let base = Rational(1, 1000)
        var start: Int64 = 0
        let index = FrameIndex(
            milliseconds.enumerated().map { number, length in
                defer { start += length }
                return FrameTiming(
                    index: number, presentation: MediaTime(ticks: start, base: base),
                    duration: MediaTime(ticks: length, base: base), isKeyframe: number == 0)
            })
        var edit = ClipEdit(frameRate: rate)
        edit.isRateStrict = isStrict
        let plan = try EditPlan(index, edit)
        return (
            plan.entries.map(\.source),
            plan.entries.map { Double($0.length) * plan.base.doubleValue * 1000 }
        )
    }

    @Test(arguments: [25, 26, 28, 30, 33, 40, 49, 50, 60, 1000])
    func `a rate from that of the source on changes no time`(rate: Int64) throws {
        let even = [Int64](repeating: 40, count: 25)
        let result = try plan(even, Rational(rate, 1))
        #expect(result.sources == Array(0..<25))
        #expect(result.lengths == even.map(Double.init))
    }

    @Test(
        arguments: [
            // 30 and 60 a second, as Matroska rounds them.
            ([33, 33, 34, 33, 33, 34], Rational(30, 1)),
            ([17, 16, 17, 17, 16, 17], Rational(60, 1)),
            ([33, 34, 33, 33, 34, 33, 33], Rational(30000, 1001)),
            // Times of a recorder that come late now and then.
            ([40, 35, 45, 40, 40], Rational(25, 1)),
            // A screen of which little moves.
            ([40, 2000, 40, 500], Rational(25, 1)),
        ] as [([Int64], Rational)])
    func `rounded and uneven times stay`(milliseconds: [Int64], rate: Rational) throws {
        let result = try plan(milliseconds, rate)
        #expect(result.sources == Array(milliseconds.indices))
        #expect(result.lengths == milliseconds.map(Double.init))
    }

    @Test(
        arguments: [
            (24, 24), (20, 20), (12, 12), (10, 10), (5, 5), (1, 1),
        ] as [(Int64, Int)]) func `below the source's rate frames are as far apart as it says`(
            rate: Int64, count: Int
        ) throws
    {
        let result = try plan([Int64](repeating: 40, count: 25), Rational(rate, 1))
        #expect(result.sources.count == count)
        for length in result.lengths { #expect(abs(length - 1000 / Double(rate)) < 1e-6) }
    }

    @Test func `of a film that is fast in parts, only these parts are slower`() throws {
        // Still, 20 frames of 20 ms, still, and one frame of 10 ms.
        let milliseconds = [500] + [Int64](repeating: 20, count: 20) + [700, 10, 90]
        let result = try plan(milliseconds, Rational(25, 1))
        #expect(result.sources.first == 0 && result.lengths.first == 500)
        #expect(result.lengths.dropFirst().prefix(10).allSatisfy { abs($0 - 40) < 1e-6 })
        #expect(result.sources.suffix(2) == [21, 23])
        #expect(result.lengths.suffix(2) == [710, 90])
        #expect(abs(result.lengths.reduce(0, +) - 1700) < 1e-6)
    }

    @Test func `where a place measures the rate, no frame is faster`() throws {
        let milliseconds: [Int64] = [100, 100, 20, 100, 15, 15, 500]
        #expect(try plan(milliseconds, Rational(30, 1)).lengths[2] == 20)
        let strict = try plan(milliseconds, Rational(30, 1), isStrict: true)
        #expect(strict.lengths.allSatisfy { $0 > 33.3 })
        // Within half of a step.
        let sum = strict.lengths.reduce(0, +)
        #expect(abs(sum - 850) < 16.7)
        let even = try plan([40, 40, 500], Rational(30, 1), isStrict: true)
        #expect(even.lengths == [40, 40, 500])
    }

    @Test(arguments: [Rational(30, 1), Rational(7, 1), Rational(30000, 1001), Rational(50, 1)])
    func `the length stays, within half of a step`(rate: Rational) throws {
        var numbers = SplitMix(7)
        for count in 1...200 {
            let milliseconds = (0..<(count % 40 + 1)).map { _ -> Int64 in
                [4, 10, 16, 17, 20, 33, 34, 40, 100, 1000][Int(numbers.next() % 10)]
            }
            let result = try plan(milliseconds, rate)
            let step = 1000 / rate.doubleValue
            let whole = Double(milliseconds.reduce(0, +))
            let sum = result.lengths.reduce(0, +)
            #expect(abs(sum - whole) <= max(step / 2, step - whole) + 1e-6)
            #expect(zip(result.sources, result.sources.dropFirst()).allSatisfy { $0 < $1 })
        }
    }
}
