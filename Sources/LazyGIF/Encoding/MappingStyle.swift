/// How indices are found.
struct MappingStyle: Hashable, Sendable {
    /// How much worse than the best a color may be that is there already, squared.
    var tolerance: Int32 = 40
    /// How much of the pattern is used, 0 for the nearest color to 256 for all of it.
    var strength: Int32 = 0
    /// Whether errors are spread to the neighbours instead.
    var diffuses = false

    /// For each place of an 8 by 8 pattern (Bayer's), the share in 256ths above which the other of
    /// two colors is shown.
    var thresholds: [Int32] {
        (0..<64).map { place in
            let (x, y) = (place & 7, place >> 3)
            var level: Int32 = 0
            for bit in 0..<3 {
                level |= Int32(y >> bit & 1) << Int32(2 * (2 - bit))
                level |= Int32((x ^ y) >> bit & 1) << Int32(2 * (2 - bit) + 1)
            }
            // From the whole range of levels to one around the middle.
            return 128 + (level * 4 + 2 - 128) * strength / 256
        }
    }
}
