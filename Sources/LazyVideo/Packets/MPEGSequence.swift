internal import CFFmpeg

/// The form of pictures that the header of a sequence of MPEG-1, MPEG-2 or MPEG-4 declares.
///
/// Where it differs from that of the sequence before, FFmpeg's decoders restart and lose the picture that they still
/// hold (`mpeg_decode_postinit`, `ff_h263_decode_frame`). Other fields may change without that.
struct MPEGSequence: Equatable {
    /// The width and the height.
    private var size: [Int] = []
    /// The lines of whole macroblocks, or of pairs of them where pictures may have two fields.
    private var codedHeight = 0
    /// The code of the form of pixels, or of pictures; 0 for MPEG-4.
    private var aspect = 0

    /// Reads the header before the first picture of a packet; nil where there is none, and for other codecs.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, _ codec: AVCodecID) {
        switch codec {
        case AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO: readSequence(bytes)
        case AV_CODEC_ID_MPEG4: readLayer(bytes)
        default: return nil
        }
        if size.isEmpty { return nil }
    }

    /// A sequence header, and of MPEG-2 its extension (ISO 13818-2, 6.2.2.1 and 6.2.2.3).
    private mutating func readSequence(_ bytes: UnsafeBufferPointer<UInt8>) {
        var position = 0
        while let start = NALLayout.startCodes.next(bytes, from: &position) {
            var bits = HeaderBits(.init(rebasing: bytes[(start + 1)...]))
            switch bytes[start] {
            case 0xB3:
                size = [bits.read(12), bits.read(12)]
                codedHeight = (size[1] + 15) & ~15
                aspect = bits.read(4)
            case 0xB5 where !size.isEmpty && bits.read(4) == 1:
                bits.skip(8)
                let unit = bits.flag() ? 16 : 32
                bits.skip(2)
                size = zip(size, [bits.read(2), bits.read(2)]).map { $0 | $1 << 12 }
                codedHeight = (size[1] + unit - 1) / unit * unit
            // A slice.
            case 0x01...0xAF: return
            default: break
            }
        }
    }

    /// A video object layer of rectangular pictures (ISO 14496-2, 6.2.3).
    private mutating func readLayer(_ bytes: UnsafeBufferPointer<UInt8>) {
        var position = 0
        while let start = NALLayout.startCodes.next(bytes, from: &position) {
            // A picture.
            if bytes[start] == 0xB6 { return }
            guard (0x20...0x2F).contains(bytes[start]) else { continue }
            var bits = HeaderBits(.init(rebasing: bytes[(start + 1)...]))
            bits.skip(9)
            if bits.flag() { bits.skip(7) }
            if bits.read(4) == 15 { bits.skip(16) }
            // Control parameters, with those of the buffer.
            if bits.flag() {
                bits.skip(3)
                if bits.flag() { bits.skip(79) }
            }
            guard bits.read(2) == 0 else { return }
            bits.skip(1)
            let resolution = bits.read(16)
            bits.skip(1)
            if bits.flag() {
                bits.skip(max(1, Int.bitWidth - max(0, resolution - 1).leadingZeroBitCount))
            }
            bits.skip(1)
            let width = bits.read(13)
            bits.skip(1)
            size = [width, bits.read(13)]
            return
        }
    }
}
