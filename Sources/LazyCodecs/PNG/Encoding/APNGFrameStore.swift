internal import CKernels
internal import LazyMedia

/// Frames of few colors that wait until all colors are known.
///
/// Each is kept as the color numbers of the rectangle that differs from the previous one, quickly
/// compressed, in memory and beyond a limit in an unnamed temporary file.
final class APNGFrameStore {
    struct Entry {
        let changes: cscanline_changes
        let offset: Int
        let byteCount: Int
        let delay: APNGDelay
    }

    let size: PixelSize
    private(set) var entries: [Entry] = []
    private var previous: Bitmap?
    let colors: ColorIndex
    private let deflater: Deflater
    private var indices = GrowingBytes()
    private var packed = GrowingBytes()
    private var spool = Spool()

    init(_ size: PixelSize) throws(MediaError) {
        self.size = size
        colors = try ColorIndex()
        deflater = try Deflater()
    }

    /// The number of kept pixels.
    var pixelCount: Int { entries.reduce(0) { $0 + $1.changes.width * $1.changes.height } }

    /// Adds a frame; false where there are too many colors.
    func append(_ bitmap: Bitmap, delay: APNGDelay) throws(MediaError) -> Bool {
        let changes = cscanline_changes(from: previous, to: bitmap)
        let count = changes.width * changes.height
        indices.removeAll()
        let numbers = try indices.room(for: count)
        let fits = bitmap.withPixels { pixels in
            colors.index(changes.rows(pixels, bitmap.size.width), margin: false, into: numbers)
        }
        guard fits else { return false }
        packed.removeAll()
        deflater.begin(.quick)
        try deflater.append(numbers, count: count, isLast: true, to: &packed)
        entries.append(
            Entry(changes: changes, offset: spool.count, byteCount: packed.count, delay: delay))
        try packed.withBytes { (bytes) throws(MediaError) in try spool.append(bytes) }
        previous = bitmap
        return true
    }

    /// Releases the last picture; no frame is added after this.
    func close() { previous = nil }

    /// Replays the frames until `use` returns false.
    func replay(
        _ use: (Bitmap, APNGDelay) async throws(MediaError) -> Bool
    ) async throws(MediaError) {
        let colors = colors.colors
        let isOpaque = colors.allSatisfy { $0 >> 24 == 255 }
        var shown: Bitmap?
        for entry in entries {
            let bitmap = try picture(entry, over: shown, colors, isOpaque: isOpaque)
            shown = bitmap
            guard try await use(bitmap, entry.delay) else { return }
        }
    }

    private func picture(
        _ entry: Entry, over shown: Bitmap?, _ colors: [UInt32], isOpaque: Bool
    ) throws(MediaError) -> Bitmap {
        packed.removeAll()
        let bytes = try packed.room(for: entry.byteCount)
        try spool.read(at: entry.offset, into: .init(start: bytes, count: entry.byteCount))
        let changes = entry.changes
        indices.removeAll()
        let numbers = try indices.room(for: changes.width * changes.height)
        guard
            cscanline_inflate(
                bytes, entry.byteCount, numbers, changes.width * changes.height) != 0
        else { throw MediaError(.environment, "A temporary file has changed.") }
        let width = size.width
        return try Bitmap(size: size, isOpaque: isOpaque) { rows in
            shown?.withBytes { rows.copyMemory(from: $0) }
            guard let pixels = rows.bindMemory(to: UInt32.self).baseAddress else { return }
            colors.withUnsafeBufferPointer { colors in
                for y in 0..<changes.height {
                    let from = numbers + y * changes.width
                    let row = pixels + (changes.y + y) * width + changes.x
                    for x in 0..<changes.width { row[x] = colors[Int(from[x])] }
                }
            }
        }
    }
}

extension cscanline_changes {
    /// The difference of two pictures of one size; all of the second where there is no first.
    init(from old: Bitmap?, to new: Bitmap) {
        let (width, height) = (new.size.width, new.size.height)
        guard let old else {
            self.init(
                x: 0, y: 0, width: width, height: height, count: width * height, can_lie_over: 0)
            return
        }
        self = old.withPixels { old in
            new.withPixels { cscanline_compare(old, $0, width, height) }
        }
    }

    /// The rectangle's rows in a picture.
    func rows(_ pixels: UnsafePointer<UInt32>, _ pictureWidth: Int) -> cscanline_rows {
        let start = UnsafeRawPointer(pixels + y * pictureWidth + x)
        return cscanline_rows(
            rgba: start.assumingMemoryBound(to: UInt8.self), width: width,
            stride: pictureWidth * 4, first_row: 0, row_count: height)
    }
}

extension Bitmap {
    /// Lends the pixels, four bytes each; a picture has at least one.
    func withPixels<Result>(_ body: (UnsafePointer<UInt32>) -> Result) -> Result {
        withBytes { bytes in
            guard let start = bytes.baseAddress else { preconditionFailure("an empty bitmap") }
            return body(start.assumingMemoryBound(to: UInt32.self))
        }
    }
}
