internal import CFFmpeg
internal import LazyMedia

/// Seeking by times in the container: its list of keyframes (Matroska's cues), or the packets of a transport stream.
///
/// For one frame of remote bytes, or of a long recording.
/// Numbering the frames would need every packet. Picture and time are exact; the number is estimated
/// from the frame rate.
extension VideoFrameReader {
    /// Seeks to the frame shown at a time; false where the list of keyframes is not sufficient.
    func seekByCues(to time: Duration) throws(MediaError) -> Bool {
        guard options.isSingleFrame, media.canSeekByCues else { return false }
        if times.first == nil { times.begin(at: try pictures.firstTicks()) }
        guard let first = times.first, let origin = times.origin else { return false }
        let search = CueSearch(
            pictures: pictures, stream: media.stream, keyframesOnly: options.keyframesOnly)
        // The first frame needs no index, either.
        if media.stream.ends != nil, !options.keyframesOnly,
            let goal = search.goal(time, from: origin), goal <= first
        {
            try move(to: 0)
            return true
        }
        guard let found = try search.picture(at: time, from: origin, first) else { return false }
        move(before: found.picture, number: found.number)
        return true
    }
}

/// Finds the picture of a time by the list of keyframes.
private struct CueSearch {
    let pictures: PictureSource
    let stream: VideoStream
    let keyframesOnly: Bool

    /// The picture shown at a time and its number, which is estimated; nil where the list does not suffice.
    func picture(
        at time: Duration, from origin: Int64, _ first: Int64
    ) throws(MediaError) -> (picture: Picture, number: Int)? {
        guard let goal = goal(time, from: origin), keyframesOnly || goal > first else {
            return nil
        }
        let picture = try keyframesOnly ? keyframe(near: goal) : shown(at: goal)
        return picture.map { ($0, estimatedNumber($0.ticks.since(first))) }
    }

    /// The last tick that is not after a time.
    func goal(_ time: Duration, from origin: Int64) -> Int64? {
        let base = stream.timeBase
        let ticks = time.ticks(perSecond: base.denominator) / max(1, base.numerator)
        // Times are rounded down to whole attoseconds, and so was the requested one.
        let isNext =
            ticks < .max && MediaTime(ticks: ticks + 1, base: base).duration <= time
        let (sum, isTooFar) = origin.addingReportingOverflow(isNext ? ticks + 1 : ticks)
        return isTooFar ? nil : sum
    }

    private func shown(at goal: Int64) throws(MediaError) -> Picture? {
        guard let entry = try pictures.startByCues(at: goal), entry.isClean, let first = entry.pts,
            first <= goal
        else { return nil }
        var best: Picture?
        while let picture = try pictures.next(), picture.ticks <= goal {
            if best == nil, picture.ticks != first { return nil }
            best = picture
            if picture.ticks == goal { break }
        }
        guard !pictures.run.isDamaged, best?.isInterlaced != true else { return nil }
        return best
    }

    /// The first keyframe not before the frame shown at a time, as in `seekToKeyframe`.
    private func keyframe(near goal: Int64) throws(MediaError) -> Picture? {
        let earliest = goal.subtractingReportingOverflow(pictures.frameTicks(in: stream.timeBase)).0
        guard try pictures.startByCues(behind: earliest, near: goal) else { return nil }
        return try pictures.decodeNextIsolated()
    }

    private func estimatedNumber(_ ticks: Int64) -> Int {
        let length = pictures.frameLength(in: stream.timeBase)
        guard length > 0 else { return ticks > 0 ? 1 : 0 }
        return Int(saturating: Double(ticks) / length)
    }
}
