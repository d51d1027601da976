package import LazyMedia

/// Media whose frames are those of other media, selected by a plan.
package struct EditedMedia: MappedMedia {
    package let base: any OpenedMedia
    let plan: EditPlan
    /// Whether each frame of the source is a keyframe.
    let keyframes: [Bool]
    private let index: FrameIndex

    /// Plans an edit of media whose timing is known; ignores its size and gravity.
    ///
    /// Throws as `EditPlan` does, and if the number of frames exceeds the limits.
    package init(
        _ base: any OpenedMedia, _ timing: FrameIndex, _ edit: ClipEdit, limits: DecodingLimits
    ) throws(MediaError) {
        self.base = base
        plan = try EditPlan(timing, edit)
        try limits.check(frames: plan.entries.count)
        keyframes = timing.timings.map(\.isKeyframe)
        index = plan.frameIndex(keyframes: keyframes)
    }

    package var info: MediaInfo {
        var info = base.info
        info.frameCount = index.count
        info.duration = index.duration
        return info
    }

    package func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { index }

    package func containerIndex(_ cancellation: CancellationFlag) -> FrameIndex { index }

    package func cheapFrameIndex(_ cancellation: CancellationFlag) -> FrameIndex? { index }

    package func makeReader(_ options: ReaderOptions) -> any FrameReader {
        EditedReader(self, index, options)
    }

    /// Nil: the frames have other times.
    package func soundTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) -> (any SoundTrack)? { nil }

    /// Throws: the frames have other times.
    package func subtitleTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) throws(MediaError) -> SubtitleTrack {
        throw MediaError(
            .trackNotFound, "A clip whose frames have other times has no subtitles.")
    }
}

/// Reads the frames that a plan names.
private final class EditedReader: FrameReader {
    private let plan: EditPlan
    private let index: FrameIndex
    private let options: ReaderOptions
    private let walk: FrameWalk
    /// A second reader for the frames that fade in, so that neither seeks back and forth.
    private let fading: FrameWalk
    private var position = 0
    private var end: Int

    init(_ media: EditedMedia, _ index: FrameIndex, _ options: ReaderOptions) {
        plan = media.plan
        self.index = index
        self.options = options
        end = index.count
        var inner = options
        inner.keyframesOnly = false
        let (base, wanted) = (media.base, inner)
        let make = { () throws(MediaError) in try base.makeReader(wanted) }
        walk = FrameWalk(keyframes: media.keyframes, make)
        fading = FrameWalk(keyframes: media.keyframes, make)
    }

    var warnings: [MediaWarning] { walk.warnings }

    func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        if options.keyframesOnly {
            while position < end, !index.timings[position].isKeyframe { position += 1 }
        }
        guard position < end else { return nil }
        let entry = plan.entries[position]
        let ahead = plan.entries[position...].lazy.map(\.source)
        let timing = index.timings[position]
        // A damaged source may end before its index does.
        guard isWanted(timing) else {
            guard try walk.skip(entry.source, ahead: ahead) else {
                end = position
                return nil
            }
            position += 1
            return (timing, nil)
        }
        guard let frame = try walk.frame(entry.source, ahead: ahead) else {
            end = position
            return nil
        }
        position += 1
        guard let blend = entry.blend,
            let other = try fading.frame(
                blend.source,
                ahead: plan.entries[(position - 1)...].lazy.compactMap(\.blend?.source))
        else { return (timing, frame.inTime(timing)) }
        return (timing, try Self.mix(frame, other, share: blend.share, timing))
    }

    /// Blends samples of 16 bits or planes where both frames have them, so that encoders get them for the fade too.
    private static func mix(
        _ frame: Frame, _ other: Frame, share: Int, _ timing: FrameTiming
    ) throws(MediaError) -> Frame {
        if let under = frame.deep, let over = other.deep {
            return try frame.replacing(deep: under.mixed(with: over, share: share)).inTime(timing)
        }
        guard let under = frame.planes, let over = other.planes,
            let planes = try under.mixed(with: over, share: share)
        else {
            let mixed = try frame.bitmap.mixed(with: other.bitmap, share: share)
            return frame.replacing(mixed, timing: timing, play: 0)
        }
        let mixed = try frame.bitmap.mixedDeferred(with: other.bitmap, share: share)
        return frame.replacing(mixed, timing: timing, play: 0, planes: planes)
    }

    func seek(toIndex index: Int) { position = min(max(0, index), end) }

    func seek(toTime time: Duration) { position = min(end, index.frame(at: time) ?? 0) }
}
