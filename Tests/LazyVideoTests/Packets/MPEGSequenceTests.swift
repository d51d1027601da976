import CFFmpeg
import LazyMedia
import Testing

@testable import LazyVideo

@Suite struct MPEGSequenceTests {
    private static func read(_ bytes: [UInt8], _ codec: AVCodecID) -> MPEGSequence? {
        bytes.withUnsafeBufferPointer { MPEGSequence($0, codec) }
    }

    /// A sequence header with its extension, and the first slice.
    private static func header(
        height: Int = 576, aspect: Int = 3, rate: Int = 3, level: Int = 0x48,
        isProgressive: Bool = false
    ) -> MPEGSequence? {
        let size = 720 << 12 | height
        let form = 1 << 24 | level << 16 | (isProgressive ? 1 << 15 : 0) | 1 << 13
        return read(
            [0, 0, 1, 0xB3, UInt8(size >> 16), UInt8(size >> 8 & 255), UInt8(size & 255)]
                + [UInt8(aspect << 4 | rate), 0xFF, 0xFF, 0xE0, 0x18, 0, 0, 1, 0xB5]
                + [24, 16, 8, 0].map { UInt8((form << 4) >> $0 & 255) } + [0, 0, 0, 1, 1, 0xFF],
            AV_CODEC_ID_MPEG2VIDEO)
    }

    @Test func `a sequence of other pictures is another one`() {
        #expect(Self.header() != nil)
        #expect(Self.header() == Self.header(rate: 5, level: 0x44))
        #expect(Self.header() != Self.header(height: 480))
        #expect(Self.header() != Self.header(aspect: 2))
        // 18 pairs of macroblocks in any case; 144 lines are 9 macroblocks, and 5 pairs.
        #expect(Self.header() == Self.header(isProgressive: true))
        #expect(Self.header(height: 144) != Self.header(height: 144, isProgressive: true))
        #expect(
            Self.read([0, 0, 1, 0, 0, 0, 0, 1, 1, 0xB3, 1, 2, 3, 4], AV_CODEC_ID_MPEG2VIDEO) == nil)
        #expect(Self.read([0, 0, 1, 0xB3, 1, 2, 3, 4], AV_CODEC_ID_H264) == nil)
    }

    @Test func `a layer of MPEG-4 differs by its size alone`() {
        func layer(_ width: Int, _ height: Int, resolution: Int) -> MPEGSequence? {
            let fields = [
                (0, 1), (1, 8), (1, 1), (5, 4), (3, 3), (1, 4), (0, 1), (0, 2), (1, 1),
                (resolution, 16), (1, 1), (0, 1), (1, 1), (width, 13), (1, 1), (height, 13),
                (1, 1), (0, 5),
            ]
            let bits = fields.flatMap { field in
                (0..<field.1).reversed().map { field.0 >> $0 & 1 }
            }
            let bytes = stride(from: 0, to: bits.count - 7, by: 8).map { start in
                UInt8(bits[start..<start + 8].reduce(0) { $0 << 1 | $1 })
            }
            return Self.read([0, 0, 1, 0x20] + bytes + [0, 0, 1, 0xB6, 0], AV_CODEC_ID_MPEG4)
        }
        #expect(layer(176, 144, resolution: 25) != nil)
        #expect(layer(176, 144, resolution: 25) == layer(176, 144, resolution: 30_000))
        #expect(layer(176, 144, resolution: 25) != layer(320, 144, resolution: 25))
        #expect(layer(176, 144, resolution: 25) != layer(176, 240, resolution: 25))
        #expect(Self.read([0, 0, 1, 0xB6, 0, 0, 1, 0x20, 0, 0], AV_CODEC_ID_MPEG4) == nil)
    }
}
