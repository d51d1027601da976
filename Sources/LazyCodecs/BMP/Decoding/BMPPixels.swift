internal import LazyMedia

/// Decodes the pixels of a bitmap to RGBA8.
struct BMPPixels {
    /// What was wrong with the data.
    private(set) var warnings: [MediaWarning] = []
    private let media: OpenedBMP
    private let cancellation: CancellationFlag
    private let checkTime: () throws(MediaError) -> Void
    private var header: BMPHeader { media.header }

    init(
        _ media: OpenedBMP, _ cancellation: CancellationFlag,
        checkTime: @escaping () throws(MediaError) -> Void
    ) throws(MediaError) {
        self.media = media
        self.cancellation = cancellation
        self.checkTime = checkTime
    }

    /// The picture; missing rows are transparent.
    ///
    /// Throws where no row is there, and where the rest may still arrive.
    mutating func bitmap() throws(MediaError) -> Bitmap {
        var damage: MediaError?
        var rowsRead = 0
        let isOpaque = !media.info.hasAlpha
        let whole = try Bitmap(size: header.size, isOpaque: isOpaque) { (rows) throws(MediaError) in
            rows.initializeMemory(as: UInt8.self, repeating: 0)
            guard let pixels = rows.assumingMemoryBound(to: UInt32.self).baseAddress else { return }
            do throws(MediaError) {
                rowsRead = try decode(into: pixels)
                if rowsRead < header.size.height {
                    throw MediaError(.truncated, "The bitmap ends early.")
                }
            } catch  where [.truncated, .malformed].contains(error.code) {
                damage = error
            }
            try finish(pixels, isWhole: damage == nil)
        }
        guard let damage else { return whole }
        if media.bytes.isPartial || rowsRead == 0 && header.coding == .rows { throw damage }
        warnings.append(
            MediaWarning(damage.code == .truncated ? .truncated : .malformed, damage.message))
        return whole.notOpaque
    }

    private func row(_ number: Int) -> Int {
        header.isTopDown ? number : header.size.height - 1 - number
    }

    /// Decodes the rows that are there, and returns how many they are.
    private func decode(into pixels: UnsafeMutablePointer<UInt32>) throws(MediaError) -> Int {
        if header.coding == .runs {
            var runs = BMPRuns(header, ByteReader(media.bytes, at: header.pixels, check))
            try runs.decode(into: pixels)
            return header.size.height
        }
        let (width, rowBytes) = (header.size.width, header.rowBytes)
        let step = max(1, (1 << 18) / rowBytes)
        var number = 0
        while number < header.size.height {
            try check()
            let count = min(step, header.size.height - number)
            let piece = try media.bytes.bytes(
                count * rowBytes, at: header.pixels + number * rowBytes,
                cancellation: cancellation)
            let rows = piece.count / rowBytes
            piece.withUnsafeBytes { piece in
                for index in 0..<rows {
                    convert(
                        UnsafeRawBufferPointer(rebasing: piece[(index * rowBytes)...]),
                        into: pixels + row(number + index) * width)
                }
            }
            number += rows
            if rows < count { break }
        }
        return number
    }

    private func check() throws(MediaError) {
        try cancellation.check()
        try checkTime()
    }

    private func convert(_ row: UnsafeRawBufferPointer, into pixels: UnsafeMutablePointer<UInt32>) {
        let (width, bits) = (header.size.width, header.bits)
        switch bits {
        case 24:
            for x in 0..<width {
                pixels[x] =
                    UInt32(row[x * 3 + 2]) | UInt32(row[x * 3 + 1]) << 8
                    | UInt32(row[x * 3]) << 16 | 0xFF00_0000
            }
        case 16:
            for x in 0..<width {
                let value = row.loadUnaligned(fromByteOffset: x * 2, as: UInt16.self)
                pixels[x] = header.masks.rgba(UInt32(UInt16(littleEndian: value)))
            }
        case 32:
            for x in 0..<width {
                let value = row.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self)
                pixels[x] = header.masks.rgba(UInt32(littleEndian: value))
            }
        default:
            let mask = (1 << bits) - 1
            for x in 0..<width {
                let shift = 8 - bits - x * bits % 8
                pixels[x] = header.color(Int(row[x * bits / 8]) >> shift & mask)
            }
        }
    }

    /// Applies what concerns all pixels: gaps in runs, and an icon's alpha that is nowhere, and its mask.
    private func finish(
        _ pixels: UnsafeMutablePointer<UInt32>, isWhole: Bool
    ) throws(MediaError) {
        let count = header.size.pixelCount
        let all = UnsafeMutableBufferPointer(start: pixels, count: count)
        let isIcon = media.info.type == .ico
        let alphaIsEmpty = isIcon && header.hasAlpha && all.allSatisfy { $0 >> 24 == 0 }
        // An icon's alpha that is 0 throughout is none, as in browsers; pixels that no run reaches are black.
        if isWhole, alphaIsEmpty || header.coding == .runs {
            for index in 0..<count { pixels[index] |= 0xFF00_0000 }
        }
        // An icon's own alpha replaces its mask.
        guard let mask = media.mask, !header.hasAlpha || alphaIsEmpty else { return }
        let rowBytes = (header.size.width + 31) / 32 * 4
        let bits = try media.bytes.bytes(
            rowBytes * header.size.height, at: mask, cancellation: cancellation)
        for number in 0..<(bits.count / rowBytes) {
            let row = pixels + row(number) * header.size.width
            for x in 0..<header.size.width
            where bits[number * rowBytes + x / 8] >> UInt8(7 - x % 8) & 1 == 1 { row[x] = 0 }
        }
    }
}

extension BMPHeader {
    /// A color of the palette; black where it has none of that number.
    func color(_ index: Int) -> UInt32 { index < palette.count ? palette[index] : 0xFF00_0000 }
}
