/// The times of all samples in decoding order, in ticks of one clock.
struct MovieTimes {
    /// The duration of each sample.
    let lengths: [Int64]
    /// The offset of each sample's presentation from its decoding.
    let offsets: [Int64]
    /// The delay of presentation that keeps all offsets non-negative.
    let shift: Int64
    /// How long sound is heard before the first frame is shown.
    let lead: Int64
    /// The total duration, with that.
    let duration: Int64

    /// Computes the times at a number of ticks per second.
    init(_ table: ClipTable, scale: Int64) {
        let ticks = table.clock.ticks(perSecond: scale)
        let lengths = table.samples.map { ticks[$0.frame + 1] - ticks[$0.frame] }
        var lags: [Int64] = []
        lags.reserveCapacity(lengths.count)
        lead = ticks.first ?? 0
        var decoded = lead
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

    /// Whether every number fits 31 bits.
    var haveRoom: Bool { max(lengths.max() ?? 0, offsets.max() ?? 0) <= Int64(Int32.max) }
}
