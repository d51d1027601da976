/// The orientation that a camera wrote into a JPEG (CIPA DC-008).
enum EXIF {
    /// The orientation tag, 1 to 8; 1 where there is none.
    static func orientation(jpeg bytes: UnsafeRawBufferPointer) -> Int {
        var position = 2
        while position + 4 <= bytes.count, bytes[position] == 0xFF {
            let marker = bytes[position + 1]
            // The picture data begins: EXIF stands before it.
            if marker == 0xDA || marker == 0xD9 { break }
            // Fill bytes before a marker (ITU-T T.81, B.1.1.2).
            if marker == 0xFF {
                position += 1
                continue
            }
            let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
            let end = min(bytes.count, position + 2 + length)
            if marker == 0xE1, let found = orientation(segment: bytes, position + 4, end) {
                return found
            }
            position += 2 + max(2, length)
        }
        return 1
    }

    private static func orientation(
        segment bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int
    ) -> Int? {
        let tiff = start + 6
        guard tiff + 8 <= end, bytes[start..<tiff].elementsEqual("Exif\0\0".utf8) else {
            return nil
        }
        let isLittle = bytes[tiff] == UInt8(ascii: "I")
        func number(_ offset: Int, _ size: Int) -> Int? {
            guard offset >= tiff, offset + size <= end else { return nil }
            let digits = bytes[offset..<offset + size]
            return isLittle
                ? digits.reversed().reduce(0) { $0 << 8 | Int($1) }
                : digits.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(tiff + 4, 4), let count = number(tiff + directory, 2) else {
            return nil
        }
        for i in 0..<count {
            let entry = tiff + directory + 2 + i * 12
            guard let tag = number(entry, 2) else { return nil }
            if tag == 0x0112 { return number(entry + 8, 2) }
        }
        return nil
    }
}
