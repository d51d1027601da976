import LazyMedia
import Testing

@testable import LazyVideo

@Suite struct PacketIndexTests {
    private func index(_ keys: [(pts: Int64, isClean: Bool)], _ ticks: [Int64]) -> PacketIndex {
        var index = PacketIndex()
        index.keys = keys.enumerated().map {
            .init(number: $0 * 10, pts: $1.pts, dts: nil, size: 1, isClean: $1.isClean)
        }
        index.frames = ticks.map { .init(ticks: $0, duration: 7, isKey: false) }
        return index
    }

    /// The requested ticks, and the number of the first packet to decode.
    @Test(arguments: [
        (0, 0), (99, 0), (100, 10), (199, 10), (200, 10), (250, 10), (300, 30), (999, 30),
    ])
    func `decoding begins early enough`(ticks: Int64, number: Int) {
        let index = index([(0, true), (100, true), (200, false), (300, true)], [])
        #expect(index.entry(for: ticks)?.number == number)
    }

    @Test func `there is no keyframe before the first one`() {
        #expect(index([(5, true)], []).entry(for: 4) == nil)
        #expect(index([(5, false)], []).entry(for: 6)?.number == 0)
    }

    @Test func `durations reach to the next frame, or come from the last packet`() {
        let frames = index([(100, true)], [100, 103, 110])
        #expect(frames.frames.indices.map(frames.duration) == [3, 7, 7])
        let timings = frames.frameIndex(Rational(1, 1000)).timings
        #expect(timings.map(\.presentation.ticks) == [0, 3, 10])
        #expect(frames.number(at: 103) == 1)
        #expect(frames.number(at: 104) == nil)
    }

    /// Milliseconds, and the frame shown then.
    @Test(arguments: [(-5, 0), (0, 0), (2, 0), (3, 1), (9, 1), (10, 2), (1000, 2)])
    func `the frame at a time is the last one that started`(time: Int, number: Int) {
        let index = index([], [100, 103, 110])
        #expect(index.number(at: .milliseconds(time), Rational(1, 1000)) == number)
    }

    @Test func `extreme time differences saturate`() {
        let timings = index([], [.min + 1, 0, .max]).frameIndex(Rational(1, 1000)).timings
        #expect(timings.map(\.presentation.ticks) == [0, .max, .max])
        #expect(timings.map(\.duration.ticks) == [.max, .max, 7])
        // A demuxer may return such times in any order.
        #expect(index([], [.max, .min + 1]).duration(0) == 0)
    }

    @Test func `checksums of different times differ`() {
        let one = TimesSum(index([], [0, 1, 2]))
        var other = TimesSum()
        for ticks in [0, 1, 2] as [Int64] { other.add(ticks) }
        #expect(one == other)
        #expect(one != TimesSum(index([], [0, 2, 1])))
        #expect(one != TimesSum(index([], [0, 1])))
    }

    /// A packet's bytes, with lengths of four bytes; whether it has an IDR slice.
    @Test(arguments: [
        ([0, 0, 0, 1, 0x65, 0, 0, 0, 1, 0x41], true),
        ([0, 0, 0, 2, 0x67, 0, 0, 0, 0, 1, 0x65], true),
        ([0, 0, 0, 1, 0x41, 0, 0, 0, 1, 0x65], false), ([0, 0, 0, 1, 0x06], false),
        ([0xFF, 0xFF, 0xFF, 0xFF, 0x06, 0x65], false), ([0, 0], false), ([], false),
    ]) func `an IDR picture is recognized by its NAL units`(bytes: [UInt8], isIDR: Bool) {
        #expect(bytes.withUnsafeBufferPointer { NALLayout.lengths(4).containsIDR($0) } == isIDR)
    }

    @Test func `an IDR picture is recognized after start codes`() {
        let bytes: [UInt8] = [0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x67, 1, 0, 0, 1, 0x65, 0x88]
        #expect(bytes.withUnsafeBufferPointer { NALLayout.startCodes.containsIDR($0) })
        #expect(!bytes[..<12].withUnsafeBufferPointer { NALLayout.startCodes.containsIDR($0) })
    }

    /// VP9 packets (specification, 6.2 and annex B), and the number of their shown pictures.
    @Test(arguments: [
        ([0x82], 1), ([0x80], 0), ([0x84], 0), ([0x86], 1), ([0x88], 1), ([], 0),
        // A superframe of a hidden and a shown picture, two bytes and one byte long.
        ([0x80, 0, 0x86, 0xC1, 2, 1, 0xC1], 1),
        // Two shown pictures.
        ([0x82, 0, 0x86, 0xC1, 2, 1, 0xC1], 2),
        // An unmatched marker is data.
        ([0x82, 0, 0, 0xC1], 1),
        // Sizes beyond the packet's end.
        ([0x82, 0xC0, 0xFF, 0xC0], 0),
    ]) func `hidden VP9 pictures are not counted`(bytes: [UInt8], shown: Int) {
        #expect(bytes.withUnsafeBufferPointer { VP9Packet.shownPictures($0) } == shown)
    }
}
