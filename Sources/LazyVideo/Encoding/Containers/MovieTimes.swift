/// The times of all samples, in the order they are decoded, in ticks of one clock.
struct MovieTimes {
    /// How long each sample is shown.
    let lengths: [Int64]
    /// By how much each is shown later than it is decoded.
    let offsets: [Int64]
    /// By how much presentation lags behind so that none comes too late.
    let shift: Int64
    /// The length of all.
    let duration: Int64

    /// Counts in so many ticks a second.
    init(_ table: ClipTable, scale: Int64) {
        let ticks = table.clock.ticks(perSecond: scale)
        let lengths = table.samples.map { ticks[$0.frame + 1] - ticks[$0.frame] }
        var lags: [Int64] = []
        lags.reserveCapacity(lengths.count)
        var decoded: Int64 = 0
        for (sample, length) in zip(table.samples, lengths) {
            lags.append(ticks[sample.frame] - decoded)
            decoded += length
        }
        let shift = max(0, -(lags.min() ?? 0))
        self.lengths = lengths
        self.shift = shift
        offsets = lags.map { $0 + shift }
        duration = ticks.last ?? 0
    }

    /// Whether 31 bits hold each number of the tables.
    var haveRoom: Bool { max(lengths.max() ?? 0, offsets.max() ?? 0) <= Int64(Int32.max) }
}
