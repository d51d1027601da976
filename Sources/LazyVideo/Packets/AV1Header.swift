import LazyMedia

/// The size of pictures and the syntax of frames in an AV1 sequence header (AV1 specification, 5.5).
///
/// dav1d allocates memory for the size before FFmpeg can reject it.
struct AV1Header: Equatable {
    /// The largest picture.
    let size: PixelSize
    /// The bytes of one picture.
    let pictureBytes: Int
    /// The syntax of frames; nil where a decoder model adds fields to them.
    let frames: AV1FrameSyntax?

    /// The header with the largest pictures among a packet's OBUs, or nil where there is none.
    static func largest(in bytes: UnsafeBufferPointer<UInt8>) -> AV1Header? {
        var largest: AV1Header?
        OBU.forEach(bytes) { unit in
            guard unit.type == 1,
                let header = AV1Header(UnsafeBufferPointer(rebasing: bytes[unit.payload]))
            else { return }
            if header.pictureBytes > largest?.pictureBytes ?? 0 { largest = header }
        }
        return largest
    }

    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var bits = HeaderBits(bytes)
        let profile = bits.read(3)
        bits.skip(1)
        let isReduced = bits.flag()
        var hasDecoderModel = false
        if isReduced { bits.skip(5) } else { hasDecoderModel = Self.skipOperation(&bits) }
        let (widthBits, heightBits) = (bits.read(4) + 1, bits.read(4) + 1)
        let (width, height) = (bits.read(widthBits) + 1, bits.read(heightBits) + 1)
        let syntax = AV1FrameSyntax(&bits, isReduced: isReduced)
        let isHigh = bits.flag()
        let isTwelve = isHigh && profile == 2 && bits.flag()
        guard !bits.isBeyondEnd, let size = PixelSize(checking: width, height) else { return nil }
        self.size = size
        frames = hasDecoderModel || isReduced ? nil : syntax
        // Twice the samples per pixel: 4:2:0, 4:4:4, or the most of the third profile.
        let samples = [3, 6, isTwelve ? 6 : 4][min(profile, 2)]
        pictureBytes = size.pixelCount * samples / 2 * (isHigh ? 2 : 1)
    }

    /// Skips timing, decoder model and operating points; returns whether there is a decoder model.
    private static func skipOperation(_ bits: inout HeaderBits) -> Bool {
        var delayBits: Int?
        if bits.flag() {
            bits.skip(64)
            if bits.flag() { bits.skipVariable() }
            if bits.flag() {
                delayBits = bits.read(5) + 1
                bits.skip(32 + 5 + 5)
            }
        }
        let hasDisplayDelay = bits.flag()
        for _ in 0...bits.read(5) {
            bits.skip(12)
            if bits.read(5) > 7 { bits.skip(1) }
            if let delayBits, bits.flag() { bits.skip(2 * delayBits + 1) }
            if hasDisplayDelay, bits.flag() { bits.skip(4) }
        }
        return delayBits != nil
    }
}
