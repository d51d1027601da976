internal import Glibc
internal import LazyMedia

/// Compresses indices as GIF's variable-length LZW, in blocks preceded by their lengths.
///
/// Where a pixel may be painted or left transparent, the choice with the longer match is taken. With loss, the
/// longest match of similar colors is taken.
struct LZWEncoder: ~Copyable {
    /// Slots of the hash table, four for each code there can be.
    private static let slotBits: UInt32 = 14
    private static let maxCodes = 4096

    /// Each slot holds a string, as a prefix code of 12 bits and a last index, and its code of 12
    /// bits.
    private let slots: UnsafeMutablePointer<UInt32>
    private var output = LZWOutput()
    private var nextCode = 0
    private var width = 0
    private var clearCode = 0
    var gauge = ClearCodePolicy()

    init() {
        slots = .allocate(capacity: 1 << Int(Self.slotBits))
    }

    deinit { slots.deallocate() }

    /// Compresses the pixels of a rectangle of a canvas whose rows are `stride` symbols long.
    mutating func compress(
        _ symbols: UnsafePointer<UInt16>, stride: Int, _ rect: PixelRect, _ table: GIFColorTable,
        loss: Int = 0
    ) -> [UInt8] {
        clearCode = 1 << table.codeSize
        width = table.codeSize + 1
        output.begin(reserving: rect.pixelCount)
        clear()
        let transparent = UInt32(table.transparent ?? 0)
        if let similar = SimilarColors(table, loss: loss) {
            let raster = Raster(symbols: symbols, stride: stride, rect: rect)
            return compress(raster, transparent, similar)
        }
        var current = UInt32.max
        for y in rect.y..<rect.bottom {
            let row = symbols + y * stride
            for x in rect.x..<rect.right {
                let symbol = row[x]
                let preferred = GIFSymbol.preferred(symbol, transparent)
                if current == .max {
                    current = preferred
                    continue
                }
                if let longer = find(current, preferred) {
                    current = longer
                } else if GIFSymbol.hasChoice(symbol),
                    let longer = find(current, GIFSymbol.index(symbol))
                {
                    current = longer
                } else {
                    emit(current)
                    add(current, preferred)
                    current = preferred
                }
                gauge.pixels &+= 1
            }
        }
        return finish(current)
    }

    mutating func finish(_ current: UInt32) -> [UInt8] {
        emit(current)
        // The decoder adds a string after this code too, and may expect the end code to be a bit
        // wider.
        if nextCode < Self.maxCodes {
            if nextCode == 1 << width { width += 1 }
            nextCode += 1
        }
        output.put(UInt32(clearCode + 1), width)
        return output.finish()
    }

    @inline(__always)
    func find(_ prefix: UInt32, _ last: UInt32) -> UInt32? {
        let key = prefix << 8 | last
        var slot = Self.slot(key)
        while true {
            let value = slots[slot]
            if value == 0 { return nil }
            if value >> 12 == key { return value & 0xFFF }
            slot = (slot + 1) & ((1 << Int(Self.slotBits)) - 1)
        }
    }

    @inline(__always)
    mutating func emit(_ code: UInt32) {
        output.put(code, width)
        gauge.bits &+= width
    }

    @inline(__always)
    mutating func add(_ prefix: UInt32, _ last: UInt32) {
        guard nextCode < Self.maxCodes else {
            if gauge.wantsClear() { clear() }
            return
        }
        let key = prefix << 8 | last
        var slot = Self.slot(key)
        while slots[slot] != 0 { slot = (slot + 1) & ((1 << Int(Self.slotBits)) - 1) }
        slots[slot] = key << 12 | UInt32(nextCode)
        if nextCode == 1 << width { width += 1 }
        nextCode += 1
        if nextCode == Self.maxCodes { gauge.didFill() }
    }

    private mutating func clear() {
        output.put(UInt32(clearCode), width)
        memset(slots, 0, 4 << Int(Self.slotBits))
        nextCode = clearCode + 2
        width = clearCode.trailingZeroBitCount + 1
        gauge = ClearCodePolicy()
    }

    @inline(__always)
    private static func slot(_ key: UInt32) -> Int {
        Int((key &* 2_654_435_761) >> (32 - slotBits))
    }
}
