internal import CTIFF
internal import LazyMedia

/// Decodes the pages of a TIFF, strip by strip or tile by tile.
///
/// Used by one thread at a time.
final class TIFFPixels {
    /// What the samples of the last page mean.
    private(set) var color = ColorDescription.sRGB
    /// What was wrong with the last page.
    private(set) var warnings: [MediaWarning] = []
    private let bytes: any ByteSource
    private let options: ReaderOptions
    private let handle: TIFFHandle
    private let clock: Clock

    /// The time that the current page may take.
    private final class Clock {
        var deadline: ContinuousClock.Instant?
    }

    init(_ bytes: any ByteSource, _ options: ReaderOptions) throws(MediaError) {
        self.bytes = bytes
        self.options = options
        let clock = Clock()
        let limits = options.limits
        self.clock = clock
        handle = try TIFFHandle(
            bytes, atMost: .max, limits: options.limits, cancellation: options.cancellation
        ) { () throws(MediaError) in
            if let deadline = clock.deadline, .now > deadline { throw limits.exceededDecodeTime }
        }
    }

    /// Decodes a page, upright; missing pieces are transparent.
    ///
    /// Throws where no piece was decoded.
    func bitmap(of page: TIFFPage) throws(MediaError) -> Bitmap {
        let (size, colors) = try begin(page)
        var damage: MediaError?
        let whole = try Bitmap(size: size, isOpaque: !page.hasAlpha) { (rows) throws(MediaError) in
            rows.initializeMemory(as: UInt8.self, repeating: 0)
            damage =
                page.kind == CTIFF_BY_LIBTIFF
                ? try convertByLibrary(page, colors, rows)
                : try PieceDecoding(page, size, handle, colors).decode(into: rows)
        }
        try note(damage)
        return try (damage == nil ? whole : whole.notOpaque).turned(page.orientation)
    }

    /// Decodes a page of more than 8 bits a sample with 16, as it is; otherwise like `bitmap(of:)`.
    func deepBitmap(of page: TIFFPage) throws(MediaError) -> DeepBitmap {
        let (size, colors) = try begin(page)
        // The samples, what they are turned to, and the bitmap.
        try options.limits.check(canvases: 5, of: size)
        var damage: MediaError?
        let whole = try DeepBitmap(size: size, isOpaque: !page.hasAlpha) {
            (rows) throws(MediaError) in
            rows.initializeMemory(as: UInt8.self, repeating: 0)
            damage = try PieceDecoding(page, size, handle, colors, keepsDepth: true)
                .decode(into: rows)
        }
        try note(damage)
        return try (damage == nil ? whole : whole.notOpaque).turned(page.orientation)
    }

    private func begin(_ page: TIFFPage) throws(MediaError) -> (PixelSize, ReadingColors) {
        warnings = []
        let size = try page.check(options.limits)
        clock.deadline = options.limits.decodeTime.map { .now + $0 }
        try handle.go(to: page)
        let colors = ReadingColors(page.color, .still, options.color, page.sampleKind)
        color = colors.color
        if let warning = colors.warning { warnings = [warning] }
        return (size, colors)
    }

    private func note(_ damage: MediaError?) throws(MediaError) {
        guard let damage else { return }
        // The rest may still arrive.
        if bytes.isPartial { throw damage }
        warnings.append(damage.warning)
    }

    private func convertByLibrary(
        _ page: TIFFPage, _ colors: ReadingColors, _ rows: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> MediaError? {
        let damage = try handle.readPixels(into: rows)
        guard let pixels = rows.assumingMemoryBound(to: UInt32.self).baseAddress else { return nil }
        if page.hasAlpha { ctiff_straighten(pixels, rows.count / 4) }
        colors.converter?.convert(pixels, into: pixels, count: rows.count / 4)
        return damage
    }
}

/// Decodes the pieces of one page to rows of RGBA8, or of RGBA16.
private struct PieceDecoding {
    private let page: TIFFPage
    private let size: PixelSize
    private let handle: TIFFHandle
    private let converter: ColorConverter?
    private let layout: ctiff_layout
    /// Whether samples are converted with all their bits.
    private let isDeep: Bool
    /// Whether rows are of RGBA16.
    private let keepsDepth: Bool
    /// The samples of a pixel in a piece.
    private let samples: Int
    /// The columns of a piece that can be in the picture; a tile may be declared far wider.
    private let maxColumns: Int

    init(
        _ page: TIFFPage, _ size: PixelSize, _ handle: TIFFHandle, _ colors: ReadingColors,
        keepsDepth: Bool = false
    ) throws(MediaError) {
        guard let layout = handle.layout() else {
            throw MediaError(.malformed, "Cannot read the TIFF: a page is not found again.")
        }
        self.layout = layout
        self.page = page
        self.size = size
        self.handle = handle
        self.keepsDepth = keepsDepth
        converter = colors.converter
        isDeep = colors.converter != nil && page.bitDepth > 8 && page.kind != CTIFF_CMYK
        samples = page.isPlanar ? 1 : page.samples
        maxColumns = min(page.piece.width, size.width)
    }

    private var planes: Int { page.isPlanar ? page.samples : 1 }
    private var rowBytes: Int { (page.piece.width * samples * page.bitDepth + 7) / 8 }

    /// Decodes all pieces; returns what was wrong with some of them.
    func decode(into rows: UnsafeMutableRawBufferPointer) throws(MediaError) -> MediaError? {
        guard rowBytes > 0, page.pieceBytes >= rowBytes else {
            throw MediaError(.malformed, "The TIFF has pieces without a size.")
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: page.pieceBytes * planes, alignment: 16)
        // Not all decoders write every byte of damaged pieces.
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        let scratch = UnsafeMutableBufferPointer<UInt16>.allocate(
            capacity: maxColumns * (page.samples + 4))
        defer {
            buffer.deallocate()
            scratch.deallocate()
        }
        var damage: MediaError?
        var isAnyGood = false
        let columns = (size.width + page.piece.width - 1) / page.piece.width
        for index in 0..<page.pieces {
            let (x, y) = (index % columns * page.piece.width, index / columns * page.piece.height)
            guard y < size.height else { break }
            do throws(MediaError) {
                let count = try read(index, into: buffer)
                convert(buffer, count, scratch, (x, y), rows)
                isAnyGood = isAnyGood || count > 0
            } catch  where [.malformed, .truncated].contains(error.code) {
                damage = damage ?? error
            }
        }
        if let damage, !isAnyGood { throw damage }
        return damage
    }

    /// Reads a piece, of each plane one after the other; returns its number of complete rows.
    private func read(
        _ index: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        var rows = page.piece.height
        for plane in 0..<planes {
            let target = UnsafeMutableRawBufferPointer(
                rebasing: buffer[(plane * page.pieceBytes)...].prefix(page.pieceBytes))
            let count = try handle.read(plane * page.pieces + index, into: target)
            rows = min(rows, count / rowBytes)
        }
        return rows
    }

    private func convert(
        _ buffer: UnsafeMutableRawBufferPointer, _ count: Int,
        _ scratch: UnsafeMutableBufferPointer<UInt16>, _ place: (x: Int, y: Int),
        _ rows: UnsafeMutableRawBufferPointer
    ) {
        guard let start = buffer.baseAddress, let unpacked = scratch.baseAddress,
            let canvas = rows.baseAddress
        else { return }
        var layout = layout
        let width = min(page.piece.width, size.width - place.x)
        for y in 0..<min(count, size.height - place.y) {
            for plane in 0..<planes {
                let row = start + plane * page.pieceBytes + y * rowBytes
                ctiff_unpack(
                    &layout, row.assumingMemoryBound(to: UInt8.self), width * samples,
                    unpacked + plane, planes)
            }
            let offset = (place.y + y) * size.width + place.x
            if keepsDepth {
                let pixels = (canvas + offset * 8).assumingMemoryBound(to: UInt16.self)
                ctiff_to_rgba16(&layout, unpacked, width, pixels)
            } else {
                let pixels = (canvas + offset * 4).assumingMemoryBound(to: UInt32.self)
                finish(unpacked, width, into: pixels)
            }
        }
    }

    /// Converts a row of unpacked samples to RGBA8.
    private func finish(
        _ unpacked: UnsafeMutablePointer<UInt16>, _ width: Int,
        into row: UnsafeMutablePointer<UInt32>
    ) {
        var layout = layout
        if isDeep {
            let deep = unpacked + maxColumns * page.samples
            ctiff_to_rgba16(&layout, unpacked, width, deep)
            converter?.convert(deep: deep, into: row, count: width)
            return
        }
        ctiff_to_rgba8(&layout, unpacked, width, row)
        if let converter {
            converter.convert(row, into: row, count: width)
        } else if page.kind == CTIFF_CMYK {
            ctiff_invert_ink(row, width)
        }
    }
}
