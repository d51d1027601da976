internal import CKernels
internal import LazyMedia

/// Filters and compresses pixels of true color or gray; reuses its buffers.
final class ScanlineWriter {
    var attempt: PNGEncoder.Level.Attempt
    let deflater: Deflater
    private var scanlines = GrowingBytes()
    private var scratch = GrowingBytes()

    init(level: PNGEncoder.Level) throws(MediaError) {
        attempt = .init(hasBestFilters: level != .fast, isSqueezed: false)
        deflater = try Deflater()
    }

    /// Writes the pixels of a picture as colors, in stripes, so that scanlines stay in the cache.
    func write(
        _ all: cscanline_rows, _ form: PNGForm, to file: inout PNGFileBytes
    ) throws(MediaError) {
        if attempt.isSqueezed { return try squeeze(all, form, to: &file) }
        let size = PixelSize(width: all.width, height: all.row_count)
        let stripes = try stripes(of: size, form)
        try file.appendPixels(
            of: stripes.rowBytes * all.row_count, effort: stripes.effort, with: deflater
        ) { (_, file) throws(MediaError) in
            var rows = all
            while rows.first_row < all.row_count {
                rows.row_count = min(stripes.rowCount, all.row_count - rows.first_row)
                let isLast = rows.first_row + rows.row_count == all.row_count
                try append(rows, stripes, isLast: isLast, to: &file)
                rows.first_row += rows.row_count
            }
        }
    }

    /// How the rows of a picture are filtered and compressed, some at a time.
    struct Stripes {
        /// The rows that are compressed at a time; the last stripe may have fewer.
        let rowCount: Int
        let effort: Deflater.Effort
        /// The bytes of a row in the file.
        let rowBytes: Int
        fileprivate let output: UnsafeMutablePointer<UInt8>
        fileprivate let filter: (cscanline_rows, UnsafeMutablePointer<UInt8>) -> Void
    }

    /// The stripes of a picture; they use the memory of this writer.
    func stripes(of size: PixelSize, _ form: PNGForm) throws(MediaError) -> Stripes {
        let (channels, isDither) = form.samples
        let rowBytes = 1 + size.width * channels
        let count = max(1, min(size.height, form.stripeBytes / rowBytes))
        return try Stripes(
            rowCount: count,
            effort: !attempt.hasBestFilters && !isDither ? .quick : .adaptive, rowBytes: rowBytes,
            output: scanlines.room(for: rowBytes * count + Int(CSCANLINE_SLACK)),
            filter: filter(isDither: isDither, width: size.width, channels: CInt(channels)))
    }

    /// Filters and compresses a stripe; the row above it must be there.
    func append(
        _ rows: cscanline_rows, _ stripes: Stripes, isLast: Bool, to bytes: inout GrowingBytes
    ) throws(MediaError) {
        stripes.filter(rows, stripes.output)
        try deflater.append(
            stripes.output, count: stripes.rowBytes * rows.row_count, isLast: isLast, to: &bytes)
    }

    /// The same at once, which zlib compresses well and slowly.
    private func squeeze(
        _ rows: cscanline_rows, _ form: PNGForm, to file: inout PNGFileBytes
    ) throws(MediaError) {
        let (channels, isDither) = form.samples
        let count = (1 + rows.width * channels) * rows.row_count
        let output = try scanlines.room(for: count + Int(CSCANLINE_SLACK))
        let filter = try filter(isDither: isDither, width: rows.width, channels: CInt(channels))
        filter(rows, output)
        try file.append(squeezed: output, count: count)
    }

    /// Writes rows of samples that a closure provides, `step` bytes a pixel, in stripes.
    ///
    /// The closure writes the rows of a range without padding.
    func write(
        samples rowBytes: Int, step: Int, rows count: Int, to file: inout PNGFileBytes,
        _ fill: (Range<Int>, UnsafeMutablePointer<UInt8>) -> Void
    ) throws(MediaError) {
        let stripe = max(1, min(count, (1 << 18) / rowBytes))
        // The row above a stripe, the stripe, and what filtering needs.
        let memory = try scratch.room(for: rowBytes * (1 + stripe + 3))
        let output = try scanlines.room(for: (1 + rowBytes) * stripe)
        try file.appendPixels(
            of: (1 + rowBytes) * count, effort: attempt.hasBestFilters ? .adaptive : .quick,
            with: deflater
        ) { (deflater, file) throws(MediaError) in
            for first in stride(from: 0, to: count, by: stripe) {
                let end = min(first + stripe, count)
                let rows = memory + rowBytes
                fill(first..<end, rows)
                cscanline_filter_samples(
                    rows, first == 0 ? nil : memory, rowBytes, end - first, step, Self.up,
                    rows + rowBytes * stripe, output)
                memory.update(from: rows + rowBytes * (end - first - 1), count: rowBytes)
                try deflater.append(
                    output, count: (1 + rowBytes) * (end - first), isLast: end == count, to: &file)
            }
        }
    }

    /// The filter Up: of samples of 16 bits the lower bytes mislead the estimate of the best one.
    private static let up: CInt = 2

    private func filter(
        isDither: Bool, width: Int, channels: CInt
    ) throws(MediaError) -> (cscanline_rows, UnsafeMutablePointer<UInt8>) -> Void {
        // Dither patterns repeat, their differences do not.
        if isDither {
            return { cscanline_filter_none($0, channels, $1) }
        }
        if attempt.hasBestFilters {
            let memory = try scratch.room(for: 4 * width * Int(channels))
            return { cscanline_filter_best($0, channels, memory, $1) }
        }
        let kernel = cscanline_best_kernel()
        return channels == 4
            ? { cscanline_filter_rgba($0, $1) } : { cscanline_filter_rgb($0, kernel, $1) }
    }
}
