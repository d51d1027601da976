import LazyMedia
import Testing

@Suite struct MediaTimeTests {
    /// Ticks and bases of two times, and their order.
    static let pairs: [(MediaTime, MediaTime, Int)] = [
        (time(1, 1, 2), time(2, 1, 4), 0), (time(1, 1, 3), time(2, 1, 6), 0),
        (time(0, 1, 7), time(0, 5, 9), 0), (time(3, 0, 1), time(-5, 0, 2), 0),
        (time(-1, 1, 2), time(-2, 1, 4), 0), (time(-1, 1, 2), time(1, -1, 2), 0),
        (time(2, -1, 4), time(1, -1, 4), -1), (time(-1, 1, 3), time(-333_333, 1, 1_000_000), -1),
        // Closer than an attosecond.
        (time(.max, 1, .max), time(.max - 1, 1, .max - 1), 0),
        (time(.max - 1, 1, .max), time(.max - 2, 1, .max - 1), 1),
        (time(1, 1, .max), time(1, 1, .max - 1), -1),
        // Both exceed the longest duration.
        (time(.max, .max, 1), time(.max - 1, .max, 1), 1),
        (time(.max, .max, 1), time(.max, .max, 2), 1), (time(.min, .max, 1), time(.min, 1, 1), -1),
        (time(.min, .min, 1), time(.max, .max, 1), 1), (time(.min, 1, .max), time(.max, 1, 1), -1),
    ]

    @Test(arguments: pairs) func `times compare and hash exactly across bases`(
        one: MediaTime, other: MediaTime, order: Int
    ) {
        #expect((one == other) == (order == 0))
        #expect((one < other) == (order < 0))
        #expect((other < one) == (order > 0))
        #expect((one.hashValue == other.hashValue) == (order == 0))
        #expect(Set([one, other]).count == (order == 0 ? 1 : 2))
    }

    @Test func `the order of times is total`() {
        let numbers: [Int64] = [
            .min, .min + 1, -2, -1, 0, 1, 2, 3, 1 << 31, 1 << 53, .max - 1, .max,
        ]
        let times = numbers.flatMap { ticks in
            [(1, 1), (1, 3), (2, 6), (-1, 1000), (1, .max), (.max, .max), (.min, 1)].map {
                Self.time(ticks, $0.0, $0.1)
            }
        }
        for one in times {
            for other in times {
                let cases = [one < other, one == other, other < one].count { $0 }
                if cases != 1 {
                    Issue.record("\(one.ticks)·\(one.base), \(other.ticks)·\(other.base)")
                }
                if one == other, one.hashValue != other.hashValue {
                    Issue.record("hashes of \(one.ticks)·\(one.base), \(other.ticks)·\(other.base)")
                }
            }
        }
    }

    @Test(
        arguments: [
            (time(.max, 1, 1), MediaTime.farthest), (time(.min, 1, 1), .zero - MediaTime.farthest),
            (time(.max, .max, 1), MediaTime.farthest), (time(.min, .min, 1), MediaTime.farthest),
            (time(.min, .max, 1), .zero - MediaTime.farthest),
            (time(1 << 40, 1, 1), MediaTime.farthest), (time(-3, 1, 2), .milliseconds(-1500)),
            (
                time(1, 1, 3),
                Duration(secondsComponent: 0, attosecondsComponent: 333_333_333_333_333_333)
            ),
            (time(.max, 1, .max), .seconds(1)),
            (time((1 << 40) - 1, 1, 1), .seconds((1 << 40) - 1)),
        ] as [(MediaTime, Duration)])
    func `durations saturate far below the overflow of their sums`(
        time: MediaTime, expected: Duration
    ) {
        #expect(time.duration == expected)
    }

    @Test(
        arguments: [
            (time(1, 1, 3), 3, 1, 1), (time(2, 1, 3), 1, 0, 1), (time(-2, 1, 3), 1, 0, -1),
            (time(1, 1, 2), 1, 0, 1), (time(-1, 1, 2), 1, 0, -1), (time(.max, 1, 1), 2, .max, .max),
            (time(.min, 1, 1), 1000, .min, .min), (time(.min, 1, 1), 1, .min, .min),
            (time(.max, .max, 1), .max, .max, .max), (time(.min, .max, 1), .max, .min, .min),
            (time(.max, 1, .max), .max, .max, .max), (time(5, 1, 1), 0, 0, 0),
        ] as [(MediaTime, Int64, Int64, Int64)])
    func `ticks of a rate are rounded once and saturate`(
        time: MediaTime, rate: Int64, down: Int64, nearest: Int64
    ) {
        #expect(time.ticks(perSecond: rate) == down)
        #expect(time.ticks(perSecond: rate, .nearest) == nearest)
    }

    @Test(arguments: [
        (time(1, 1, 3), time(2, 1, 3), time(1, 1, 1)),
        (time(1, 1, 2), time(1, 1, 3), time(5, 1, 6)),
        (time(1, 1001, 30000), time(1, 1, 100), time(13_010, 1, 300_000)),
        (time(.max, 1, 1), time(1, 1, 1), time(.max, 1, 1)),
        (time(.min, 1, 1), time(-1, 1, 1), time(.min, 1, 1)),
        (time(.min, 1, 1000), time(.max, 1, 1000), time(-1, 1, 1000)),
    ]) func `sums are exact or saturate`(
        one: MediaTime, other: MediaTime, sum: MediaTime
    ) {
        #expect(one + other == sum)
        #expect(other + one == sum)
    }

    @Test func `differences are exact or saturate`() {
        #expect(Self.time(5, 1, 6) - Self.time(1, 1, 3) == Self.time(1, 1, 2))
        #expect(Self.time(.min, 1, 1) - Self.time(.max, 1, 1) == Self.time(.min, 1, 1))
        #expect(Self.time(.max, 1, 1) - Self.time(.min, 1, 1) == Self.time(.max, 1, 1))
        // Without a common base the result is exact to nanoseconds.
        let odd = Self.time(1, 1, .max) + Self.time(1, 1, .max - 1) - Self.time(1, 3, 1_000_003)
        #expect(abs(odd.microseconds + 3) <= 1)
    }

    @Test func `an index of extremely long frames has a duration and finds frames`() {
        let far = Self.time(.max, 1, 1)
        let index = FrameIndex([
            FrameTiming(index: 0, presentation: .zero, duration: far, isKeyframe: true),
            FrameTiming(index: 1, presentation: far, duration: far, isKeyframe: false),
        ])
        #expect(index.duration == MediaTime.farthest)
        #expect(index.frame(at: .seconds(5)) == 0)
        #expect(index.frame(at: .seconds(1 << 41)) == 1)
        let head = Playhead(index, plays: .max)
        #expect(head.position(at: .seconds(5))?.frame == 0)
        #expect(head.duration ?? .zero >= MediaTime.farthest)
        #expect(Playhead(index, plays: nil).position(at: .seconds(Int64.max))?.play == 1 << 23 - 1)
    }

    static func time(_ ticks: Int64, _ numerator: Int64, _ denominator: Int64) -> MediaTime {
        MediaTime(ticks: ticks, base: Rational(numerator, denominator))
    }
}
