internal import Glibc
internal import LazyMedia

/// The color indices of one image, in the order its data gives them.
///
/// In front of them stand the 256 single-byte strings, so that a literal is copied like any other
/// string; behind them is room for the longest string, so that no copy needs a check.
struct GIFRaster: ~Copyable {
    /// Where the first index stands.
    static let origin = 256
    /// The longest string of 12-bit codes, and what a copy in steps of 32 bytes may add.
    static let slack = 4096 + 64

    private(set) var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// How many indices there are.
    var count = 0

    init() throws(MediaError) {
        capacity = Self.origin + Self.slack
        memory = try Self.allocate(capacity)
    }

    deinit { free(memory) }

    /// Makes room for so many indices and forgets those that were there.
    mutating func removeAll(reserving needed: Int) throws(MediaError) {
        count = 0
        let bytes = Self.origin + needed + Self.slack
        guard bytes > capacity else { return }
        let larger = try Self.allocate(bytes)
        free(memory)
        memory = larger
        capacity = bytes
    }

    /// The indices themselves.
    var indices: UnsafePointer<UInt8> { UnsafePointer(memory + Self.origin) }

    private static func allocate(_ byteCount: Int) throws(MediaError) -> UnsafeMutablePointer<UInt8>
    {
        // Not cleared and, when large, not backed by pages before it is written.
        guard let raw = malloc(byteCount) else {
            throw MediaError(.environment, "There is no memory for a frame of \(byteCount) bytes.")
        }
        let memory = raw.bindMemory(to: UInt8.self, capacity: byteCount)
        for value in 0..<256 { memory[value] = UInt8(value) }
        return memory
    }
}

extension GIFRaster {
    /// Whether an index occurs.
    func contains(_ index: UInt8) -> Bool { memchr(indices, CInt(index), count) != nil }
}
