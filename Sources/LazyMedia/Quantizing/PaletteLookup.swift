internal import Glibc

/// Finds the palette's colors for a pixel, with a lookup table of 64 steps a channel.
///
/// For one thread at a time: the table is filled as it is used. A class, since a structure in a mapper would have each
/// pixel checked for exclusive access.
package final class PaletteLookup {
    /// The nearest color, the one to mix with it, and that one's share.
    package struct Match {
        @usableFromInline let bits: UInt32

        @usableFromInline init(bits: UInt32) { self.bits = bits }

        /// The nearest color's index.
        @inlinable package var nearest: UInt32 { bits & 0xFF }
        /// The other color's index.
        @inlinable package var other: UInt32 { bits >> 8 & 0xFF }
        /// The other color's share in 1/256, at most half.
        @inlinable package var share: UInt32 { bits >> 16 & 0xFF }
    }

    private static let filled: UInt32 = 1 << 31
    private static let count = 1 << 18
    @usableFromInline let table: UnsafeMutablePointer<UInt32>
    private var centers: [SIMD3<Float>] = []
    private var finder = NearestCenter([])

    /// Makes a table without colors.
    package init() {
        guard let memory = calloc(Self.count, MemoryLayout<UInt32>.stride) else {
            fatalError("There is no memory to look up colors.")
        }
        table = memory.bindMemory(to: UInt32.self, capacity: Self.count)
    }

    deinit { free(table) }

    /// Changes the palette, whose colors are opaque.
    package func use(_ colors: [UInt32]) {
        if !centers.isEmpty { table.update(repeating: 0, count: Self.count) }
        centers = colors.map {
            SIMD3(Float($0 & 0xFF), Float($0 >> 8 & 0xFF), Float($0 >> 16 & 0xFF))
                * ColorQuantizer.scale
        }
        finder = NearestCenter(centers)
    }

    /// The match for a pixel.
    @inlinable package func match(_ pixel: UInt32) -> Match {
        let key = ColorHistogram.key(pixel)
        let bits = table[key]
        if bits != 0 { return Match(bits: bits) }
        return fill(key)
    }

    @usableFromInline @inline(never)
    func fill(_ key: Int) -> Match {
        let color = SIMD3(
            Float(key >> 12) * 4 + 1.5, Float(key >> 6 & 0x3F) * 4 + 1.5,
            Float(key & 0x3F) * 4 + 1.5)
        let point = color * ColorQuantizer.scale
        let first = finder.nearest(point).index
        // The nearest color on the opposite side, so that mixing both gives the color.
        let second = finder.nearest(point + (point - centers[first])).index
        let bits = Self.filled | Self.share(point, centers[first], centers[second]) << 16
        let match = bits | UInt32(second) << 8 | UInt32(first)
        table[key] = match
        return Match(bits: match)
    }

    private static func share(
        _ point: SIMD3<Float>, _ first: SIMD3<Float>, _ second: SIMD3<Float>
    ) -> UInt32 {
        let way = second - first
        let length = (way * way).sum()
        guard length > 0 else { return 0 }
        let share = ((point - first) * way).sum() / length
        return UInt32(min(max(share, 0), 0.5) * 256)
    }
}
