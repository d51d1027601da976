internal import LazyBase

/// Reads single bytes of a blob through a window.
struct BlobWindow {
    private static let size = 1 << 16
    private let blob: Blob
    private var start = 0
    private var bytes: [UInt8] = []

    init(_ blob: Blob) { self.blob = blob }

    /// The number of available bytes.
    var end: Int { blob.count }

    /// The byte at an offset, or nil if it has not arrived yet.
    mutating func byte(at offset: Int) -> UInt8? {
        if offset < start || offset >= start + bytes.count {
            guard offset >= 0, offset < blob.count else { return nil }
            start = offset
            bytes = (try? blob.bytes(at: offset, count: Self.size)) ?? []
        }
        return offset - start < bytes.count ? bytes[offset - start] : nil
    }

    /// The big-endian 16-bit number at an offset, or nil if it has not arrived yet.
    mutating func bigEndian16(at offset: Int) -> Int? {
        guard let high = byte(at: offset), let low = byte(at: offset + 1) else { return nil }
        return Int(high) << 8 | Int(low)
    }

    /// The offset of the first occurrence of a byte, or nil.
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
