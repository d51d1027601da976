internal import CWebP
internal import LazyBase
internal import LazyMedia

/// Encodes one picture with libwebp into chunks from `ALPH`, `VP8 ` or `VP8L` on.
enum WebPCoder {
    /// Encodes a rectangle of planes of BT.601, which begins at an even column and row.
    ///
    /// `alpha` has a byte for each pixel of the rectangle; nil where all are opaque.
    static func code(
        _ planes: PlanarPicture, alpha: [UInt8]? = nil, _ rect: PixelRect, _ config: WebPConfig,
        _ cancellation: CancellationFlag
    ) throws(MediaError) -> [UInt8] {
        try planes.withBytes { (bytes) throws(MediaError) in
            // libwebp only reads these planes, though their type is mutable.
            guard let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress) else {
                return []
            }
            let first = start.assumingMemoryBound(to: UInt8.self)
            let layout = planes.layout
            let chroma = rect.y / 2 * layout.chromaWidth + rect.x / 2
            let luma = rect.y * planes.size.width + rect.x
            var picture = try Self.picture(rect)
            picture.use_argb = 0
            picture.colorspace = alpha == nil ? WEBP_YUV420 : WEBP_YUV420A
            picture.y = first + luma
            picture.u = first + layout.u + chroma
            picture.v = first + layout.v + chroma
            picture.y_stride = CInt(planes.size.width)
            picture.uv_stride = CInt(layout.chromaWidth)
            guard var alpha else { return try run(&picture, config, cancellation) }
            var result = Result<[UInt8], MediaError>.success([])
            alpha.withUnsafeMutableBufferPointer { alpha in
                picture.a = alpha.baseAddress
                picture.a_stride = CInt(rect.width)
                result = Result { () throws(MediaError) in
                    try run(&picture, config, cancellation)
                }
            }
            return try result.get()
        }
    }

    /// Encodes ARGB pixels, which libwebp may change.
    static func code(
        argb: inout [UInt32], _ size: PixelSize, _ config: WebPConfig,
        _ cancellation: CancellationFlag
    ) throws(MediaError) -> [UInt8] {
        var picture = try picture(
            PixelRect(size))
        var result = Result<[UInt8], MediaError>.success([])
        argb.withUnsafeMutableBufferPointer { pixels in
            picture.use_argb = 1
            picture.argb = pixels.baseAddress
            picture.argb_stride = CInt(size.width)
            result = Result { () throws(MediaError) in try run(&picture, config, cancellation) }
            // Frees planes that libwebp converted the pixels to.
            WebPPictureFree(&picture)
        }
        return try result.get()
    }

    private static func picture(_ rect: PixelRect) throws(MediaError) -> WebPPicture {
        var picture = WebPPicture()
        guard WebPPictureInit(&picture) != 0 else {
            throw MediaError(.environment, "libwebp is of another version than its headers.")
        }
        picture.width = CInt(rect.width)
        picture.height = CInt(rect.height)
        return picture
    }

    /// The context of libwebp's callbacks.
    private final class Run {
        var bytes: [UInt8] = []
        let cancellation: CancellationFlag
        init(_ cancellation: CancellationFlag) { self.cancellation = cancellation }
    }

    private static func run(
        _ picture: inout WebPPicture, _ config: WebPConfig, _ cancellation: CancellationFlag
    ) throws(MediaError) -> [UInt8] {
        try cancellation.check()
        var config = config
        let run = Run(cancellation)
        let isGood = withExtendedLifetime(run) {
            let context = Unmanaged.passUnretained(run).toOpaque()
            picture.custom_ptr = context
            picture.user_data = context
            picture.writer = { data, count, picture in
                guard let data, let context = picture?.pointee.custom_ptr else { return 0 }
                Unmanaged<Run>.fromOpaque(context).takeUnretainedValue().bytes.append(
                    contentsOf: UnsafeBufferPointer(start: data, count: count))
                return 1
            }
            picture.progress_hook = { _, picture in
                guard let context = picture?.pointee.user_data else { return 1 }
                let run = Unmanaged<Run>.fromOpaque(context).takeUnretainedValue()
                return run.cancellation.isCancelled ? 0 : 1
            }
            return WebPEncode(&config, &picture) != 0
        }
        guard isGood else { throw error(picture.error_code) }
        return chunks(run.bytes)
    }

    /// Removes the headers of file and canvas.
    private static func chunks(_ file: [UInt8]) -> [UInt8] {
        let isExtended =
            file.count > 30 && RIFFName(file.little32(12)) == .extended
        return Array(file.dropFirst(isExtended ? 30 : 12))
    }

    private static func error(_ code: WebPEncodingError) -> MediaError {
        switch code {
        case VP8_ENC_ERROR_USER_ABORT: .cancelled
        case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
            MediaError(.environment, "There is no memory to encode a WebP picture.")
        case VP8_ENC_ERROR_PARTITION0_OVERFLOW, VP8_ENC_ERROR_PARTITION_OVERFLOW:
            MediaError(.notWritable, "The picture is too large for WebP at this quality.")
        default:
            MediaError(.notWritable, "libwebp does not encode this picture (\(code.rawValue)).")
        }
    }
}
