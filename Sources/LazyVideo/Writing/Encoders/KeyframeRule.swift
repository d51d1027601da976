/// Decides which frames must be keyframes so that one comes at least every two seconds; pure.
///
/// The encoder inserts one after `interval` frames, and at scene changes, which are not known here. That
/// is enough while `interval` frames take at most two seconds; with longer frames this decides.
struct KeyframeRule {
    /// The most frames from one keyframe to the next.
    let interval: Int
    private var lengths: [Int64] = []
    private var sum: Int64 = 0

    /// The longest time between keyframes, in microseconds.
    static let longest: Int64 = 2_000_000

    /// Makes a rule for a clip whose first frame has a duration in microseconds.
    init(firstLength: Int64) {
        interval = Int(min(max((Self.longest + 500) / max(1, firstLength), 24), 600))
    }

    /// Adds the next frame's duration; returns whether it must be a keyframe.
    mutating func isForced(length: Int64) -> Bool {
        if lengths.count == interval { sum -= lengths.removeFirst() }
        // Half a millisecond allows for rounded times.
        let isForced = lengths.isEmpty || sum + length > Self.longest + 500
        if isForced {
            lengths.removeAll(keepingCapacity: true)
            sum = 0
        }
        lengths.append(length)
        sum += length
        return isForced
    }
}
