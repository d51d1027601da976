internal import CScanline
public import LazyMedia

/// Writes bitmaps as PNG files in memory, quickly; keeps its buffers from one to the next.
///
/// A picture of at most 256 colours becomes a palette PNG, an opaque one RGB, another RGBA; the
/// pixels are always exact. Use one encoder per thread: it is not Sendable.
public final class PNGEncoder {
    /// What to spend time on.
    public enum Level: Sendable {
        /// Filter Up and the quickest compression, for frames by the hundred.
        case fast
        /// The best filter for each row and stronger compression, for a single small picture.
        case small
    }

    /// A keyword and a text that stand in the file, such as those of a desktop's thumbnails.
    public struct Text: Hashable, Sendable {
        /// 1 to 79 printable ASCII characters, such as `Thumb::MTime`.
        public let key: String
        /// Any text without the character of value 0.
        public let value: String

        /// Makes a text; a key or value that PNG cannot hold is a programmer's mistake.
        public init(key: String, value: String) {
            precondition((1...79).contains(key.utf8.count), "a keyword has 1 to 79 characters")
            precondition(key.utf8.allSatisfy { (32...126).contains($0) }, "a keyword is ASCII")
            precondition(!value.utf8.contains(0), "a text has no character of value 0")
            self.key = key
            self.value = value
        }
    }

    private let level: Level
    private let deflater: Deflater
    private var scanlines = GrowingBytes()
    private var scratch = GrowingBytes()
    private var file = PNGFileBytes()

    /// Makes an encoder; throws `.environment` when there is no memory.
    public init(level: Level = .fast) throws(MediaError) {
        self.level = level
        deflater = try Deflater()
    }

    /// Encodes a picture and lends the whole file; the pointer is good only inside the closure.
    ///
    /// Throws what the closure throws, and `.environment` when there is no memory.
    public func encode<Result>(
        _ bitmap: Bitmap, text: [Text] = [],
        _ use: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try bitmap.withBytes { (bytes) throws(MediaError) in
            guard let rgba = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            let rows = cscanline_rows(
                rgba: rgba, width: bitmap.size.width, stride: bitmap.stride, first_row: 0,
                row_count: bitmap.size.height)
            try write(rows, size: bitmap.size, isOpaque: bitmap.isOpaque, text)
        }
        return try file.bytes.withBytes(use)
    }

    private func write(
        _ rows: cscanline_rows, size: PixelSize, isOpaque: Bool, _ text: [Text]
    ) throws(MediaError) {
        var palette = [UInt32](repeating: 0, count: 256)
        let indices = try scanlines.room(for: (1 + size.width) * size.height)
        let colours = Int(cscanline_index_colours(rows, &palette, indices))
        if colours > 0 {
            try writeIndexed(indices, size: size, palette[..<colours], text)
        } else {
            let isRGB = isOpaque || cscanline_is_opaque(rows) != 0
            try file.begin(size: size, depth: 8, colour: isRGB ? .rgb : .rgba)
            try file.append(text)
            try writeTrueColour(rows, channels: isRGB ? 3 : 4)
        }
        try file.end()
    }

    private func writeIndexed(
        _ indices: UnsafeMutablePointer<UInt8>, size: PixelSize, _ palette: ArraySlice<UInt32>,
        _ text: [Text]
    ) throws(MediaError) {
        let depth = palette.count > 16 ? 8 : palette.count > 4 ? 4 : palette.count > 2 ? 2 : 1
        var count = (1 + size.width) * size.height
        if depth < 8 {
            count = cscanline_pack_indices(indices, size.width, size.height, CInt(depth))
        }
        try file.begin(size: size, depth: UInt8(depth), colour: .palette)
        try file.append(palette: palette)
        try file.append(text)
        try file.appendPixels(of: count, effort: .adaptive, with: deflater) {
            (deflater, output) throws(MediaError) in
            try deflater.append(indices, count: count, isLast: true, to: &output)
        }
    }

    /// Filters and compresses stripe by stripe, so that scanlines stay in the cache.
    private func writeTrueColour(_ all: cscanline_rows, channels: Int) throws(MediaError) {
        let rowBytes = 1 + all.width * channels
        let stripe = max(1, min(all.row_count, (1 << 18) / rowBytes))
        let output = try scanlines.room(for: rowBytes * stripe + Int(CSCANLINE_SLACK))
        let isDither = cscanline_has_few_colours(all) != 0
        let filter = try filter(isDither: isDither, width: all.width, channels: CInt(channels))
        try file.appendPixels(
            of: rowBytes * all.row_count, effort: level == .fast && !isDither ? .quick : .adaptive,
            with: deflater
        ) { (deflater, file) throws(MediaError) in
            var rows = all
            while rows.first_row < all.row_count {
                rows.row_count = min(stripe, all.row_count - rows.first_row)
                filter(rows, output)
                let end = rows.first_row + rows.row_count
                try deflater.append(
                    output, count: rowBytes * rows.row_count, isLast: end == all.row_count,
                    to: &file)
                rows.first_row = end
            }
        }
    }

    private func filter(
        isDither: Bool, width: Int, channels: CInt
    ) throws(MediaError) -> (cscanline_rows, UnsafeMutablePointer<UInt8>) -> Void {
        // Dither repeats itself, and differences of it do not.
        if isDither {
            return { cscanline_filter_none($0, channels, $1) }
        }
        if level == .small {
            let memory = try scratch.room(for: 4 * width * Int(channels))
            return { cscanline_filter_best($0, channels, memory, $1) }
        }
        let kernel = cscanline_best_kernel()
        return channels == 4
            ? { cscanline_filter_rgba($0, $1) } : { cscanline_filter_rgb($0, kernel, $1) }
    }
}
