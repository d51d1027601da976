/// What a JPEG 2000 codestream says before its pictures, and where it ends (ISO 15444-1, annex A).
struct JPEG2000Codestream {
    private enum Marker {
        static let start: UInt16 = 0xFF4F
        static let size: UInt16 = 0xFF51
        static let capabilities: UInt16 = 0xFF50
        static let tilePart: UInt16 = 0xFF90
        static let end: UInt16 = 0xFFD9
    }

    /// Whether it uses the block coding of Part 15 ("HTJ2K").
    private(set) var hasHighThroughput = false
    /// The bytes that OpenJPEG needs for it: numbers of 32 bits, twice.
    private(set) var libraryBytes = 0
    /// Whether the bytes end before the codestream does.
    private(set) var isCut = false
    /// Where the tile part that is cut off should end; at the end of the bytes where none is.
    private(set) var end: Int

    /// Walks the marker segments; nil where there is no codestream.
    init?(_ bytes: UnsafeRawBufferPointer) {
        end = bytes.count
        guard let start = Self.start(in: bytes) else { return nil }
        var place = start + 2
        while let marker = bytes.number16(place), marker != Marker.tilePart {
            guard marker >= 0xFF00, let length = bytes.number16(place + 2) else { break }
            read(marker, bytes, place + 4)
            place += 2 + max(2, Int(length))
        }
        walk(bytes, from: place)
    }

    private mutating func read(_ marker: UInt16, _ bytes: UnsafeRawBufferPointer, _ place: Int) {
        // The bit of Part 15 is the fifteenth from the left.
        if marker == Marker.capabilities, let parts = bytes.number32(place) {
            hasHighThroughput = parts & 1 << 17 != 0
        }
        guard marker == Marker.size, let right = bytes.number32(place + 2),
            let bottom = bytes.number32(place + 6), let left = bytes.number32(place + 10),
            let top = bytes.number32(place + 14), let components = bytes.number16(place + 34)
        else { return }
        let area = max(0, Int(right) - Int(left)).multipliedReportingOverflow(
            by: max(0, Int(bottom) - Int(top)))
        let all = area.partialValue.multipliedReportingOverflow(by: Int(components) * 8)
        libraryBytes = area.overflow || all.overflow ? .max : all.partialValue
    }

    /// Follows the lengths of tile parts to the marker of the end.
    private mutating func walk(_ bytes: UnsafeRawBufferPointer, from first: Int) {
        var place = first
        while bytes.number16(place) == Marker.tilePart {
            guard let length = bytes.number32(place + 6) else { break }
            // To the end of the codestream; decoders need no more than that.
            if length == 0 { return }
            guard length >= 14 else { break }
            place += Int(length)
            if place > bytes.count { (isCut, end) = (true, place) }
        }
        if bytes.number16(place) != Marker.end { isCut = true }
    }

    /// The first codestream: the bytes themselves, or the content of a box (annex I).
    private static func start(in bytes: UnsafeRawBufferPointer) -> Int? {
        if bytes.number16(0) == Marker.start { return 0 }
        var place = 0
        while let length = bytes.number32(place), let name = bytes.number32(place + 4) {
            var (header, size) = (8, Int(length))
            if length == 1 {
                guard let high = bytes.number32(place + 8), let low = bytes.number32(place + 12),
                    high < 1 << 30
                else { return nil }
                (header, size) = (16, Int(high) << 32 | Int(low))
            }
            // "jp2c".
            if name == 0x6A70_3263 {
                return bytes.number16(place + header) == Marker.start ? place + header : nil
            }
            guard size >= header, size <= bytes.count - place else { return nil }
            place += size
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func number16(_ place: Int) -> UInt16? {
        guard place >= 0, count >= 2, place <= count - 2 else { return nil }
        return UInt16(bigEndian: loadUnaligned(fromByteOffset: place, as: UInt16.self))
    }

    fileprivate func number32(_ place: Int) -> UInt32? {
        guard place >= 0, count >= 4, place <= count - 4 else { return nil }
        return UInt32(bigEndian: loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
}
