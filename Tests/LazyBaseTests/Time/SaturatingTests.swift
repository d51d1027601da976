import LazyBase
import Testing

@Suite struct SaturatingTests {
    @Test(
        arguments: [
            (.zero, 0, 0), (.seconds(1), 1000, 1000), (.nanoseconds(1_500_000), 1, 2),
            (.nanoseconds(-1_500_000), -1, -2), (.seconds(Int64.max), .max, .max),
            (.seconds(Int64.min), .min, .min), (.longest, .max, .max),
            (.zero - .longest, .min, .min),
            (Duration(attoseconds: .min), .min, .min),
        ] as [(Duration, Int64, Int64)])
    func `ticks are rounded as requested and saturate`(
        length: Duration, down: Int64, nearest: Int64
    ) {
        #expect(length.ticks(perSecond: 1000) == down)
        #expect(length.milliseconds == down)
        #expect(length.ticks(perSecond: 1000, .nearest) == nearest)
    }

    @Test func `durations beyond the range of components have whole seconds`() {
        #expect((Duration.seconds(Int64.max) + .seconds(1)).wholeSeconds == .max)
        #expect(Duration.longest.wholeSeconds == .max)
        #expect(Duration.milliseconds(-1999).wholeSeconds == -1)
        #expect(Duration.seconds(Int64.max).nanoseconds == .max)
    }

    @Test func `sums and products saturate`() {
        #expect(Duration.longest.adding(.longest) == .longest)
        #expect((.zero - Duration.longest).adding(.zero - .longest) == .zero - .longest)
        #expect(Duration.seconds(2).adding(.seconds(-3)) == .seconds(-1))
        #expect(Duration.longest.multiplied(by: -2) == .zero - .longest)
        #expect(Duration.seconds(3).multiplied(by: 4) == .seconds(12))
        #expect(Duration.longest.multiplied(by: 0) == .zero)
    }

    @Test(
        arguments: [
            (1.5, 2), (-1.5, -2), (0.4, 0), (.nan, 0), (.infinity, .max), (-.infinity, .min),
            (1e300, .max), (-1e300, .min), (9_223_372_036_854_775_808, .max),
        ] as [(Double, Int64)])
    func `a number out of range becomes the nearest bound`(value: Double, expected: Int64) {
        #expect(Int64(saturating: value) == expected)
    }

    @Test func `calendar times saturate`() {
        let last = WallTime(seconds: .max)
        #expect(last + .seconds(Int64.max) == WallTime(milliseconds: .max))
        #expect(WallTime(seconds: .min) + .seconds(Int64.min) == WallTime(milliseconds: .min))
        #expect(last - WallTime(milliseconds: .min) > .seconds(Int64(1) << 53))
    }
}
