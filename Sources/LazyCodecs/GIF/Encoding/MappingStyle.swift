/// How indices are found.
struct MappingStyle: Hashable, Sendable {
    /// How much worse than the best color the shown one may be, squared.
    var tolerance: Int32 = 40
    /// The strength of the dither pattern, 0 (none) to 256 (full).
    var strength: Int32 = 0
    /// Whether error diffusion is used instead.
    var diffuses = false

    /// The thresholds of Bayer's 8 by 8 pattern: the share in 256ths above which the other color is
    /// used.
    var thresholds: [Int32] {
        (0..<64).map { place in
            let (x, y) = (place & 7, place >> 3)
            var level: Int32 = 0
            for bit in 0..<3 {
                level |= Int32(y >> bit & 1) << Int32(2 * (2 - bit))
                level |= Int32((x ^ y) >> bit & 1) << Int32(2 * (2 - bit) + 1)
            }
            // Compresses the range of levels around the middle.
            return 128 + (level * 4 + 2 - 128) * strength / 256
        }
    }
}
