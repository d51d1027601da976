/// Samsung's directory at the end of a file, as far as it names a film.
///
/// `SEFH`, a version, a count, entries of 12 bytes, the length of all that, `SEFT`; numbers are
/// little-endian. An entry has the distance of its block before `SEFH`, and its size; a block begins with
/// its type and its name.
enum SamsungTrailer {
    private static let maxEntries = 256
    private static let name = Array("MotionPhoto_Data".utf8)

    /// The bytes of the film, checked against those of the file, or nil.
    static func film(_ bytes: any ByteSource) throws(MediaError) -> Range<Int>? {
        guard let end = try bytes.exactly(8, at: bytes.count - 8),
            end[4...].elementsEqual("SEFT".utf8)
        else { return nil }
        let length = end.littleEndian32(at: 0)
        guard length >= 12, length <= 12 + 12 * maxEntries,
            let directory = try bytes.exactly(length, at: bytes.count - 8 - length),
            directory.starts(with: "SEFH".utf8)
        else { return nil }
        let start = bytes.count - 8 - length
        for entry in 0..<min(directory.littleEndian32(at: 8), (length - 12) / 12) {
            let distance = directory.littleEndian32(at: 12 + entry * 12 + 4)
            let size = directory.littleEndian32(at: 12 + entry * 12 + 8)
            let header = 8 + name.count
            guard distance <= start, size <= distance, size > header,
                let head = try bytes.exactly(header, at: start - distance),
                head.littleEndian32(at: 4) == name.count, head[8...].elementsEqual(name)
            else { continue }
            return start - distance + header..<start - distance + size
        }
        return nil
    }
}

extension [UInt8] {
    /// The little-endian number of four bytes; 0 beyond the end.
    fileprivate func littleEndian32(at offset: Int) -> Int {
        Int(bigEndian32(at: offset).byteSwapped)
    }
}
