internal import LazyEditing
internal import LazyMedia

extension FrameSelection {
    /// Whether reading the times of all frames first pays, so that the others need not be decoded.
    ///
    /// It costs a hundredth of decoding them, in containers whose packets say when they are shown. Not for a small
    /// part, whose frames are decoded sooner.
    func isSparse(_ info: MediaInfo) -> Bool {
        guard numbers == nil else { return true }
        guard !keyframesOnly, Self.timedTypes.contains(info.type),
            let duration = info.duration, duration > .zero
        else { return false }
        let seconds = duration / .seconds(1)
        let frames = info.frameCount.map(Double.init) ?? seconds * 25
        let selected =
            rate.map { seconds * $0.doubleValue } ?? interval.map { seconds / ($0 / .seconds(1)) }
            ?? frames / Double(every)
        guard selected < 0.75 * frames else { return false }
        let end = min(part.end ?? duration, duration)
        var share = max(.zero, end - part.start) / duration
        if let maximum {
            share = min(share, Double(maximum) / max(1, selected))
        }
        return share > 0.05
    }

    private static let timedTypes: Set<MediaType> = [.mp4, .m4v, .mov, .webm, .matroska]

    /// How much of the work is done with a frame, 0 to 1, as far as the header tells.
    func share(doneWith frame: Rendition.Frame, of info: MediaInfo) -> Double {
        if let numbers, let place = numbers.firstIndex(of: frame.sourceIndex) {
            return Double(place + 1) / Double(numbers.count)
        }
        var share = maximum.map { Double(frame.position + 1) / Double($0) } ?? 0
        if let duration = info.duration, duration > part.start {
            let end = min(part.end ?? duration, duration)
            let done = frame.timing.end.duration - part.start
            if end > part.start { share = max(share, done / (end - part.start)) }
        } else if let count = info.frameCount, count > 0 {
            share = max(share, Double(frame.sourceIndex + 1) / Double(count))
        }
        return max(0, min(1, share))
    }
}
