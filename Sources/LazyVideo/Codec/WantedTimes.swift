internal import LazyMedia

/// Which pictures are wanted, by their presentation times in ticks.
struct WantedTimes {
    /// None before this time is.
    var start: Int64?
    /// Up to the last of these times only pictures of these are, in order; nil where all are.
    var expected: [Int64]?

    /// The time from which on every picture is wanted; nil where none is left out.
    var end: Int64? {
        guard let start else { return expected?.last }
        return max(start, expected?.last ?? start)
    }

    /// Whether a picture is wanted; those without a time are.
    func contains(_ time: Int64?) -> Bool {
        guard let time else { return true }
        if let start, time < start { return false }
        guard let expected, let last = expected.last, time <= last else { return true }
        return expected[expected.partitionPoint { $0 < time }] == time
    }

    /// The first expected time after another, or nil.
    func next(after time: Int64) -> Int64? {
        guard let expected else { return nil }
        let place = expected.partitionPoint { $0 <= time }
        return place < expected.count ? expected[place] : nil
    }
}
