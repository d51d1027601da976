internal import CJPEG
internal import LazyMedia

/// The decoded pixels of a JPEG, before rotation.
struct JPEGPixels {
    /// The picture; missing rows are transparent.
    let bitmap: Bitmap
    private(set) var warnings: [MediaWarning] = []

    /// Reads the pixels, scaled by libjpeg as far as that is cheaper.
    ///
    /// With `inks` they are CMYK in the file, and converted before they are scaled.
    ///
    /// Throws `.truncated` or `.malformed` when no row was read.
    init(
        _ bytes: any ByteSource, codedSize: PixelSize, wanted: PixelSize?, _ input: JPEGInput,
        inks: ColorConverter? = nil
    ) throws(MediaError) {
        let eighths = Self.eighths(from: codedSize, to: wanted ?? codedSize)
        let size = Self.size(codedSize, eighths: eighths)
        var result = cjpeg_result()
        let whole = try Bitmap(size: size, isOpaque: true) { (rgba) throws(MediaError) in
            result = try Self.read(
                size, eighths: eighths, input, keepsInks: inks != nil, into: .memory(rgba))
            guard result.rows > 0 else { try input.check(CJPEG_TRUNCATED, []); return }
            if let inks { Self.convert(rgba, Int(result.rows) * size.width, by: inks) }
            rgba[(Int(result.rows) * size.width * 4)...].withMemoryRebound(to: UInt8.self) {
                $0.update(repeating: 0)
            }
        }
        warnings = result.mediaWarnings
        let rows = Int(result.rows)
        bitmap = try (rows == size.height ? whole : whole.notOpaque).scaled(to: wanted ?? codedSize)
    }

    /// Passes on the rows of a picture at its size; the warnings, or nil where rows are missing.
    ///
    /// With `keepsInks` they are CMYK as in the file.
    static func readRows(
        of size: PixelSize, _ input: JPEGInput, keepsInks: Bool, _ taker: RowTaker
    ) throws(MediaError) -> [MediaWarning]? {
        let result = try taker.reading { () throws(MediaError) in
            try read(size, eighths: 8, input, keepsInks: keepsInks, into: .taker(taker))
        }
        return result.rows == size.height ? result.mediaWarnings : nil
    }

    /// Where rows go.
    private enum Target {
        case memory(UnsafeMutableRawBufferPointer)
        case taker(RowTaker)
    }

    private static func read(
        _ size: PixelSize, eighths: Int, _ input: JPEGInput, keepsInks: Bool, into target: Target
    ) throws(MediaError) -> cjpeg_result {
        var (result, rgba, context) = (
            cjpeg_result(), UnsafeMutablePointer<UInt8>?.none, UnsafeMutableRawPointer?.none
        )
        switch target {
        case .memory(let rows): rgba = rows.bindMemory(to: UInt8.self).baseAddress
        case .taker(let taker): context = Unmanaged.passUnretained(taker).toOpaque()
        }
        let status = withExtendedLifetime(target) {
            input.withSource { source in
                // The size was checked against the format's, whose sides are 16-bit numbers.
                var task = cjpeg_task(
                    source: source, scale: CInt(eighths), width: UInt32(size.width),
                    height: UInt32(size.height), rgba: rgba,
                    take_rows: { context, rows, byteCount in
                        let rows = UnsafeRawBufferPointer(start: rows, count: byteCount)
                        let taker = Unmanaged<RowTaker>.fromOpaque(context).takeUnretainedValue()
                        return taker.take(rows) ? 1 : 0
                    },
                    row_context: context, keeps_cmyk: keepsInks ? 1 : 0,
                    most_scans: CInt(JPEGInput.maxScans),
                    most_memory: input.maxMemory(beside: size))
                return cjpeg_decode(&task, &result)
            }
        }
        try input.check(memory: result.memory, status)
        try input.check(status, result.message)
        return result
    }

    /// The fewest eighths that are not below the wanted size.
    ///
    /// Only powers of two, which are vectorized and exact averages.
    private static func eighths(from size: PixelSize, to wanted: PixelSize) -> Int {
        [1, 2, 4].first { eighths in
            let scaled = Self.size(size, eighths: eighths)
            return scaled.width >= wanted.width && scaled.height >= wanted.height
        } ?? 8
    }

    private static func convert(
        _ rows: UnsafeMutableRawBufferPointer, _ count: Int, by converter: ColorConverter
    ) {
        guard let pixels = rows.bindMemory(to: UInt32.self).baseAddress else { return }
        converter.convert(pixels, into: pixels, count: count)
    }

    private static func size(_ size: PixelSize, eighths: Int) -> PixelSize {
        PixelSize(
            width: (size.width * eighths + 7) / 8, height: (size.height * eighths + 7) / 8)
    }
}

extension cjpeg_result {
    fileprivate var message: [CChar] {
        withUnsafeBytes(of: words) { $0.map { CChar(bitPattern: $0) } }
    }

    fileprivate var mediaWarnings: [MediaWarning] {
        if is_truncated != 0 { return [JPEGEnd.warning] }
        guard warnings > 0 else { return [] }
        let reason = String(cJPEG: message)
        return [MediaWarning(.malformed, "The JPEG is damaged: \(reason).")]
    }
}
