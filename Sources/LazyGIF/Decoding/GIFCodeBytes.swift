internal import LazyMedia

/// An image's compressed data in one piece, with zeros behind it for a reader of whole words.
struct GIFCodeBytes: ~Copyable {
    /// Readable zero bytes behind the last one.
    static let padding = 8

    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    init() {
        capacity = 1 << 14
        memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// Makes room for so many bytes and forgets those that were there.
    mutating func removeAll(reserving needed: Int) {
        count = 0
        reserve(needed)
    }

    mutating func append(_ source: UnsafeRawPointer, count added: Int) {
        reserve(count + added)
        memory.advanced(by: count).copyMemory(from: source, byteCount: added)
        count += added
    }

    private mutating func reserve(_ needed: Int) {
        guard needed + Self.padding > capacity else { return }
        let grown = max(needed + Self.padding, capacity * 2)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: grown, alignment: 16)
        larger.copyMemory(from: memory, byteCount: count)
        memory.deallocate()
        memory = larger
        capacity = grown
    }

    /// Lends the bytes, with `padding` zeros readable behind them.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        memory.storeBytes(of: 0, toByteOffset: count, as: UInt64.self)
        return body(UnsafeRawBufferPointer(start: memory, count: count))
    }
}
