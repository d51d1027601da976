internal import CJXL
internal import LazyMedia

/// The headers of a JPEG XL: of the picture and of all its frames.
struct JXLHeader: Sendable {
    /// The size, upright.
    let size: PixelSize
    /// The orientation that libjxl applies.
    let orientation: Orientation
    let isAnimated: Bool
    /// Seconds per tick.
    let timeBase: Rational
    /// How often it plays; 0 is forever.
    let plays: Int
    let hasAlpha: Bool
    /// The number of channels: of color, alpha and others.
    let channels: Int
    /// The color of the picture and of its samples.
    let color: JXLColor
    /// All whose bytes may be complete.
    private(set) var frames: [JXLFrame] = []
    /// The places for pictures that frames refer to which are in use.
    private(set) var references: Set<UInt32> = []
    /// Why no frames follow, where the last one is missing.
    private(set) var damage: MediaError?
    /// Whether all bytes of the first frame may be there.
    private(set) var isFirstWhole = true

    /// Reads all headers; decodes nothing.
    init(_ bytes: any ByteSource, limits: DecodingLimits) throws(MediaError) {
        let time = limits.opening
        let handle = try JXLDecoderHandle(bytes, threads: 1, cancellation: CancellationFlag())
        handle.checkTime = { () throws(MediaError) in try time.check() }
        try handle.subscribe(
            to: JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME, mergingLayers: false)
        guard case .basicInfo = try handle.next() else {
            throw MediaError(.malformed, "The JPEG XL has no header.")
        }
        var info = JxlBasicInfo()
        try handle.check(handle.jxl.pointee.JxlDecoderGetBasicInfo(handle.decoder, &info))
        guard let size = PixelSize(checking: Int(info.xsize), Int(info.ysize)) else {
            throw MediaError(.malformed, "The JPEG XL has no usable size.")
        }
        try limits.check(canvas: size)
        self.size = size
        orientation = Orientation(exif: Int(info.orientation.rawValue))
        isAnimated = info.have_animation != 0
        timeBase = Rational(
            Int64(info.animation.tps_denominator), Int64(max(1, info.animation.tps_numerator)))
        plays = Int(info.animation.num_loops)
        hasAlpha = info.alpha_bits > 0
        channels = Int(info.num_color_channels) + Int(info.num_extra_channels)
        guard case .color = try handle.next() else {
            throw MediaError(.malformed, "The JPEG XL has no color.")
        }
        color = try JXLColor(handle, info, limits)
        try readFrames(handle, info, limits)
    }

    /// The bytes that decoding one frame takes: floats of it and of those it refers to, and RGBA.
    var decodedBytes: Int {
        let planes = channels * (1 + references.count)
        let (bytes, isTooMuch) = size.rgbaByteCount.multipliedReportingOverflow(by: planes + 1)
        return isTooMuch ? .max : bytes
    }

    private mutating func readFrames(
        _ handle: JXLDecoderHandle, _ info: JxlBasicInfo, _ limits: DecodingLimits
    ) throws(MediaError) {
        var layers = JXLLayers()
        do throws(MediaError) {
            while case let event = try handle.next(), event != .end {
                guard event == .frame else { continue }
                let layer = try layers.read(handle, Int(info.num_extra_channels), limits)
                if let place = layer.reference { references.insert(place) }
                try limits.check(entries: frames.count + layers.count)
                if layer.isDisplayed { frames.append(layers.merge()) }
            }
        } catch  where error.code == .truncated || error.code == .malformed {
            damage = error
            // The layer whose header came last is not complete.
            if error.code == .truncated { dropLast(&layers) }
        }
        guard !frames.isEmpty else {
            throw damage ?? MediaError(.malformed, "The JPEG XL has no picture.")
        }
        try limits.check(memory: decodedBytes)
    }

    private mutating func dropLast(_ layers: inout JXLLayers) {
        if layers.count == 0, frames.count > 1 {
            frames.removeLast()
        } else if layers.count == 0 {
            isFirstWhole = false
        } else if frames.isEmpty {
            isFirstWhole = false
            frames.append(layers.merge())
        }
    }
}
