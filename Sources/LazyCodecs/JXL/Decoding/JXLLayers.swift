internal import CJXL
internal import LazyMedia

/// A frame that is displayed: a layer with a duration, or the last one, and those merged into it.
struct JXLFrame: Hashable, Sendable {
    /// Ticks.
    let duration: UInt32
    /// The number of layers that are decoded for it.
    let layers: Int
    /// Whether a layer replaces all that was before.
    let isKeyframe: Bool
}

/// The header of one layer, which the standard calls a frame.
struct JXLLayer {
    let duration: UInt32
    let isDisplayed: Bool
    /// The place where it is kept for layers that refer to it, or nil.
    let reference: UInt32?
    /// Whether nothing of what was before shows through.
    let isReplacing: Bool
}

/// The layers that belong to the next displayed frame.
struct JXLLayers {
    /// The number of layers so far.
    private(set) var count = 0
    private var duration: UInt32 = 0
    private var isReplaced = false

    /// Reads the header of a layer, and checks its size, which may exceed that of the picture.
    mutating func read(
        _ handle: JXLDecoderHandle, _ extraChannels: Int, _ limits: DecodingLimits
    ) throws(MediaError) -> JXLLayer {
        var header = JxlFrameHeader()
        try handle.check(handle.jxl.pointee.JxlDecoderGetFrameHeader(handle.decoder, &header))
        let info = header.layer_info
        guard let size = PixelSize(checking: Int(info.xsize), Int(info.ysize)) else {
            throw MediaError(.malformed, "The JPEG XL has a layer without a usable size.")
        }
        try limits.checkPixels(size)
        let isDisplayed = header.duration > 0 || header.is_last != 0
        let isKept = info.save_as_reference > 0 || !isDisplayed
        let layer = JXLLayer(
            duration: header.duration, isDisplayed: isDisplayed,
            reference: isKept ? info.save_as_reference : nil,
            isReplacing: info.have_crop == 0
                && Self.isReplacing(handle, info.blend_info, extraChannels))
        count += 1
        duration = layer.duration
        isReplaced = isReplaced || layer.isReplacing
        return layer
    }

    /// The displayed frame of the layers; the next layers are those of another one.
    mutating func merge() -> JXLFrame {
        defer { self = JXLLayers() }
        return JXLFrame(duration: duration, layers: count, isKeyframe: isReplaced)
    }

    private static func isReplacing(
        _ handle: JXLDecoderHandle, _ color: JxlBlendInfo, _ extraChannels: Int
    ) -> Bool {
        let replaces = { (info: JxlBlendInfo) in info.blendmode == JXL_BLEND_REPLACE }
        return replaces(color)
            && (0..<extraChannels).allSatisfy { index in
                var info = JxlBlendInfo()
                let status = handle.jxl.pointee.JxlDecoderGetExtraChannelBlendInfo(
                    handle.decoder, index, &info)
                return status == JXL_DEC_SUCCESS && replaces(info)
            }
    }
}
