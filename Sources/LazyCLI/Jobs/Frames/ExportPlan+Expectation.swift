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

    /// Whether reading the times of all frames first pays, so that the others need not be decoded.
    ///
    /// It costs a hundredth of decoding them, in containers whose packets say when they are shown. Not for a small
    /// part, whose frames are decoded sooner.
    package func isSparse(_ info: MediaInfo) -> Bool {
        guard !selection.keyframesOnly, Self.timedTypes.contains(info.type),
            let duration = info.duration, duration > .zero
        else { return false }
        let seconds = duration / .seconds(1)
        let frames = info.frameCount.map(Double.init) ?? seconds * 25
        let selected =
            selection.rate.map { seconds * $0.doubleValue } ?? frames / Double(selection.every)
        guard selected < 0.75 * frames else { return false }
        let end = min(selection.part.end ?? duration, duration)
        var share = max(.zero, end - selection.part.start) / duration
        if let maximum = selection.maximum {
            share = min(share, Double(maximum) / max(1, selected))
        }
        return share > 0.05
    }

    private static let timedTypes: Set<MediaType> = [.mp4, .m4v, .mov, .webm, .matroska]
}
