internal import CFFmpeg
internal import LazyMedia

/// Reading movies of which some fragments are listed, as their index leads to them.
extension Demuxer {
    /// As often more fragments are listed where those beside a time have no keyframe before it, or end too early.
    private static let mostSteps = 8

    /// Lists the fragments around a time; false where an index does not lead there.
    func list(around ticks: Int64) throws(MediaError) -> Bool {
        guard let old = listing?.packets, var parts = old.parts, let movie = bytes as? MovieBytes,
            let track = streamIndex.map({ Int(streams[$0].pointee.id) })
        else { return false }
        let count = parts.index.places.count
        let first = parts.index.number(at: ticks.since(old.firstTicks))
        parts.numbers = first..<min(count, first + 2)
        for _ in 0..<Self.mostSteps {
            guard let table = try movie.samples(ofTrack: track, in: parts, limits, cancellation)
            else { return false }
            let facts = table.facts()
            guard facts.end <= bytes.count, facts.largest < 1 << 30 else { return false }
            let packets = old.with(
                table, parts, reorderingDepth: max(old.reorderingDepth, facts.reorderingDepth))
            let hasKey = packets.key(upTo: ticks) != nil
            let isLongEnough = facts.lastPTS &+ old.shift > ticks
            if hasKey, isLongEnough || parts.numbers.upperBound == count {
                adopt(packets)
                return true
            }
            let (lower, upper) = (parts.numbers.lowerBound, parts.numbers.upperBound)
            guard hasKey || lower > 0 else { return false }
            parts.numbers =
                (hasKey ? lower : lower - 1)..<(isLongEnough ? upper : min(count, upper + 1))
        }
        return false
    }

    /// Reads all fragments from now on, through FFmpeg.
    func leaveParts() throws(MediaError) {
        guard listing?.packets.parts != nil else { return }
        listing = nil
        opensAll = true
        try reopen()
    }
}

extension PacketListing {
    /// When the first sample is shown.
    fileprivate var firstTicks: Int64 {
        var cursor = SampleTable.Cursor(table)
        return cursor.next().map { $0.pts &+ shift } ?? 0
    }

    fileprivate func with(
        _ table: SampleTable, _ parts: FragmentParts, reorderingDepth: Int
    ) -> PacketListing {
        PacketListing(
            table: table, shift: shift, delay: delay, reorderingDepth: reorderingDepth,
            hasDurations: hasDurations, parts: parts)
    }

    /// The number of the last keyframe at or before a time in the fragments around it; nil where there is none.
    func key(upTo ticks: Int64) -> Int? { keys { $0 <= ticks }.last }

    /// The number of the first keyframe behind a time; nil where there is none.
    func key(behind ticks: Int64) -> Int? { keys { $0 > ticks }.first }

    /// The keyframes whose times satisfy a condition, without those before a gap.
    private func keys(where isWanted: (Int64) -> Bool) -> [Int] {
        var keys: [Int] = []
        var cursor = SampleTable.Cursor(table)
        while let sample = cursor.next() {
            if let parts, parts.numbers.lowerBound > 0, sample.position < parts.start { continue }
            if sample.isKey, isWanted(sample.pts &+ shift) { keys.append(cursor.number - 1) }
        }
        return keys
    }
}

extension FragmentParts {
    /// Where the first of them begins.
    fileprivate var start: Int { index.places[numbers.lowerBound].offset }
}
