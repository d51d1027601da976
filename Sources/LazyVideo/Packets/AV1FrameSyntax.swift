/// The fields at the beginning of AV1 frame headers, which the sequence header chooses (AV1 specification, 5.5.1
/// and 5.9.2).
struct AV1FrameSyntax: Equatable {
    /// The length of `frame_id` is in the sequence header; such streams are rare.
    let hasFrameNumbers: Bool
    /// Whether frames have screen content tools; nil where each frame says so.
    private var screenTools: Bool?
    /// Whether a frame with screen content tools says whether its motion vectors are whole numbers.
    private var choosesVectors = true
    private var orderHintBits = 0

    /// Reads the fields of a sequence header from `frame_id_numbers_present_flag` to `enable_restoration`.
    init(_ bits: inout HeaderBits, isReduced: Bool) {
        hasFrameNumbers = !isReduced && bits.flag()
        if hasFrameNumbers { bits.skip(4 + 3) }
        bits.skip(3)
        if !isReduced {
            bits.skip(4)
            let hasOrderHint = bits.flag()
            if hasOrderHint { bits.skip(2) }
            screenTools = bits.flag() ? nil : bits.flag()
            if screenTools != false {
                choosesVectors = bits.flag()
                if !choosesVectors { bits.skip(1) }
            }
            if hasOrderHint { orderHintBits = bits.read(3) + 1 }
        }
        bits.skip(3)
    }

    /// Reads a frame header up to the slots that it refers to (`ref_frame_idx`); nil where it is not understood.
    func header(_ bytes: UnsafeBufferPointer<UInt8>) -> AV1FrameHeader? {
        guard !hasFrameNumbers else { return nil }
        var bits = HeaderBits(bytes)
        if bits.flag() {
            let slot = bits.read(3)
            return bits.isBeyondEnd ? nil : AV1FrameHeader(slotShownAgain: slot)
        }
        let type = bits.read(2)
        let (isKey, isIntraOnly, isSwitch) = (type == 0, type == 2, type == 3)
        let isShown = bits.flag()
        // showable_frame
        if !isShown { bits.skip(1) }
        let startsAnew = isSwitch || isKey && isShown
        let isResilient = startsAnew || bits.flag()
        // disable_cdf_update
        bits.skip(1)
        let hasScreenTools = screenTools ?? bits.flag()
        if hasScreenTools, choosesVectors { bits.skip(1) }
        // frame_size_override_flag, order_hint
        bits.skip((isSwitch ? 0 : 1) + orderHintBits)
        let isIntra = isKey || isIntraOnly
        // primary_ref_frame
        if !isIntra, !isResilient { bits.skip(3) }
        let stored = startsAnew ? 0xFF : bits.read(8)
        var references = 0
        if !isIntra {
            // A resilient frame also says which pictures it expects in all slots; some leave it to the decoder to
            // find theirs by their order (frame_refs_short_signaling).
            if orderHintBits > 0, isResilient || bits.flag() {
                references = 0xFF
            } else {
                for _ in 0..<7 { references |= 1 << bits.read(3) }
            }
        }
        guard !bits.isBeyondEnd else { return nil }
        return AV1FrameHeader(
            isShown: isShown, isKey: isKey, references: UInt8(references), stored: UInt8(stored))
    }
}

/// What a frame header tells of the eight slots that hold the pictures to which frames refer.
struct AV1FrameHeader: Equatable {
    /// Whether it is the picture of its packet.
    var isShown = true
    /// Whether it is a key frame.
    var isKey = false
    /// The slots that it may refer to, one bit each.
    var references: UInt8 = 0
    /// The slots in which it is stored (`refresh_frame_flags`); of a key frame that is shown again all, which its
    /// slot tells.
    var stored: UInt8 = 0
    /// The slot whose picture is shown, of a header without a picture of its own.
    var slotShownAgain: Int?
}
