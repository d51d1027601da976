/// A copy of a file in which some byte ranges are replaced.
///
/// The ranges are in order and do not overlap; an empty range is an insertion.
package struct ByteEdits: Sendable {
    private var edits: [(range: Range<Int>, bytes: [UInt8])] = []

    /// Makes a copy without changes.
    package init() {}

    /// Replaces a range, which must be after those replaced before, with bytes.
    ///
    /// Throws `.malformed` for any other range: the offsets come from files.
    package mutating func replace(
        _ count: Int, at offset: Int, with bytes: [UInt8]
    ) throws(MediaError) {
        let (end, isTooFar) = offset.addingReportingOverflow(count)
        guard count >= 0, !isTooFar, offset >= (edits.last?.range.upperBound ?? 0) else {
            throw MediaError(.malformed, "Parts of the file that are to be changed overlap.")
        }
        edits.append((offset..<end, bytes))
    }

    /// Writes the whole file, piece by piece; `name` is what an error calls it.
    package func write(
        _ source: any ByteSource, called name: String,
        to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        var offset = 0
        guard edits.last?.range.upperBound ?? 0 <= source.count else {
            throw MediaError(.truncated, "The \(name) ends before what is to be changed in it.")
        }
        for edit in edits {
            try source.copy(offset..<edit.range.lowerBound, called: name, to: write)
            if !edit.bytes.isEmpty { try write(edit.bytes) }
            offset = edit.range.upperBound
        }
        try source.copy(offset..<source.count, called: name, to: write)
    }
}

/// Converts a file's delays to whole steps; each rounding error is carried to the next delay.
package struct ErrorDiffusedDelays: Sendable {
    private let change: TimingChange.Delays
    private let step: Duration
    private let least: Int64
    private var rest = Duration.zero

    /// Makes delays in steps of this many microseconds.
    ///
    /// A changed speed starts from the delays that browsers use, and yields none that they would
    /// lengthen: at least `least` steps.
    package init(_ change: TimingChange.Delays, step: Int64, least: Int64) throws(MediaError) {
        switch change {
        case .each(let length):
            guard length >= .zero else {
                throw MediaError(.notWritable, "A delay cannot be negative.")
            }
        case .speed(let factor):
            guard factor.isFinite, factor >= 0.0001, factor <= 10_000 else {
                throw MediaError(.notWritable, "A speed must be between 0.0001 and 10000.")
            }
        }
        self.change = change
        self.step = .microseconds(step)
        self.least = least
    }

    /// The new delay of a frame, in steps.
    package mutating func next(_ delay: MediaTime) -> Int64 {
        switch change {
        case .each(let length): return rounded(length, least: 0)
        case .speed(let factor):
            return rounded(DelayRule.browsers.effective(delay).duration / factor, least: least)
        }
    }

    private mutating func rounded(_ length: Duration, least: Int64) -> Int64 {
        let wanted = length.adding(rest)
        let steps = max(least, Int64(saturating: wanted / step))
        rest = wanted.adding(step.multiplied(by: -Int(clamping: steps)))
        return steps
    }
}
