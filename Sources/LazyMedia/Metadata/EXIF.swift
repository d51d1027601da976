/// What a camera stores in a JPEG about showing it (CIPA DC-008).
package struct EXIF: Sendable {
    /// The orientation tag, 1 to 8; 1 where there is none.
    package private(set) var orientation = 1
    /// The range of the thumbnail, which is a JPEG, in the segment's body.
    package private(set) var thumbnail: Range<Int>?

    /// Reads the body of an APP1 segment, which begins with `Exif`; nil for anything else.
    package init?(segment bytes: UnsafeRawBufferPointer) {
        guard let reader = Reader(bytes), let first = reader.firstDirectory else { return nil }
        orientation = reader.value(of: 0x0112, in: first) ?? 1
        // The second directory describes the thumbnail (4.6.2).
        guard let second = reader.directory(after: first),
            let start = reader.value(of: 0x0201, in: second),
            let length = reader.value(of: 0x0202, in: second), length > 0,
            start <= bytes.count, length <= bytes.count - Reader.tiff - start
        else { return }
        thumbnail = Reader.tiff + start..<Reader.tiff + start + length
    }

    /// The orientation tag of a JPEG, 1 to 8; 1 where there is none.
    package static func orientation(jpeg bytes: UnsafeRawBufferPointer) -> Int {
        var position = 2
        while position + 4 <= bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            // The picture data begins: EXIF comes before it.
            if marker == 0xDA || marker == 0xD9 { break }
            // Fill bytes before a marker (ITU-T T.81, B.1.1.2).
            if marker == 0xFF {
                position += 1
                continue
            }
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            let end = min(bytes.count, position + 2 + length)
            if marker == 0xE1, position + 4 <= end,
                let exif = EXIF(segment: .init(rebasing: bytes[position + 4..<end]))
            {
                return exif.orientation
            }
            position += 2 + max(2, length)
        }
        return 1
    }
}

/// The numbers and directories of a TIFF structure after `Exif\0\0`.
private struct Reader {
    /// The offset of the TIFF header, from which its offsets count.
    static let tiff = 6
    private let bytes: UnsafeRawBufferPointer
    private let isLittle: Bool

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.tiff + 8,
            bytes[..<Self.tiff].elementsEqual("Exif\0\0".utf8)
        else { return nil }
        self.bytes = bytes
        isLittle = bytes[Self.tiff] == UInt8(ascii: "I")
    }

    var firstDirectory: Int? { number(4, 4) }

    /// The directory that follows another, or nil; a link of 0 is none.
    func directory(after directory: Int) -> Int? {
        guard let count = number(directory, 2) else { return nil }
        return number(directory + 2 + count * 12, 4).flatMap { $0 == 0 ? nil : $0 }
    }

    /// The number in an entry: a short (type 3) or a long.
    func value(of tag: Int, in directory: Int) -> Int? {
        guard let count = number(directory, 2) else { return nil }
        for entry in 0..<count {
            let position = directory + 2 + entry * 12
            guard let found = number(position, 2) else { return nil }
            if found == tag { return number(position + 8, number(position + 2, 2) == 4 ? 4 : 2) }
        }
        return nil
    }

    private func number(_ offset: Int, _ size: Int) -> Int? {
        let start = Self.tiff + offset
        guard start >= Self.tiff, start + size <= bytes.count else { return nil }
        let digits = bytes[start..<start + size]
        return isLittle
            ? digits.reversed().reduce(0) { $0 << 8 | Int($1) }
            : digits.reduce(0) { $0 << 8 | Int($1) }
    }
}
