internal import CFFmpeg

/// What the header of a sequence of MPEG-1, MPEG-2 or MPEG-4 says of the pictures after it.
///
/// Where their size differs from that of the sequence before, FFmpeg's decoders start anew and lose the picture that
/// they still hold.
struct MPEGSequence: Equatable {
    private let values: [Int]

    /// Reads the header before the first picture of a packet; nil where there is none, and for other codecs.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, _ codec: AVCodecID) {
        let values =
            switch codec {
            case AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO: Self.sequence(bytes)
            case AV_CODEC_ID_MPEG4: Self.layer(bytes)
            default: [Int]()
            }
        guard !values.isEmpty else { return nil }
        self.values = values
    }

    /// The size and aspect ratio, and of MPEG-2 the profile, the chroma format, whether all pictures are progressive,
    /// and the upper bits of the size (ISO 13818-2, 6.2.2.1 and 6.2.2.3).
    private static func sequence(_ bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        var position = 0
        var values: [Int] = []
        while let start = NALLayout.startCodes.next(bytes, from: &position) {
            var bits = HeaderBits(.init(rebasing: bytes[(start + 1)...]))
            switch bytes[start] {
            case 0xB3: values.append(bits.read(28))
            case 0xB5 where !values.isEmpty && bits.read(4) == 1: values.append(bits.read(15))
            // A slice.
            case 0x01...0xAF: return values
            default: break
            }
        }
        return values
    }

    /// The bytes of a video object layer (ISO 14496-2, 6.2.3).
    private static func layer(_ bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        var position = 0
        while let start = NALLayout.startCodes.next(bytes, from: &position) {
            // A picture.
            if bytes[start] == 0xB6 { break }
            guard (0x20...0x2F).contains(bytes[start]) else { continue }
            let end = NALLayout.startCodes.next(bytes, from: &position) ?? bytes.count
            return bytes[start..<end].prefix(64).map(Int.init)
        }
        return []
    }
}
