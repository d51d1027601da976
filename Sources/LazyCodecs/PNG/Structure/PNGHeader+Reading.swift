internal import LazyMedia

extension PNGHeader {
    /// More than any chunk has that says something about pixels.
    private static let maxData = 8 << 20
    /// The bytes that are read at a time to walk from chunk to chunk, which may be 12 bytes each.
    private static let windowBytes = 4096

    /// Reads the header of a file in memory, or of one of which only what matters is read.
    static func reading(
        _ bytes: any ByteSource, limits: DecodingLimits
    ) throws(MediaError) -> PNGHeader {
        let memory =
            if let memory = bytes as? MemoryBytes { memory } else {
                try MemoryBytes(outline(of: bytes, limits))
            }
        return try memory.withBytes { (bytes) throws(MediaError) in try PNGHeader(bytes) }
    }

    /// The file with one chunk of pixels, which is empty, and with the heads of chunks that are too large.
    private static func outline(
        of file: any ByteSource, _ limits: DecodingLimits
    ) throws(MediaError) -> [UInt8] {
        var (outline, offset, hasPixels) = (try file.bytes(8, at: 0), 8, false)
        var window = (bytes: [UInt8](), start: 0)
        var count = 0
        while file.count - offset >= 12 {
            if offset < window.start || offset + 8 > window.start + window.bytes.count {
                window = (try file.bytes(windowBytes, at: offset), offset)
                guard window.bytes.count >= 8 else { break }
            }
            let head = window.bytes[(offset - window.start)...].prefix(8)
            let (length, name) = head.withUnsafeBytes { bytes in
                (Int(bytes.bigEndian(at: 0)), bytes.bigEndian(at: 4))
            }
            // That a length is invalid, or the chunk not whole, is told by its beginning, as that zeros are none.
            guard length <= Int32.max, length <= file.count - offset - 12, length > 0 || name > 0
            else {
                return try outline + file.bytes(min(file.count - offset, 64), at: offset)
            }
            let isPixels = name == PNGChunks.name("IDAT")
            if isPixels || length > maxData {
                if !isPixels || !hasPixels {
                    outline += [0, 0, 0, 0] + head.suffix(4) + [0, 0, 0, 0]
                }
                hasPixels = hasPixels || isPixels
            } else {
                let chunk = offset - window.start..<offset - window.start + length + 12
                if chunk.upperBound <= window.bytes.count {
                    outline += window.bytes[chunk]
                } else {
                    outline += try file.bytes(length + 12, at: offset)
                }
                try limits.check(memory: outline.count)
            }
            count += 1
            try limits.check(entries: count)
            offset += length + 12
            if name == PNGChunks.name("IEND") { break }
        }
        return outline
    }
}
