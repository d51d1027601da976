internal import LazyMedia

/// Where a JPEG ends.
enum JPEGEnd {
    /// What is said of one that ends early.
    static let warning = MediaWarning(.truncated, "The JPEG ends early.")

    /// Whether no end marker comes behind the header, which otherwise only decoding tells.
    ///
    /// Coded data has no bytes that look like one (ITU-T T.81, B.1.1.5). A whole file costs a read of its last bytes. Not over a
    /// network, nor of a file that is still arriving.
    static func isMissed(by bytes: any ByteSource) throws(MediaError) -> Bool {
        guard !bytes.isRemote, !bytes.isPartial, let start = try scan(of: bytes) else {
            return false
        }
        var (end, length) = (bytes.count, 64)
        while end > start {
            // An end marker may lie across two parts.
            let begin = max(start, end - length)
            let part = try bytes.bytes(min(end + 1, bytes.count) - begin, at: begin)
            if zip(part, part.dropFirst()).contains(where: { $0 == 0xFF && $1 == 0xD9 }) {
                return false
            }
            (end, length) = (begin, 1 << 16)
        }
        return true
    }

    /// The offset of the first scan; nil where segments don't lead there.
    private static func scan(of bytes: any ByteSource) throws(MediaError) -> Int? {
        var place = 2
        for _ in 0..<1024 {
            let head = try bytes.bytes(max(0, min(4, bytes.count - place)), at: place)
            guard head.count == 4, head[0] == 0xFF else { return nil }
            switch head[1] {
            // Fill.
            case 0xFF: place += 1
            case 0xDA: return place
            case 0x01, 0xD0...0xD8: place += 2
            default: place += 2 + (Int(head[2]) << 8 | Int(head[3]))
            }
        }
        return nil
    }
}
