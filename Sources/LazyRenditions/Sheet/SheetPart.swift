internal import LazyMedia

/// The part of a clip that tiles are distributed over, in times of the clip.
struct SheetPart {
    let start: Duration
    let end: Duration
    /// The frames that are on screen in it.
    let frames: Range<Int>

    var length: Duration { end - start }

    /// Times this close to a frame's start mean the frame: printed ones are rounded to microseconds.
    static let nearness = Duration.microseconds(1)

    /// Limits a range to the clip; throws `.notFound` if it is after its end.
    init(_ range: Range<Duration>?, of timings: FrameIndex) throws(MediaError) {
        guard let range else {
            (start, end, frames) = (.zero, timings.duration, 0..<timings.count)
            return
        }
        start = max(.zero, range.lowerBound)
        end = min(range.upperBound, timings.duration)
        guard start < end || start == .zero && timings.duration == .zero else {
            throw MediaError(.notFound, "No frame is in the range that was asked for.")
        }
        let first = timings.frame(at: start + Self.nearness) ?? 0
        let last =
            end < timings.duration
            ? timings.frame(at: end - Self.nearness) ?? first : timings.count - 1
        frames = first..<max(first, last) + 1
    }
}
