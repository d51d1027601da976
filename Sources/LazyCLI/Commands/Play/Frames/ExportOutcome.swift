internal import LazyMedia

/// The written frames of one input.
struct ExportOutcome: Sendable {
    /// The frames in a folder; none where they went to standard output, however many.
    var records: [FrameRecord]
    var warnings: [MediaWarning]

    /// From the start of the first frame to the end of the last one.
    var duration: Int64? {
        guard let first = records.first?.frame.timing, let last = records.last?.frame.timing else {
            return nil
        }
        return (last.end - first.presentation).microseconds
    }
}
