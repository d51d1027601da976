internal import LazyMedia

/// The packets of a stream in decoding order, and the frames they make in order of presentation.
struct PacketIndex: Sendable {
    /// A packet at which decoding can begin.
    struct Entry: Sendable {
        /// Its number among all packets of the stream.
        let number: Int
        /// Its presentation time in ticks, else its decoding time, or nil.
        let pts: Int64?
        /// Its decoding time in ticks, or nil.
        let dts: Int64?
        /// Its bytes.
        let size: Int
        /// Where it begins in the file, or nil.
        var position: Int?
        /// Whether nothing after it refers to what was before it.
        let isClean: Bool
    }

    /// A frame that is shown.
    struct Shown: Sendable {
        /// When, in ticks of the stream.
        var ticks: Int64
        /// How long its packet says it is shown; 0 where unknown.
        var duration: Int64
        /// Whether it can be decoded alone.
        var isKey: Bool
    }

    /// The keyframes' packets, in decoding order.
    var keys: [Entry] = []
    /// The frames, in order of presentation.
    var frames: [Shown] = []
    /// Whether the frames are those that decoding gave, not those that packets promise.
    var isExact = false
    /// The frames and ticks that the header tells of the whole.
    var told: (count: Int, ticks: Int64)?
    /// Whether it was made of tables alone: which keyframes are clean, and which are none, is not known.
    var isSketch = false
    /// Whether each frame is found by its time after a jump to a keyframe.
    var isSeekable = true

    /// The packet to begin with so that the frame at `ticks` comes out as in a sequential read.
    ///
    /// After a recovery point that is not a clean cut (open GOP, gradual refresh) the pictures
    /// are right only one keyframe later, so the one before it is taken.
    func entry(for ticks: Int64) -> Entry? {
        let count = keyCount(upTo: ticks)
        guard count > 0 else { return nil }
        let found = keys[count - 1]
        return found.isClean || count == 1 ? found : keys[count - 2]
    }

    /// The number of keyframes' packets whose pictures are shown by then.
    func keyCount(upTo ticks: Int64) -> Int {
        keys.partitionPoint { $0.pts ?? .min <= ticks }
    }

    /// The number of the frame shown at exactly these ticks, or nil.
    func number(at ticks: Int64) -> Int? {
        let number = frames.partitionPoint { $0.ticks < ticks }
        return number < frames.count && frames[number].ticks == ticks ? number : nil
    }

    /// The number of the frame shown at a time from the first frame on; nil only without frames.
    func number(at time: Duration, _ base: Rational) -> Int? {
        guard let origin = frames.first?.ticks else { return nil }
        let next = frames.partitionPoint {
            MediaTime(ticks: $0.ticks.since(origin), base: base).duration <= time
        }
        return max(1, next) - 1
    }

    /// The length in ticks that frame `i` is shown: up to the next one, or what its packet says.
    func duration(_ i: Int) -> Int64 {
        if i + 1 < frames.count { return frames[i + 1].ticks.since(frames[i].ticks) }
        if frames[i].duration > 0 { return frames[i].duration }
        if let told, told.count == frames.count {
            let rest = told.ticks.since(frames[i].ticks.since(frames[0].ticks))
            if rest > 0 { return rest }
        }
        return i > 0 ? frames[i].ticks.since(frames[i - 1].ticks) : 0
    }

    /// The timings as the library's own words.
    func frameIndex(_ base: Rational) -> FrameIndex {
        let origin = frames.first?.ticks ?? 0
        return FrameIndex(
            frames.indices.map { i in
                FrameTiming(
                    index: i,
                    presentation: MediaTime(ticks: frames[i].ticks.since(origin), base: base),
                    duration: MediaTime(ticks: duration(i), base: base), isKeyframe: frames[i].isKey
                )
            })
    }
}

extension Int64 {
    /// The ticks from an earlier time to this one: 0 where it is not earlier.
    ///
    /// Times come from files and may be as far apart as no `Int64` can tell; that is the most then.
    func since(_ earlier: Int64) -> Int64 {
        guard self > earlier else { return 0 }
        let (length, isTooLong) = subtractingReportingOverflow(earlier)
        return isTooLong ? .max : length
    }
}
