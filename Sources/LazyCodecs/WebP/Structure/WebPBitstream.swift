/// The header of a coded picture: its size, and whether it includes alpha.
struct WebPBitstream: Hashable, Sendable {
    /// The bytes of the header.
    static let headCount = 10

    let width: Int
    let height: Int
    let isLossless: Bool
    /// Whether a lossless picture declares alpha.
    let hasAlpha: Bool

    /// Reads the beginning of a chunk's content; nil where it is no picture.
    init?(_ name: RIFFName, _ head: [UInt8]) {
        switch name {
        case .lossy: self.init(lossy: head)
        case .lossless: self.init(lossless: head)
        default: return nil
        }
    }

    /// A VP8 key frame (RFC 6386, 9.1): three bytes of tag, three of start code, two sides.
    private init?(lossy head: [UInt8]) {
        guard head.count >= 10 else { return nil }
        let tag = head.little24(0)
        let isKeyframe = tag & 1 == 0
        let profile = tag >> 1 & 7
        let isShown = tag >> 4 & 1 == 1
        guard isKeyframe, profile <= 3, isShown, head.little24(3) == 0x2A_019D else { return nil }
        // Two bits of each side are a scale, which players ignore.
        width = head.little24(6) & 0x3FFF
        height = Int(head[8]) | Int(head[9] & 0x3F) << 8
        guard width > 0, height > 0 else { return nil }
        isLossless = false
        hasAlpha = false
    }

    /// A VP8L stream (WebP lossless bitstream specification, 3): a signature and 32 bits.
    private init?(lossless head: [UInt8]) {
        guard head.count >= 5, head[0] == 0x2F else { return nil }
        let bits = head.little32(1)
        guard bits >> 29 == 0 else { return nil }
        width = Int(bits & 0x3FFF) + 1
        height = Int(bits >> 14 & 0x3FFF) + 1
        isLossless = true
        hasAlpha = bits >> 28 & 1 == 1
    }
}
