/// Decides which frames must be keyframes so that one comes every two seconds; pure.
///
/// The encoder puts one after `interval` frames by itself, and where the scene changes, which is
/// not known here. As long as `interval` frames take no more than two seconds that is enough; with
/// longer frames this says when.
struct KeyframeRule {
    /// The most frames from one keyframe to the next.
    let interval: Int
    private var lengths: [Int64] = []
    private var sum: Int64 = 0

    /// The longest way from one keyframe to the next, in microseconds.
    static let longest: Int64 = 2_000_000

    /// Makes a rule for a clip whose first frame is shown so long, in microseconds.
    init(firstLength: Int64) {
        interval = Int(min(max((Self.longest + 500) / max(1, firstLength), 24), 600))
    }

    /// Takes note of the next frame's length; returns whether it must be a keyframe.
    mutating func isForced(length: Int64) -> Bool {
        if lengths.count == interval { sum -= lengths.removeFirst() }
        // Half a millisecond is for rounded times.
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
