import LazyMedia
import Support
import Testing

@testable import LazyCodecs

@Suite struct GIFTimingTests {
    /// Durations, and the hundredths of a second they become; nil is left out.
    struct Case: Sendable, CustomStringConvertible {
        var description: String
        var durations: [MediaTime]
        var delays: [Int?]
    }

    static let cases = [
        Case(
            description: "12 frames a second",
            durations: Array(repeating: MediaTime(ticks: 1, base: Rational(1, 12)), count: 6),
            delays: [8, 9, 8, 8, 9, 8]),
        Case(
            description: "24 frames of 1001/24000 s",
            durations: Array(
                repeating: MediaTime(ticks: 1001, base: Rational(1, 24_000)), count: 6),
            delays: [4, 4, 5, 4, 4, 4]),
        Case(
            description: "60 frames a second",
            durations: Array(repeating: MediaTime(ticks: 1, base: Rational(1, 60)), count: 12),
            delays: [2, 2, 2, 2, nil, 2, 2, 2, 2, 2, nil, 2]),
        Case(
            description: "a hundredth is paid back",
            durations: [
                .milliseconds(10), .milliseconds(100), .milliseconds(10), .milliseconds(50),
            ],
            delays: [2, 9, 2, 4]),
        Case(
            description: "nothing is the shortest",
            durations: [.zero, .zero, .milliseconds(100)], delays: [2, 2, 10]),
        Case(
            description: "ten seconds and longer than the format has room for",
            durations: [.milliseconds(10_000), .milliseconds(655_360)], delays: [1000, 65_536]),
    ]

    @Test(arguments: cases)
    func `rounding errors are carried on`(_ example: Case) {
        var delays = GIFDelays()
        #expect(example.durations.map { delays.delay($0) } == example.delays)
    }

    @Test(arguments: [
        (2, [2]), (65_535, [65_535]), (65_536, [65_534, 2]), (65_537, [65_535, 2]),
        (200_000, [65_535, 65_535, 65_535, 3395]),
    ])
    func `long delays are split`(delay: Int, parts: [Int]) {
        #expect(GIFDelays.parts(delay) == parts)
    }

    @Test func `the sum of many odd durations is kept`() {
        var delays = GIFDelays()
        let each = MediaTime(ticks: 1001, base: Rational(1, 30_000))
        let sum = (0..<30_000).compactMap { _ in delays.delay(each) }.reduce(0, +)
        #expect(sum == 100_100)
    }

    @Test func `delays are read back`() async throws {
        let milliseconds: [Int64] = [20, 30, 100, 10_000, 655_360, 70, 1_000_000]
        let pictures = try milliseconds.indices.map { number in
            try picture(3, 2) { x, _ in 0xFF00_0000 | UInt32(number * 3 + x) }
        }
        let bytes = try await writeGIF(pictures, durations: milliseconds.map { .milliseconds($0) })
        var shown: [Int64] = []
        var last: [UInt8]?
        for frame in readGIF(bytes).frames {
            let time = frame.timing.duration.microseconds / 1000
            let bytes = frame.bitmap.visibleBytes
            if bytes == last { shown[shown.count - 1] += time } else { shown.append(time) }
            last = bytes
        }
        #expect(shown == milliseconds)
    }

    @Test func `a long frame before pixels vanish clears them`() async throws {
        let pictures = try [
            picture(4, 4) { x, _ in x < 2 ? 0xFFFF_0000 : 0 },
            picture(4, 4) { x, _ in x > 2 ? 0xFF00_FF00 : 0 },
        ]
        let bytes = try await writeGIF(
            pictures, durations: [.milliseconds(1_400_000), .milliseconds(50)])
        let frames = readGIF(bytes).frames
        #expect(frames.last?.bitmap.visibleBytes == pictures[1].visibleBytes)
        #expect(frames.dropLast().allSatisfy { $0.bitmap.visibleBytes == pictures[0].visibleBytes })
    }

    @Test func `equal frames are merged`() async throws {
        let pictures = try [0, 0, 1, 1, 1, 0].map { shade in
            try picture(5, 5) { x, _ in 0xFF00_0000 | UInt32(shade * 200 + x) }
        }
        let frames = readGIF(try await writeGIF(pictures)).frames
        #expect(frames.map { $0.timing.duration.microseconds / 10_000 } == [20, 30, 10])
    }

    @Test(
        arguments: [
            (nil, 0), (1, nil), (2, 1), (3, 2), (65_536, 65_535), (1_000_000, 65_535),
        ] as [(Int?, Int?)])
    func `the number of plays is written`(plays: Int?, raw: Int?) async throws {
        let pictures = try [0, 1].map { shade in
            try picture(2, 2) { _, _ in 0xFF00_0000 | UInt32(shade) }
        }
        let media = try openGIF(try await writeGIF(pictures, plays: plays))
        #expect(media.info.loop.raw == raw)
    }

    @Test func `a single picture has no loop`() async throws {
        let one = try picture(2, 2) { _, _ in 0xFF00_0000 }
        for pictures in [[one], [one, one]] {
            #expect(try openGIF(try await writeGIF(pictures)).info.loop.raw == nil)
        }
    }
}
