/// What a sequence header of MPEG-1 or MPEG-2 says of the pictures after it (ISO 13818-2, 6.2.2.1 and 6.2.2.3).
///
/// Where it differs from the one before, FFmpeg's decoder starts anew and loses the picture that it still holds.
struct MPEGSequence: Equatable {
    /// The size and the aspect ratio: 28 bits.
    private let picture: Int
    /// The profile, whether all pictures are progressive, the chroma format and the size's upper bits; 0 for MPEG-1.
    private let form: Int

    /// Reads the header before the first slice of a packet; nil where there is none.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var position = 0
        var (picture, form): (Int?, Int) = (nil, 0)
        search: while let start = NALLayout.startCodes.next(bytes, from: &position) {
            var bits = HeaderBits(.init(rebasing: bytes[(start + 1)...]))
            switch bytes[start] {
            case 0xB3: picture = bits.read(28)
            case 0xB5 where bits.read(4) == 1: form = bits.read(15)
            case 0x01...0xAF: break search
            default: break
            }
        }
        guard let picture else { return nil }
        (self.picture, self.form) = (picture, form)
    }
}
