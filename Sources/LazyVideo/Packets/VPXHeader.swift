internal import CFFmpeg

/// The size in the header of a VP8 or VP9 frame.
///
/// libvpx allocates memory for it before it can be checked: up to 16,383 x 16,383 from a few bytes.
enum VPXHeader {
    /// The most pixels declared by a frame of a packet; 0 where none declares a size.
    static func maxPixels(_ bytes: UnsafeBufferPointer<UInt8>, _ codec: AVCodecID) -> Int {
        guard codec == AV_CODEC_ID_VP9 else { return pixelsOfVP8(bytes) ?? 0 }
        return VP9Packet.frames(bytes).compactMap(pixelsOfVP9).max() ?? 0
    }

    /// The bytes that libvpx allocates for one picture of this many pixels, at the packet's bit depth.
    static func pictureBytes(
        _ bytes: UnsafeBufferPointer<UInt8>, _ codec: AVCodecID, pixels: Int
    ) -> Int {
        // The odd profiles have full chroma, the upper two more than 8 bits.
        let profile = codec == AV_CODEC_ID_VP9 ? Int(bytes.first ?? 0) >> 4 & 3 : 0
        let isFull = profile & 2 != 0
        let isHigh = profile & 1 != 0
        return pixels * (isFull ? 6 : 3) / 2 * (isHigh ? 2 : 1)
    }

    /// The pixels of a VP8 keyframe, or nil (RFC 6386, 9.1).
    static func pixelsOfVP8(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard bytes.count >= 10, bytes[0] & 1 == 0, bytes[3] == 0x9D, bytes[4] == 0x01,
            bytes[5] == 0x2A
        else { return nil }
        let width = (Int(bytes[6]) | Int(bytes[7]) << 8) & 0x3FFF
        let height = (Int(bytes[8]) | Int(bytes[9]) << 8) & 0x3FFF
        return width * height
    }

    /// The pixels of a VP9 frame that declares its size, or nil (VP9 specification, 6.2).
    static func pixelsOfVP9(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var bits = HeaderBits(bytes)
        guard bits.read(2) == 2 else { return nil }
        let profile = bits.read(1) | bits.read(1) << 1
        if profile == 3 { bits.skip(1) }
        guard bits.read(1) == 0 else { return nil }
        let isKey = bits.read(1) == 0
        let isShown = bits.read(1) == 1
        let isResilient = bits.read(1) == 1
        if isKey {
            bits.skip(24)
            skipColors(&bits, profile)
            return size(&bits)
        }
        let isIntra = !isShown && bits.read(1) == 1
        if !isResilient { bits.skip(2) }
        if isIntra {
            bits.skip(24)
            if profile > 0 { skipColors(&bits, profile) }
            bits.skip(8)
            return size(&bits)
        }
        bits.skip(8 + 3 * 4)
        for _ in 0..<3 where bits.read(1) == 1 { return nil }
        return size(&bits)
    }

    private static func skipColors(_ bits: inout HeaderBits, _ profile: Int) {
        if profile >= 2 { bits.skip(1) }
        let isRGB = bits.read(3) == 7
        let hasSubsampling = profile & 1 == 1
        bits.skip(isRGB ? (hasSubsampling ? 1 : 0) : (hasSubsampling ? 4 : 1))
    }

    private static func size(_ bits: inout HeaderBits) -> Int? {
        let width = bits.read(16) + 1
        let height = bits.read(16) + 1
        return bits.isBeyondEnd ? nil : width * height
    }
}
