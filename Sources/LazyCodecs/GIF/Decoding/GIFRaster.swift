internal import Glibc
internal import LazyBase
internal import LazyMedia

/// The color indices of one image, in the order of its data.
///
/// The strings of a single index precede them, so a literal is copied like any other string; room for
/// the longest string follows, so no copy needs a bounds check.
struct GIFRaster: ~Copyable {
    /// The offset of the first index, behind as many literals as there can be.
    static let origin = 1 << largestCodeSize
    /// The format allows minimum code sizes up to 8; all decoders accept those that leave room for the clear code in
    /// 12 bits.
    static let largestCodeSize = 11
    /// The longest string of 12-bit codes, plus what a copy in steps of 16 bytes may overwrite.
    static let slack = 4096 + 64

    private static let maxPopulated = 4 << 20

    private(set) var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// The number of indices.
    var count = 0

    init() throws(MediaError) {
        capacity = Self.origin + Self.slack
        memory = try Self.allocate(capacity)
    }

    deinit { free(memory) }

    /// Removes all and reserves room for so many indices.
    mutating func removeAll(reserving needed: Int) throws(MediaError) {
        count = 0
        let bytes = Self.origin + needed + Self.slack
        guard bytes > capacity else { return }
        let larger = try Self.allocate(bytes)
        // More than a common picture may be declared only.
        if bytes >= FreshMemory.leastAllocation {
            FreshMemory.populate(.init(start: larger, count: min(bytes, Self.maxPopulated)))
        }
        free(memory)
        memory = larger
        capacity = bytes
    }

    /// The indices themselves.
    var indices: UnsafePointer<UInt8> { UnsafePointer(memory + Self.origin) }

    private static func allocate(_ byteCount: Int) throws(MediaError) -> UnsafeMutablePointer<UInt8>
    {
        // Not cleared, and when large, not backed by pages until written.
        guard let raw = malloc(byteCount) else {
            throw MediaError(.environment, "There is no memory for a frame of \(byteCount) bytes.")
        }
        let memory = raw.bindMemory(to: UInt8.self, capacity: byteCount)
        for value in 0..<origin { memory[value] = UInt8(truncatingIfNeeded: value) }
        return memory
    }
}

extension GIFRaster {
    /// Whether an index occurs.
    func contains(_ index: UInt8) -> Bool { memchr(indices, CInt(index), count) != nil }
}
