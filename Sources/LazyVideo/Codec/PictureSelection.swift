internal import CFFmpeg

/// Which pictures of a stream are decoded, and how exactly.
struct PictureSelection {
    /// Which pictures are decoded at all.
    var discard = AVDISCARD_DEFAULT
    /// The times of the pictures that are wanted up to the last of them, in order; nil where all are.
    ///
    /// Others that nothing refers to are skipped, also those that a decoder needs long before it returns one.
    var expected: [Int64]?
    /// Whether pictures need not be exact.
    var isQuick = false
    /// Whether a truncated packet counts as the end.
    var endsAtDamage = false

    /// The wanted times, none of them before a time.
    func times(from start: Int64?) -> WantedTimes { WantedTimes(start: start, expected: expected) }
}
