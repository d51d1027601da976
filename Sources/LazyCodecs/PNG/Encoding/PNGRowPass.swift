internal import CKernels
internal import LazyMedia

/// Writes rows as a PNG of one form, as long as they fit it.
///
/// One at a time for an encoder, whose buffers it uses.
final class PNGRowPass {
    let form: PNGForm
    /// The number of rows that were taken.
    private(set) var taken = 0
    /// The form that rows fit which were not taken.
    private(set) var wider: PNGForm?
    private let encoder: PNGEncoder
    private let picture: StillRows
    private let file = SpooledBytes(maxInMemory: 16 << 20)
    private var crc: UInt32
    private var compressed = GrowingBytes()
    private let stripes: ScanlineWriter.Stripes
    /// Rows that are not compressed yet: scanlines of indices, or pixels behind the row above them.
    private var memory = GrowingBytes()
    private let waiting: UnsafeMutablePointer<UInt8>
    private var waitingCount = 0

    private static let name = Array("IDAT".utf8)

    init(_ form: PNGForm, _ encoder: PNGEncoder, _ picture: StillRows) throws(MediaError) {
        (self.form, self.encoder, self.picture) = (form, encoder, picture)
        stripes = try encoder.writer.stripes(of: picture.size, form)
        waiting = try memory.room(for: (1 + stripes.rowCount) * (picture.size.width * 4 + 1))
        crc = Self.name.withUnsafeBufferPointer { $0.baseAddress.map { cscanline_crc($0, 4) } ?? 0 }
        encoder.color = picture.color
        encoder.colors.removeAll()
        encoder.writer.deflater.begin(stripes.effort)
    }

    /// Takes rows and returns their number; fewer where the others do not fit the form.
    func add(_ rows: cscanline_rows) throws(MediaError) -> Int {
        var rest = rows
        while rest.row_count > 0 {
            var part = rest
            part.row_count = min(rest.row_count, stripes.rowCount - waitingCount)
            guard take(part) else { break }
            taken += part.row_count
            waitingCount += part.row_count
            rest.first_row += part.row_count
            rest.row_count -= part.row_count
            let isLast = taken == picture.size.height
            if waitingCount == stripes.rowCount || isLast { try compress(isLast: isLast) }
        }
        return rows.row_count - rest.row_count
    }

    private func take(_ rows: cscanline_rows) -> Bool {
        switch form {
        case .indexed(let depth):
            let colors = encoder.colors
            let end = waiting + waitingCount * (1 + rows.width)
            if !colors.index(rows, margin: true, into: end) {
                let isOpaque =
                    picture.isOpaque || colors.areOpaque && cscanline_is_opaque(rows) != 0
                wider = .colors(channels: isOpaque ? 3 : 4, isDither: true)
            } else if colors.count > 1 << depth {
                wider = .indexed(colors: colors.count)
            }
        case .colors(let channels, let isDither):
            if channels == 3, !picture.isOpaque, cscanline_is_opaque(rows) == 0 {
                wider = .colors(channels: 4, isDither: isDither)
            } else {
                let end = waiting + (1 + waitingCount) * rows.stride
                end.update(
                    from: rows.rgba + rows.first_row * rows.stride,
                    count: rows.row_count * rows.stride)
            }
        }
        return wider == nil
    }

    /// Compresses the waiting rows.
    private func compress(isLast: Bool) throws(MediaError) {
        compressed.removeAll()
        // ISA-L ends a block where its output ends: more than it keeps and the stripe may take.
        _ = try compressed.room(for: 2 * stripes.rowCount * stripes.rowBytes + (1 << 20))
        let width = picture.size.width
        switch form {
        case .indexed(let depth):
            var count = waitingCount * (1 + width)
            if depth < 8 {
                count = cscanline_pack_indices(waiting, width, waitingCount, CInt(depth))
            }
            try encoder.writer.deflater.append(
                waiting, count: count, isLast: isLast, to: &compressed)
        case .colors:
            let isFirst = taken == waitingCount
            let rows = cscanline_rows(
                rgba: isFirst ? waiting + width * 4 : waiting, width: width, stride: width * 4,
                first_row: isFirst ? 0 : 1, row_count: waitingCount)
            try encoder.writer.append(rows, stripes, isLast: isLast, to: &compressed)
            waiting.update(from: waiting + waitingCount * width * 4, count: width * 4)
        }
        waitingCount = 0
        try compressed.withBytes { (bytes) throws(MediaError) in
            guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            crc = cscanline_crc_add(crc, start, bytes.count)
            try file.append(Array(bytes))
        }
    }

    /// The file of the rows that were taken.
    func finish() throws(MediaError) -> SpooledBytes {
        let size = PixelSize(width: picture.size.width, height: taken)
        if size != picture.size { try compress(isLast: true) }
        let length = file.count
        guard length <= Int32.max else { throw PNGFileBytes.tooLong(length) }
        try file.append(crc.bigEndianBytes)
        // What comes before the one chunk of pixels, and its length and name.
        try encoder.beginFile(form, size: size, picture.texts)
        let head = try encoder.file.bytes.withBytes { (bytes) throws(MediaError) in Array(bytes) }
        encoder.file.removeAll()
        try encoder.file.end()
        try encoder.file.bytes.withBytes { (end) throws(MediaError) in try file.append(Array(end)) }
        file.head = head + UInt32(length).bigEndianBytes + Self.name
        return file
    }
}
