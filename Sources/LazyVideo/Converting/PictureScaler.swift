internal import CFFmpeg
internal import LazyMedia

/// Owns a swscale context for one kind of picture.
final class PictureScaler {
    /// The context; valid as long as this object.
    let context: OpaquePointer

    /// Makes a scaler from swscale's own options.
    init(_ settings: [(String, Int64)]) throws(MediaError) {
        guard let context = lz_sws_alloc() else {
            throw MediaError(.environment, "There is no memory to convert pictures.")
        }
        self.context = context
        LiveHandles.didOpen()
        let raw = UnsafeMutableRawPointer(context)
        for (name, value) in settings { lz_set_int(raw, name, value) }
        try check(lz_sws_init(context), "prepare the conversion of pictures")
    }

    deinit {
        lz_sws_free(context)
        LiveHandles.didClose()
    }

    /// The options of a scaler from one size and format to another.
    static func settings(
        from source: PixelSize, _ sourceFormat: CInt, to target: PixelSize,
        _ targetFormat: AVPixelFormat
    ) -> [(String, Int64)] {
        let isMuchSmaller = source.pixelCount > 16 * target.pixelCount
        // Sums of many samples are rounded, not each product: flat areas keep their color.
        let bicubic = isMuchSmaller ? LZ_SWS_BICUBIC | LZ_SWS_ACCURATE : LZ_SWS_BICUBIC
        // swscale has bicubic filters of at most 256 samples: four for each sample of the source that becomes one.
        let isTooLong = source.width / 32 > target.width || source.height / 32 > target.height
        let flags = isTooLong ? LZ_SWS_AREA : bicubic
        return [
            ("srcw", Int64(source.width)), ("srch", Int64(source.height)),
            ("src_format", Int64(sourceFormat)),
            ("dstw", Int64(target.width)), ("dsth", Int64(target.height)),
            ("dst_format", Int64(targetFormat.rawValue)), ("sws_flags", Int64(flags)),
        ]
    }
}

/// A growing buffer for rows that swscale writes past their end.
struct ScratchRows: ~Copyable {
    private var rows: UnsafeMutableRawBufferPointer?

    deinit { rows?.deallocate() }

    /// At least this many bytes; their previous content is lost.
    mutating func room(byteCount: Int) throws(MediaError) -> UnsafeMutableRawPointer {
        if let rows, rows.count >= byteCount, let start = rows.baseAddress { return start }
        rows?.deallocate()
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
        rows = room
        guard let start = room.baseAddress else {
            throw MediaError(.environment, "There is no memory to convert pictures.")
        }
        return start
    }
}
