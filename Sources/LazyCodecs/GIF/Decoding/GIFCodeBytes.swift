/// An image's compressed data in one piece, padded with zeros for reading whole words.
struct GIFCodeBytes: ~Copyable {
    /// The number of zero bytes after the data.
    static let padding = 8

    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    init() {
        capacity = 1 << 14
        memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// Removes all and reserves room for so many bytes.
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

    /// Lends the bytes, followed by `padding` readable zeros.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        memory.storeBytes(of: 0, toByteOffset: count, as: UInt64.self)
        return body(UnsafeRawBufferPointer(start: memory, count: count))
    }
}
