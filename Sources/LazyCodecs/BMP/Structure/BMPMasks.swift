/// Where a channel is in a pixel of 16 or 32 bits.
struct BMPMask: Hashable, Sendable {
    /// The number of its lowest bit, and of its bits.
    let shift: UInt32, width: UInt32

    /// No channel.
    static let none = BMPMask(shift: 0, width: 0)

    /// The channel in 8 bits: rounded where it has fewer, its upper ones where it has more.
    func value(_ pixel: UInt32) -> UInt32 {
        guard width > 0 else { return 0 }
        let value = UInt32(truncatingIfNeeded: UInt64(pixel >> shift) & ((UInt64(1) << width) - 1))
        if width >= 8 { return value >> (width - 8) }
        let most = (UInt32(1) << width) - 1
        return (value * 255 + most / 2) / most
    }
}

extension BMPMask {
    /// Finds a channel; nil where its bits are not next to each other.
    init?(_ mask: UInt32) {
        shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
        width = UInt32(mask.nonzeroBitCount)
        guard mask == 0 || mask >> shift == UInt32(truncatingIfNeeded: (UInt64(1) << width) - 1)
        else { return nil }
    }
}

/// Where the channels of a pixel are.
struct BMPMasks: Hashable, Sendable {
    let red, green, blue, alpha: BMPMask

    /// No channel.
    static let none = BMPMasks(red: .none, green: .none, blue: .none, alpha: .none)

    /// A pixel as RGBA8.
    func rgba(_ pixel: UInt32) -> UInt32 {
        let opacity = alpha.width == 0 ? 255 : alpha.value(pixel)
        return red.value(pixel) | green.value(pixel) << 8 | blue.value(pixel) << 16 | opacity << 24
    }
}

extension BMPMasks {
    /// Finds four channels; nil where one has gaps.
    init?(_ masks: [Int]) {
        let found = masks.compactMap { BMPMask(UInt32(truncatingIfNeeded: $0)) }
        guard found.count == 4 else { return nil }
        (red, green, blue, alpha) = (found[0], found[1], found[2], found[3])
    }
}
