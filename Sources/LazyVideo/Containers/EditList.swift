internal import LazyMedia

/// One entry of a list of edits, which FFmpeg applies to the times of packets (ISO/IEC 14496-12, 8.6.6).
private struct Edit {
    /// Its length in ticks of the movie.
    let length: Int64
    /// Where it begins in the track, in ticks of that; -1 where nothing is shown.
    let start: Int64
    /// Whether it is played at its own speed.
    let isAtItsSpeed: Bool
}

extension BoxContent {
    /// The entries of a list of edits, a few at most; none where the list is damaged.
    fileprivate var edits: [Edit] {
        let isWide = number(0) >> 24 == 1
        let size = isWide ? 20 : 12
        guard let count = count(entries: size), count <= 4 else { return [] }
        return (0..<count).map { entry in
            let place = 8 + entry * size
            let speed = number(place + size - 4)
            guard isWide else {
                return Edit(
                    length: Int64(number(place)),
                    start: Int64(Int32(bitPattern: number(place + 4))),
                    isAtItsSpeed: speed == 0x1_0000)
            }
            return Edit(
                length: wide(place), start: wide(place + 8), isAtItsSpeed: speed == 0x1_0000)
        }
    }

    /// For how long a list of edits shows nothing at first, in ticks of the movie; nil where it is not plain.
    var emptyLength: Int64? {
        let edits = edits
        guard !edits.isEmpty else { return nil }
        var length: Int64 = 0
        for edit in edits.prefix(while: { $0.start == -1 }) {
            guard edit.length >= 0 else { return nil }
            length = length.adding(edit.length)
        }
        return length
    }

    private func wide(_ place: Int) -> Int64 {
        Int64(bitPattern: UInt64(number(place)) << 32 | UInt64(number(place + 4)))
    }
}

extension SampleTable {
    /// Whether the edits show every sample once and at its speed.
    ///
    /// An empty edit may delay the rest. FFmpeg leaves out what an edit excludes, and what follows the keyframe at
    /// its end.
    func isShownWhole(_ facts: Facts, movie timescale: Int) -> Bool {
        guard let edits else { return true }
        var list = edits.edits
        if list.first?.start == -1 { list.removeFirst() }
        guard let edit = list.first, list.count == 1, timescale > 0, edit.start >= 0,
            edit.length > 0, edit.isAtItsSpeed
        else { return false }
        let (length, isTooLong) = edit.length.multipliedReportingOverflow(by: Int64(self.timescale))
        let (end, isTooLate) = edit.start.addingReportingOverflow(length / Int64(timescale))
        return !isTooLong && !isTooLate && facts.firstPTS >= edit.start && facts.lastPTS < end
            && facts.lastKeyEnd < end
    }
}
