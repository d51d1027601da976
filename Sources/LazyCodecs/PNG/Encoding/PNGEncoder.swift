internal import CKernels
package import LazyMedia

/// Writes bitmaps as PNG files in memory, quickly; reuses its buffers.
///
/// A picture of at most 256 colors becomes a palette PNG, an opaque one RGB, another RGBA; one with a
/// profile for gray becomes gray. The pixels are always exact. Use one encoder per thread: it is not Sendable.
package final class PNGEncoder: RowEncoding {
    /// The trade-off between speed and size.
    package enum Level: Sendable {
        /// Filter Up and the quickest compression, for many frames.
        case fast
        /// The best filter for each row and stronger compression, for a single small picture.
        case small
        /// The smaller file of both: filters of rows are estimates.
        case smaller
        /// The smallest of these and of zlib's at its highest level.
        case smallest

        /// The level of an effort of 0 to 10; a file is never larger for more of it.
        package init(effort: Int) { self = effort < 4 ? .fast : effort < 7 ? .smaller : .smallest }
    }

    /// Keywords and texts for the file, such as those of desktop thumbnails.
    package typealias Texts = [(key: String, value: String)]

    let writer: ScanlineWriter
    let colors: ColorIndex
    private var scanlines = GrowingBytes()
    var file = PNGFileBytes()
    var color = ColorDescription.sRGB
    /// The bytes of the first rows of a picture that tell how it is likely to be written, where rows come one by one.
    package var guessedBytes = 4 << 20
    let level: Level

    /// Makes an encoder; throws `.environment` when there is no memory.
    package init(level: Level = .fast) throws(MediaError) {
        writer = try ScanlineWriter(level: level)
        self.level = level
        colors = try ColorIndex()
    }

    /// Encodes a picture, with 16 bits a sample where it has them.
    package func encode<Result>(
        _ picture: StillPicture, _ use: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        if let deep = picture.deep {
            return try encode(deep: deep, color: picture.color, text: picture.texts, use)
        }
        return try encode(picture.bitmap, color: picture.color, text: picture.texts, use)
    }

    /// Encodes a picture and lends the whole file; the pointer is valid only inside the closure.
    ///
    /// `color` is what the samples mean, which the file says.
    /// Throws what the closure throws, and `.environment` when there is no memory.
    package func encode<Result>(
        _ bitmap: Bitmap, color: ColorDescription = .sRGB, text: Texts = [],
        _ use: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        self.color = color
        if color.isGray, try writeGray(bitmap, color, text) { return try file.bytes.withBytes(use) }
        var least: [UInt8]?
        for attempt in level.attempts {
            writer.attempt = attempt
            try write(bitmap, text)
            if level.attempts.count == 1 { return try file.bytes.withBytes(use) }
            if least.map({ $0.count > file.bytes.count }) ?? true {
                least = try file.bytes.withBytes { (bytes) throws(MediaError) in Array(bytes) }
            }
        }
        return try (least ?? []).withBytes(use)
    }

    private func write(_ bitmap: Bitmap, _ text: Texts) throws(MediaError) {
        try bitmap.withBytes { (bytes) throws(MediaError) in
            guard let rgba = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            let rows = cscanline_rows(
                rgba: rgba, width: bitmap.size.width, stride: bitmap.stride, first_row: 0,
                row_count: bitmap.size.height)
            try write(rows, size: bitmap.size, isOpaque: bitmap.isOpaque, text)
        }
    }

    /// Writes the file of a picture of 8 bits a sample.
    func write(
        _ rows: cscanline_rows, size: PixelSize, isOpaque: Bool, _ text: Texts
    ) throws(MediaError) {
        let indices = try scanlines.room(for: (1 + size.width) * size.height)
        let form = form(of: rows, isOpaque: isOpaque, into: indices)
        try beginFile(form, size: size, text)
        switch form {
        case .indexed(let depth): try write(indices, size: size, form, depth: depth)
        case .colors: try writer.write(rows, form, to: &file)
        }
        try file.end()
    }

    private func write(
        _ indices: UnsafeMutablePointer<UInt8>, size: PixelSize, _ form: PNGForm, depth: Int
    ) throws(MediaError) {
        let rowBytes = 1 + size.width
        func packed(_ rows: Range<Int>) -> (UnsafeMutablePointer<UInt8>, count: Int) {
            let start = indices + rows.lowerBound * rowBytes
            guard depth < 8 else { return (start, rows.count * rowBytes) }
            return (start, cscanline_pack_indices(start, size.width, rows.count, CInt(depth)))
        }
        if writer.attempt.isSqueezed {
            let (start, count) = packed(0..<size.height)
            return try file.append(squeezed: start, count: count)
        }
        let stripes = try writer.stripes(of: size, form)
        try file.appendPixels(
            of: rowBytes * size.height, effort: stripes.effort, with: writer.deflater
        ) { (deflater, output) throws(MediaError) in
            for first in stride(from: 0, to: size.height, by: stripes.rowCount) {
                let end = min(first + stripes.rowCount, size.height)
                let (start, count) = packed(first..<end)
                try deflater.append(
                    start, count: count, isLast: end == size.height, to: &output)
            }
        }
    }
}

extension PNGEncoder.Level {
    /// One way to write a picture.
    struct Attempt {
        /// Whether each row has the filter that is best for it.
        let hasBestFilters: Bool
        /// Whether zlib compresses, not ISA-L.
        let isSqueezed: Bool
    }

    /// The ways that are tried, of which the smallest file stays.
    var attempts: [Attempt] {
        let quick = [false, true].map { Attempt(hasBestFilters: $0, isSqueezed: false) }
        return switch self {
        case .fast: [quick[0]]
        case .small: [quick[1]]
        case .smaller: quick
        case .smallest: quick + [false, true].map { Attempt(hasBestFilters: $0, isSqueezed: true) }
        }
    }
}
