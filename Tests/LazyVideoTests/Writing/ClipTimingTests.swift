import LazyMedia
import Testing

@testable import LazyVideo

@Suite struct ClipTimingTests {
    /// Durations in ticks of a base, and the ticks per second that represent all exactly.
    static let clocks: [([Int64], Rational, Int64)] = [
        ([4, 4, 4], Rational(1, 100), 1600), ([1, 1], Rational(1001, 30000), 30_000),
        ([40_000, 33_000], Rational(1, 1_000_000), 1000), ([1, 2], Rational(1, 12), 1536),
        ([33_333, 33_334], Rational(1, 1_000_000), 1_000_000),
        ([700, 800], Rational(1, 7_000_001), 90_000),
    ]

    @Test(arguments: clocks) func `the clock of a clip makes all its times whole`(
        ticks: [Int64], base: Rational, scale: Int64
    ) throws {
        var clock = FrameClock()
        for tick in ticks { try clock.add(MediaTime(ticks: tick, base: base)) }
        #expect(clock.timescale == scale)
    }

    @Test func `rounding errors do not accumulate`() throws {
        var clock = FrameClock()
        for _ in 0..<30_000 { try clock.add(MediaTime(ticks: 1001, base: Rational(1, 30_000))) }
        #expect(clock.ticks(perSecond: 1000).last == 1_001_000)
        #expect(clock.micros.last == 1_001_000_000)
        #expect(clock.number(at: clock.micros[777]) == 777)
        #expect(clock.number(at: clock.micros[777] + 1) == nil)
    }

    @Test func `a frame without a duration lasts a tenth of a second`() throws {
        var clock = FrameClock()
        try clock.add(.zero)
        #expect(clock.micros == [0, 100_000])
    }

    @Test func `a clip longer than its container can store is rejected`() throws {
        var clock = FrameClock()
        try clock.add(MediaTime(ticks: 1 << 30, base: Rational(1, 1)))
        for ticks: Int64 in [1 << 30, .max] {
            #expect { try clock.add(MediaTime(ticks: ticks, base: Rational(1, 1))) } throws: {
                ($0 as? MediaError)?.code == .notWritable
            }
        }
        #expect(clock.ticks(perSecond: .max).last == .max)
    }

    @Test func `frames of equal duration need only the encoder's keyframes`() {
        var rule = KeyframeRule(firstLength: 40_000)
        #expect(rule.interval == 50)
        let isFirstForced = rule.isForced(length: 40_000)
        #expect(isFirstForced)
        for _ in 0..<500 where rule.isForced(length: 40_000) { Issue.record("forced") }
    }

    @Test func `no group lasts longer than two seconds unless a frame does`() {
        var rule = KeyframeRule(firstLength: 10_000_000)
        var length: Int64 = 0
        let lengths: [Int64] = [10_000_000, 40_000] + Array(repeating: 300_000, count: 50)
        for (number, micros) in lengths.enumerated() {
            if rule.isForced(length: micros) { length = 0 }
            length += micros
            #expect(length <= 2_000_500 || number == 0)
        }
    }

    @Test func `start codes become lengths, and parameter sets the header`() throws {
        let stream: [UInt8] = [
            0, 0, 0, 1, 0x67, 100, 0, 31, 5, 0, 0, 0, 1, 0x68, 7, 8, 0, 0, 1, 6, 5, 1, 0, 0, 1,
            0x65,
            9, 0, 0, 3, 1, 0, 0, 0,
        ]
        let sample = stream.withUnsafeBufferPointer { H264Units.sample($0) }
        #expect(sample == [0, 0, 0, 6, 0x65, 9, 0, 0, 3, 1])
        let header = try #require(H264Units.header(stream))
        #expect(header.prefix(6) == [1, 100, 0, 31, 0xFF, 0xE1])
        #expect(H264Units.header([0, 0, 1, 0x65, 1]) == nil)
    }

    @Test(arguments: [0, 1, 126, 127, 16_382, 16_383, 1 << 20])
    func `no size is written as unknown`(size: Int) {
        let head = EBML.head(0xA3, size)
        let value = head.dropFirst().reduce(0) { $0 << 8 | Int($1) }
        let width = head.count - 1
        #expect(value == size | 1 << (7 * width))
        #expect(size != 1 << (7 * width) - 1)
    }
}
