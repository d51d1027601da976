/// What an AV1 sequence header says about the beginning of frame headers (AV1 specification, 5.5 and 5.9).
struct AV1FrameHeader: Equatable {
    /// 2 where each frame says whether it has screen content tools.
    private var screenTools = 2
    /// 2 where each frame says whether its motion vectors are whole numbers.
    private var wholeVectors = 2
    private var orderBits = 0

    /// Nil for streams of stills, with frame numbers or with a decoder model, which are rare.
    init?(sequence bytes: UnsafeBufferPointer<UInt8>) {
        var bits = HeaderBits(bytes)
        bits.skip(3 + 1)
        // reduced_still_picture_header
        if bits.flag() { return nil }
        guard Self.skipOperation(&bits) else { return nil }
        let (widthBits, heightBits) = (bits.read(4) + 1, bits.read(4) + 1)
        bits.skip(widthBits + heightBits)
        // frame_id_numbers_present_flag
        if bits.flag() { return nil }
        bits.skip(3 + 4)
        let hasOrder = bits.flag()
        if hasOrder { bits.skip(2) }
        screenTools = bits.flag() ? 2 : bits.read(1)
        wholeVectors = screenTools > 0 ? (bits.flag() ? 2 : bits.read(1)) : 2
        if hasOrder { orderBits = bits.read(3) + 1 }
        if bits.isBeyondEnd { return nil }
    }

    /// Skips timing and operating points; false where there is a decoder model.
    private static func skipOperation(_ bits: inout HeaderBits) -> Bool {
        if bits.flag() {
            bits.skip(64)
            if bits.flag() { bits.skipVariable() }
            if bits.flag() { return false }
        }
        let hasDisplayDelay = bits.flag()
        for _ in 0...bits.read(5) {
            bits.skip(12)
            if bits.read(5) > 7 { bits.skip(1) }
            if hasDisplayDelay, bits.flag() { bits.skip(4) }
        }
        return true
    }

    /// Whether a frame is kept for no other, from the beginning of its header.
    func refreshesNothing(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var bits = HeaderBits(bytes)
        // show_existing_frame: of a key frame it refreshes all, which the header does not tell.
        if bits.flag() { return false }
        let type = bits.read(2)
        let isShown = bits.flag()
        // A hidden frame may be shown by a later packet: showable_frame.
        guard isShown else { return false }
        let (isKey, isIntra, isSwitch) = (type == 0, type == 0 || type == 2, type == 3)
        if isKey || isSwitch { return false }
        let isResilient = bits.flag()
        // disable_cdf_update
        bits.skip(1)
        let hasScreenTools = screenTools == 2 ? bits.flag() : screenTools == 1
        if hasScreenTools, wholeVectors == 2 { bits.skip(1) }
        // frame_size_override_flag
        bits.skip(1 + orderBits)
        // primary_ref_frame
        if !isIntra, !isResilient { bits.skip(3) }
        return bits.read(8) == 0 && !bits.isBeyondEnd
    }
}
