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
