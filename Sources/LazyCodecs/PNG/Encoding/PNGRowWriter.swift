internal import CKernels
package import LazyMedia

extension PNGEncoder {
    /// Makes a writer of a picture of 8 bits a sample; nil where several ways are tried, or gray is written as such.
    package func makeRowWriter(
        of rows: StillRows, _ cancellation: CancellationFlag
    ) throws(MediaError) -> (any RowWriting)? {
        guard level.attempts.count == 1, !rows.color.isGray else { return nil }
        writer.attempt = level.attempts[0]
        color = rows.color
        return try PNGRowWriter(self, rows)
    }
}

/// Writes a PNG while its rows come.
///
/// What a file begins with depends on all of its pixels: a palette, opacity, and whether it is dithered. Rows are kept
/// until they have shown that there are too many colors for a palette or a dither and, unless that is known, that they are
/// not opaque. With a photo that takes some rows. Where it takes all of them, the whole is encoded as any other.
private final class PNGRowWriter: RowWriting {
    private let encoder: PNGEncoder
    private let picture: StillRows
    private let memory: PassingMemory
    private let rowBytes: Int
    private let file = SpooledBytes(maxInMemory: 16 << 20)
    private var compressed = GrowingBytes()
    private var crc: UInt32 = 0
    /// The rows that have come, those whose opacity is known, and those that are compressed.
    private var (come, seen, done) = (0, 0, 0)
    private var isOpaque: Bool
    /// How rows are written; nil before that is known.
    private var stripes: ScanlineWriter.Stripes?

    init(_ encoder: PNGEncoder, _ picture: StillRows) throws(MediaError) {
        (self.encoder, self.picture) = (encoder, picture)
        memory = try PassingMemory(byteCount: picture.size.rgbaByteCount)
        rowBytes = picture.size.width * 4
        isOpaque = true
    }

    func add(_ rows: UnsafeRawBufferPointer) throws(MediaError) {
        memory.append(rows)
        come += rows.count / rowBytes
        if stripes == nil { try decide() }
        try write()
    }

    func finish() throws(MediaError) -> SpooledBytes {
        guard stripes != nil else {
            let rows = self.rows(0..<come)
            try encoder.write(
                rows, size: picture.size, isOpaque: picture.isOpaque, picture.texts)
            try encoder.file.bytes.withBytes { (bytes) throws(MediaError) in
                try file.append(Array(bytes))
            }
            return file
        }
        let length = file.count
        guard length <= Int32.max else { throw PNGFileBytes.tooLong(length) }
        try file.append(crc.bigEndianBytes)
        // The header was written before; then come the length and the name of the one chunk of pixels.
        let head = try encoder.file.bytes.withBytes { (bytes) throws(MediaError) in Array(bytes) }
        encoder.file.removeAll()
        try encoder.file.end()
        try encoder.file.bytes.withBytes { (end) throws(MediaError) in try file.append(Array(end)) }
        file.head = head + UInt32(length).bigEndianBytes + Self.name
        return file
    }

    private static let name = Array("IDAT".utf8)

    /// Begins the file, once enough rows have come to know how.
    private func decide() throws(MediaError) {
        let size = picture.size
        // Some thousand samples of the whole picture tell: there are not many in a row.
        guard come * 64 / size.height > seen * 64 / size.height || come == size.height else {
            return
        }
        if isOpaque, !picture.isOpaque {
            isOpaque = cscanline_is_opaque(rows(seen..<come)) != 0
        }
        seen = come
        guard picture.isOpaque || !isOpaque,
            cscanline_may_have_few_colors(rows(0..<come), size.height) == 0
        else { return }
        try encoder.file.begin(
            size: size, depth: 8, color: picture.isOpaque ? .rgb : .rgba, meaning: picture.color)
        try encoder.file.append(picture.texts)
        let stripes = try encoder.writer.stripes(
            width: size.width, height: size.height, channels: picture.isOpaque ? 3 : 4,
            isDither: false)
        encoder.writer.deflater.begin(stripes.effort)
        crc = Self.name.withUnsafeBufferPointer { $0.baseAddress.map { cscanline_crc($0, 4) } ?? 0 }
        self.stripes = stripes
    }

    /// Compresses the stripes that are complete.
    private func write() throws(MediaError) {
        guard let stripes else { return }
        let height = picture.size.height
        while done < come {
            let end = min(done + stripes.rowCount, height)
            guard end <= come else { return }
            compressed.removeAll()
            // ISA-L ends a block where its output ends: more than it keeps and the stripe may take.
            _ = try compressed.room(for: 2 * stripes.rowCount * (rowBytes + 1) + (1 << 20))
            try encoder.writer.append(rows(done..<end), stripes, to: &compressed)
            try compressed.withBytes { (bytes) throws(MediaError) in
                guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
                crc = cscanline_crc_add(crc, start, bytes.count)
                try file.append(Array(bytes))
            }
            done = end
            // The next stripe looks at the row above it.
            memory.release(upTo: (end - 1) * rowBytes)
        }
    }

    private func rows(_ range: Range<Int>) -> cscanline_rows {
        cscanline_rows(
            rgba: memory.start.assumingMemoryBound(to: UInt8.self), width: picture.size.width,
            stride: rowBytes, first_row: range.lowerBound, row_count: range.count)
    }
}
