package import LazyMedia

/// What was written for one input.
package struct ExportOutcome: Sendable {
    package var records: [FrameRecord]
    package var warnings: [MediaWarning]

    /// From the first frame's beginning to the last one's end.
    package var duration: Int64? {
        guard let first = records.first?.frame.timing, let last = records.last?.frame.timing else {
            return nil
        }
        return (last.end - first.presentation).microseconds
    }
}
