/// Packs codes of any width into blocks of at most 255 bytes, preceded by their lengths.
struct LZWOutput: ~Copyable {
    private var bytes: UnsafeMutablePointer<UInt8>
    private var capacity = 0
    private var count = 0
    /// The offset of the current block's length.
    private var blockStart = 0
    private var bits: UInt64 = 0
    private var bitCount = 0

    init() { bytes = .allocate(capacity: 0) }

    deinit { bytes.deallocate() }

    /// Removes all, and reserves room for the codes of so many pixels.
    mutating func begin(reserving pixels: Int) {
        // One code a pixel and some clear codes, of 12 bits each; a length for each 255 bytes.
        let needed = pixels + pixels / 2 + pixels / 64 + 64
        if needed > capacity {
            bytes.deallocate()
            bytes = .allocate(capacity: needed)
            capacity = needed
        }
        blockStart = 0
        count = 1
        bits = 0
        bitCount = 0
    }

    /// Appends a code, its low bit first.
    @inline(__always)
    mutating func put(_ code: UInt32, _ width: Int) {
        bits |= UInt64(code) << UInt64(bitCount)
        bitCount += width
        while bitCount >= 8 { putByte() }
    }

    /// All blocks, without the terminator.
    mutating func finish() -> [UInt8] {
        if bitCount > 0 { putByte() }
        let length = count - blockStart - 1
        bytes[blockStart] = UInt8(truncatingIfNeeded: length)
        if length == 0 { count -= 1 }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    @inline(__always)
    private mutating func putByte() {
        bytes[count] = UInt8(truncatingIfNeeded: bits)
        count += 1
        bits >>= 8
        bitCount -= 8
        if count - blockStart == 256 {
            bytes[blockStart] = 255
            blockStart = count
            count += 1
        }
    }
}

/// Decides when a full string table compresses worse than it did.
///
/// A table is worth keeping as long as it compresses better than it has on average since it was empty: that is what the
/// next one will do.
struct ClearCodePolicy {
    /// The bits after which it is judged again.
    private static let stretch = 1 << 11
    var pixels = 0
    var bits = 0
    private var firstPixel = 0
    private var firstBit = 0

    /// Notes that the table is full.
    mutating func didFill() {
        firstPixel = pixels
        firstBit = bits
    }

    /// Whether to clear the table; called after each code while it is full.
    @inline(__always)
    mutating func wantsClear() -> Bool {
        guard bits - firstBit >= Self.stretch else { return false }
        let rate = Double(pixels - firstPixel) / Double(bits - firstBit)
        firstPixel = pixels
        firstBit = bits
        return rate < Double(pixels) / Double(bits)
    }
}
