internal import LazyEditing
package import LazyMedia

extension ExportPlan {
    /// The number of frames estimated from the header, for the progress bar.
    package func expectedFrames(_ info: MediaInfo) -> Int? {
        var count = info.frameCount
        if let duration = info.duration, duration > .zero {
            let end = min(selection.part.end ?? duration, duration)
            let length = max(.zero, end - selection.part.start)
            if let rate = selection.rate {
                count = Int(saturating: length / .seconds(1) * rate.doubleValue)
            } else {
                count = count.map { Int(saturating: Double($0) * (length / duration)) }
            }
        }
        if selection.keyframesOnly { count = nil }
        count = count.map { max(1, $0 / selection.every) }
        guard let maximum = selection.maximum else { return count }
        return min(count ?? maximum, maximum)
    }
}
