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

    /// Whether nothing can refer to a frame: a shown one that is stored in no slot (`refresh_frame_flags`).
    ///
    /// - Parameter bytes: The frame's header.
    /// - Returns: False also for frames that are shown again, because a key frame then fills all slots.
    func isUnreferenced(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var bits = HeaderBits(bytes)
        let isShownAgain = bits.flag()
        let type = bits.read(2)
        let (isKey, isIntraOnly, isSwitch) = (type == 0, type == 2, type == 3)
        let isShown = bits.flag()
        guard !hasFrameNumbers, !isShownAgain, isShown, !isKey, !isSwitch else { return false }
        let isResilient = bits.flag()
        // disable_cdf_update
        bits.skip(1)
        let hasScreenTools = screenTools ?? bits.flag()
        if hasScreenTools, choosesVectors { bits.skip(1) }
        // frame_size_override_flag, order_hint
        bits.skip(1 + orderHintBits)
        // primary_ref_frame
        if !isIntraOnly, !isResilient { bits.skip(3) }
        return bits.read(8) == 0 && !bits.isBeyondEnd
    }
}
