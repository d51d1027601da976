internal import CWebP
internal import LazyBase
internal import LazyMedia

/// Decodes one coded picture into rows of RGBA8.
enum WebPPixels {
    /// The outcome of decoding.
    enum Outcome: Hashable {
        case whole
        /// The data ends early, after so many rows.
        case rows(Int)
        case damaged
    }

    /// The destination of pixels: address, bytes of a row, and size, to which libwebp scales.
    struct Target {
        let start: UnsafeMutableRawPointer
        let stride: Int
        let size: PixelSize
        let isScaled: Bool
    }

    /// The bytes decoded between two checks of the cancellation flag.
    private static let step = 1 << 17

    /// Decodes chunks that begin with `ALPH`, `VP8 ` or `VP8L`.
    ///
    /// `didDecode` is called with the number of rows that are there so far; no one is written again.
    /// Throws `.cancelled`, `.environment` where there is no memory, and what the closure throws.
    static func decode(
        _ data: UnsafeRawBufferPointer, into target: Target, cancellation: CancellationFlag,
        didDecode: ((Int) throws(MediaError) -> Void)? = nil
    ) throws(MediaError) -> Outcome {
        try cancellation.check()
        let decoder = try IncrementalDecoder(target)
        guard let start = data.baseAddress else { return .rows(0) }
        let bytes = start.assumingMemoryBound(to: UInt8.self)
        // What the rows of a step take is memory of those who do not keep them.
        let step = didDecode == nil ? step : step / 16
        var end = 0
        repeat {
            try cancellation.check()
            end = min(data.count, end + step)
            switch WebPIUpdate(decoder.handle, bytes, end) {
            case VP8_STATUS_OK:
                try didDecode?(target.size.height)
                return .whole
            case VP8_STATUS_SUSPENDED:
                try didDecode?(decoder.rows)
                continue
            case VP8_STATUS_OUT_OF_MEMORY:
                throw MediaError(.environment, "There is no memory to decode a WebP picture.")
            default: return .damaged
            }
        } while end < data.count
        return .rows(decoder.rows)
    }
}

/// Owns libwebp's incremental decoder and its settings.
private final class IncrementalDecoder {
    let handle: OpaquePointer
    private let config: UnsafeMutablePointer<WebPDecoderConfig>

    init(_ target: WebPPixels.Target) throws(MediaError) {
        let config = UnsafeMutablePointer<WebPDecoderConfig>.allocate(capacity: 1)
        config.initialize(to: WebPDecoderConfig())
        WebPInitDecoderConfig(config)
        config.pointee.options.use_scaling = target.isScaled ? 1 : 0
        config.pointee.options.scaled_width = CInt(target.size.width)
        config.pointee.options.scaled_height = CInt(target.size.height)
        config.pointee.output.colorspace = MODE_RGBA
        config.pointee.output.is_external_memory = 1
        config.pointee.output.width = CInt(target.size.width)
        config.pointee.output.height = CInt(target.size.height)
        config.pointee.output.u.RGBA.rgba = target.start.assumingMemoryBound(to: UInt8.self)
        config.pointee.output.u.RGBA.stride = CInt(target.stride)
        config.pointee.output.u.RGBA.size =
            target.stride * (target.size.height - 1) + target.size.width * 4
        guard let handle = WebPIDecode(nil, 0, config) else {
            config.deallocate()
            throw MediaError(.environment, "libwebp could not make a decoder.")
        }
        self.handle = handle
        self.config = config
        LiveHandles.didOpen()
    }

    /// The number of rows written so far.
    var rows: Int {
        var last: CInt = 0
        guard WebPIDecGetRGB(handle, &last, nil, nil, nil) != nil else { return 0 }
        return Int(last)
    }

    deinit {
        WebPIDelete(handle)
        WebPFreeDecBuffer(&config.pointee.output)
        config.deallocate()
        LiveHandles.didClose()
    }
}
