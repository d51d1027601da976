internal import LazyMedia

/// The objects of a Windows Media file (ASF specification, section 2).
enum ASFObjects {
    /// Where another file begins behind the first, which alone FFmpeg reads; nil where there is none.
    static func end(of bytes: any ByteSource, _ limits: DecodingLimits) throws(MediaError) -> Int? {
        guard !bytes.isRemote, !bytes.isPartial else { return nil }
        var (place, count) = (0, 0)
        while place < bytes.count, count < 64 {
            let head = try bytes.bytes(min(24, bytes.count - place), at: place)
            guard head.count == 24 else { return nil }
            if place > 0, head.starts(with: header) { return place }
            let size = head[16...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard size >= 24, size <= UInt64(bytes.count - place) else { return nil }
            place += Int(size)
            count += 1
        }
        return nil
    }

    private static let header: [UInt8] = [
        0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE,
        0x6C,
    ]
}
