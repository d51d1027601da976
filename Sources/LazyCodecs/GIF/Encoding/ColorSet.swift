/// A set of at most a few hundred colors, numbered in order of insertion.
struct ColorSet {
    private static let mask = 1023
    private var slots = [UInt32](repeating: 0, count: 1024)
    private var numbers = [UInt16](repeating: 0, count: 1024)
    private(set) var colors: [UInt32] = []
    private var last: UInt32 = 0

    /// Makes a set of opaque colors.
    init(_ colors: [UInt32] = []) {
        for color in colors { insert(color) }
    }

    var count: Int { colors.count }

    /// Inserts an opaque color; at most 512 of them.
    @inline(__always)
    mutating func insert(_ color: UInt32) {
        if color == last { return }
        last = color
        let slot = slot(color)
        guard slots[slot] == 0 else { return }
        slots[slot] = color
        numbers[slot] = UInt16(colors.count)
        colors.append(color)
    }

    /// The number of a color, or nil.
    @inline(__always)
    func number(_ color: UInt32) -> UInt16? {
        let slot = slot(color)
        return slots[slot] == 0 ? nil : numbers[slot]
    }

    mutating func removeAll() {
        guard !colors.isEmpty else { return }
        self = ColorSet()
    }

    @inline(__always)
    private func slot(_ color: UInt32) -> Int {
        var slot = Int((color &* 2_654_435_761) >> 22)
        while slots[slot] != 0, slots[slot] != color { slot = (slot + 1) & Self.mask }
        return slot
    }
}
