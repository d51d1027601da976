internal import LazyBytes

/// Single bytes of a blob, read through a window.
struct BlobWindow {
    private static let size = 1 << 16
    private let blob: Blob
    private var start = 0
    private var bytes: [UInt8] = []

    init(_ blob: Blob) { self.blob = blob }

    /// The number of bytes that are there.
    var end: Int { blob.count }

    /// The byte at an offset, or nil where it is not there yet.
    mutating func byte(at offset: Int) -> UInt8? {
        if offset < start || offset >= start + bytes.count {
            guard offset >= 0, offset < blob.count else { return nil }
            start = offset
            bytes = (try? blob.bytes(at: offset, count: Self.size)) ?? []
        }
        return offset - start < bytes.count ? bytes[offset - start] : nil
    }

    /// The number of two bytes, the high one first, or nil where they are not there yet.
    mutating func bigEndian16(at offset: Int) -> Int? {
        guard let high = byte(at: offset), let low = byte(at: offset + 1) else { return nil }
        return Int(high) << 8 | Int(low)
    }

    /// The first place from an offset on where a byte stands, or nil.
    mutating func find(_ wanted: UInt8, from offset: Int) -> Int? {
        var offset = offset
        while byte(at: offset) != nil {
            if let found = bytes[(offset - start)...].firstIndex(of: wanted) {
                return start + found
            }
            offset = start + bytes.count
        }
        return nil
    }
}
