internal import LazyMedia

/// The packets of a stream in decoding order, and its frames in order of presentation.
struct PacketIndex: Sendable {
    /// A packet at which decoding can begin.
    struct Entry: Sendable {
        /// Its number among all packets of the stream.
        let number: Int
        /// Its presentation time in ticks, else its decoding time, or nil.
        let pts: Int64?
        /// Its decoding time in ticks, or nil.
        let dts: Int64?
        /// Its size in bytes.
        let size: Int
        /// The offset of its bytes in the file, or nil.
        var position: Int?
        /// Whether nothing after it refers to anything before it.
        let isClean: Bool
        /// Whether its times are not those that the container has, so that no demuxer finds it by them.
        var isShifted = false
    }

    /// A frame that is shown.
    struct Shown: Sendable {
        /// The time in ticks of the stream.
        var ticks: Int64
        /// The duration from its packet, in ticks; 0 where unknown.
        var duration: Int64
        /// Whether it can be decoded alone.
        var isKey: Bool
    }

    /// The keyframes' packets, in decoding order.
    var keys: [Entry] = []
    /// The frames, in order of presentation.
    var frames: [Shown] = []
    /// Whether the frames come from decoding instead of packets.
    var isExact = false
    /// The zero of the film in ticks (`FilmStart`); nil where it is the first frame.
    var zero: Int64?
    /// The number of frames and ticks in the header.
    var declared: (count: Int, ticks: Int64)?
    /// The ticks at which the last frame ends by its container, or nil.
    var end: Int64?
    /// The duration of the last frame by the tables of a movie, in ticks, where packets have durations, too; else 0.
    var lastDuration: Int64 = 0
    /// Whether it comes from tables alone: which keyframes are clean is unknown.
    var isFromTables = false
    /// Whether each frame is found by its time after seeking to a keyframe.
    var isSeekable = true

    /// The packet to start with so that the frame at `ticks` comes out as in a sequential read.
    ///
    /// After a recovery point that is not a clean start (open GOP, gradual refresh) pictures are correct
    /// only from the next keyframe on, so the previous keyframe is taken.
    func entry(for ticks: Int64) -> Entry? {
        let count = keyCount(upTo: ticks)
        guard count > 0 else { return nil }
        let found = keys[count - 1]
        return found.isClean || count == 1 ? found : keys[count - 2]
    }

    /// The number of keyframes that are shown at or before a time.
    func keyCount(upTo ticks: Int64) -> Int {
        keys.partitionPoint { $0.pts ?? .min <= ticks }
    }

    /// The number of the frame shown at exactly these ticks, or nil.
    func number(at ticks: Int64) -> Int? {
        let number = frames.partitionPoint { $0.ticks < ticks }
        return number < frames.count && frames[number].ticks == ticks ? number : nil
    }

    /// The ticks from which times are counted; nil only without frames.
    var origin: Int64? { frames.first.map { Self.origin(zero, first: $0.ticks) } }

    /// The ticks from which times are counted: the zero of the film, but never after its first frame.
    static func origin(_ zero: Int64?, first: Int64) -> Int64 {
        zero.map { min($0, first) } ?? first
    }

    /// The number of the frame shown at a time of the film; nil only without frames.
    func number(at time: Duration, _ base: Rational) -> Int? {
        guard let origin else { return nil }
        let next = frames.partitionPoint {
            MediaTime(ticks: $0.ticks.since(origin), base: base).duration <= time
        }
        return max(1, next) - 1
    }

    /// The duration of frame `i` in ticks: up to the next frame, or its packet's.
    func duration(_ i: Int) -> Int64 {
        if i + 1 < frames.count { return frames[i + 1].ticks.since(frames[i].ticks) }
        if frames[i].duration > 0 {
            return max(frames[i].duration, end?.since(frames[i].ticks) ?? 0)
        }
        if let declared, declared.count == frames.count {
            let rest = declared.ticks.since(frames[i].ticks.since(frames[0].ticks))
            if rest > 0 { return rest }
        }
        if lastDuration > 0 { return lastDuration }
        return i > 0 ? frames[i].ticks.since(frames[i - 1].ticks) : 0
    }

    /// The timings as `FrameIndex`, which shares the memory.
    func frameIndex(_ base: Rational) -> FrameIndex {
        let origin = origin ?? 0
        var index = FrameIndex(count: frames.count) { [frames] in
            frames.indices.filter { frames[$0].isKey }
        } timing: { number in
            FrameTiming(
                index: number,
                presentation: MediaTime(ticks: frames[number].ticks.since(origin), base: base),
                duration: MediaTime(ticks: duration(number), base: base),
                isKeyframe: frames[number].isKey)
        }
        index.clock = MediaTime(ticks: origin, base: base)
        return index
    }
}

extension Int64 {
    /// The ticks since an earlier time; 0 where that is not earlier.
    ///
    /// Saturates: times come from files.
    func since(_ earlier: Int64) -> Int64 {
        guard self > earlier else { return 0 }
        let (length, isTooLong) = subtractingReportingOverflow(earlier)
        return isTooLong ? .max : length
    }
}
