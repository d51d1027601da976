import LazyMedia
import Support
import Testing

@Suite struct TimingTests {
    /// Raw delay in 1/100 s, its value in browsers, its raw value.
    @Test(arguments: [(0, 10), (1, 10), (2, 2), (3, 3), (10, 10), (1000, 1000), (65535, 65535)])
    func `delays of 10 ms or less become 100 ms`(raw: Int, effective: Int) {
        #expect(DelayRule.browsers.effective(hundredths: raw) == effective)
        #expect(DelayRule.raw.effective(hundredths: raw) == raw)
        let time = MediaTime(ticks: Int64(raw), base: Rational(1, 100))
        let wanted = MediaTime(ticks: Int64(effective), base: Rational(1, 100))
        #expect(DelayRule.browsers.effective(time).microseconds == wanted.microseconds)
    }

    @Test(
        arguments: [
            (nil, 1, 1), (0, nil, nil), (1, 2, 1), (2, 3, 2), (65535, 65536, 65535),
        ] as [(Int?, Int?, Int?)])
    func `loop counts mean the same as in browsers`(raw: Int?, gif: Int?, others: Int?) {
        #expect(LoopCount.gif(raw) == LoopCount(raw: raw, plays: gif))
        #expect(LoopCount.plays(raw) == LoopCount(raw: raw, plays: others))
    }

    @Test func `the caller can override the file`() {
        #expect(Looping.asAuthored.plays(.gif(2)) == 3)
        #expect(Looping.forever.plays(.gif(nil)) == nil)
        #expect(Looping.times(4).plays(.video) == 4)
        #expect(Looping.times(-1).plays(.video) == 0)
    }

    @Test(
        arguments: [
            (1, 3, 333_333), (2, 3, 666_667), (-1, 3, -333_333), (1001, 30000, 33367),
            (90000, 90000, 1_000_000), (1, 2_000_000, 1), (-1, 2_000_000, -1),
            (.max, 1, .max), (.min, 1, .min),
        ] as [(Int64, Int64, Int64)])
    func `microseconds round to the nearest and saturate`(
        ticks: Int64, base: Int64, expected: Int64
    ) {
        #expect(MediaTime(ticks: ticks, base: Rational(1, base)).microseconds == expected)
    }

    @Test func `times of different bases are comparable`() {
        let third = MediaTime(ticks: 1, base: Rational(1, 3))
        let less = MediaTime(ticks: 333_333, base: Rational(1, 1_000_000))
        #expect(less < third)
        #expect(third.duration < .milliseconds(334))
        #expect(MediaTime(ticks: -1500, base: Rational(1, 1000)).description == "-1.500000")
    }

    /// Moment in ms, plays, and the play and frame shown; frames last 100, 300 and 50 ms.
    @Test(
        arguments: [
            (-5, nil, 0, 0, 100), (0, nil, 0, 0, 100), (99, nil, 0, 0, 100), (100, nil, 0, 1, 400),
            (399, nil, 0, 1, 400), (400, nil, 0, 2, 450), (449, 1, 0, 2, nil),
            (450, nil, 1, 0, 550),
            (450, 1, 0, 2, nil), (9000, 2, 1, 2, nil), (4500, nil, 10, 0, 4600),
            (850, 2, 1, 2, nil),
        ] as [(Int, Int?, Int, Int, Int?)])
    func `the playhead finds the frame at a time`(
        instant: Int, plays: Int?, play: Int, frame: Int, next: Int?
    ) {
        var media = ScriptedMedia(count: 3)
        media.durations = [100, 300, 50]
        let position = Playhead(media.index, plays: plays).position(at: .milliseconds(instant))
        #expect(
            position
                == .init(play: play, frame: frame, nextChange: next.map { .milliseconds($0) }))
    }

    @Test func `without frames or plays there is no position`() {
        #expect(Playhead(FrameIndex([]), plays: nil).position(at: .zero) == nil)
        #expect(Playhead(ScriptedMedia(count: 2).index, plays: 0).position(at: .zero) == nil)
    }

    @Test func `a still is shown without end`() {
        let still = ScriptedMedia(count: 1, milliseconds: 0)
        let position = Playhead(still.index, plays: nil).position(at: .seconds(5))
        #expect(position == .init(play: 0, frame: 0, nextChange: nil))
    }

    @Test func `of frames with equal times the later one is shown`() {
        var media = ScriptedMedia(count: 3)
        media.durations = [100, 0, 100]
        #expect(media.index.frame(at: .milliseconds(100)) == 2)
        #expect(FrameIndex([]).frame(at: .zero) == nil)
    }
}
