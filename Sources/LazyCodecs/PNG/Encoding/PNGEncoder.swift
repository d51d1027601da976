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
    private let colors: ColorIndex
    private var scanlines = GrowingBytes()
    var file = PNGFileBytes()
    var color = ColorDescription.sRGB
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
        colors.removeAll()
        let indices = try scanlines.room(for: (1 + size.width) * size.height)
        if colors.index(rows, margin: true, into: indices) {
            try writeIndexed(indices, size: size, colors.colors, text)
        } else {
            let isRGB = isOpaque || cscanline_is_opaque(rows) != 0
            try file.begin(size: size, depth: 8, color: isRGB ? .rgb : .rgba, meaning: color)
            try file.append(text)
            try writer.write(rows, channels: isRGB ? 3 : 4, to: &file)
        }
        try file.end()
    }

    private func writeIndexed(
        _ indices: UnsafeMutablePointer<UInt8>, size: PixelSize, _ palette: [UInt32],
        _ text: Texts
    ) throws(MediaError) {
        let depth = palette.count > 16 ? 8 : palette.count > 4 ? 4 : palette.count > 2 ? 2 : 1
        var count = (1 + size.width) * size.height
        if depth < 8 {
            count = cscanline_pack_indices(indices, size.width, size.height, CInt(depth))
        }
        try file.begin(size: size, depth: UInt8(depth), color: .palette, meaning: color)
        try file.append(palette: palette)
        try file.append(text)
        if writer.attempt.isSqueezed { return try file.append(squeezed: indices, count: count) }
        try file.appendPixels(of: count, effort: .adaptive, with: writer.deflater) {
            (deflater, output) throws(MediaError) in
            try deflater.append(indices, count: count, isLast: true, to: &output)
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
