internal import LazyBase
internal import LazyEditing
public import LazyMedia

extension Rendition {
    /// Makes the frames of a source: several workers take, encode and write them.
    ///
    /// Each is a part of its own; the first one is written before the others are begun, so that a sink that refuses it
    /// has no other. A worker holds a frame and its file, whatever the length of the clip; only a list in JSON needs
    /// memory for each frame. Throws `.notFound` where the part of the clip has no frame.
    func makeFrames(
        _ frames: Frames, of source: Source, to sinks: any Sinks, _ tools: Tools
    ) async throws(MediaError) -> Report {
        if let refusal = source.frames.info.songRefusal { throw refusal }
        var edit = edit.named(source.name)
        edit.segments = []
        let sequence = edit == ClipEdit() ? source.frames : try await source.frames.edited(edit)
        var selection = frames.selection(in: self.edit.segments.first)
        selection.numbers = try await frames.numbers(in: sequence, selection.part, tools)
        // Damage is reported where frames are read.
        let index =
            (source.isLocal || selection.numbers != nil) && selection.isSparse(sequence.info)
            ? try? await sequence.frameIndex() : nil
        let work = try FramesWork(self, frames, selection, sequence, index, source, sinks, tools)
        return try await work.run()
    }
}

extension Rendition.Frames {
    /// What is selected of a sequence.
    fileprivate func selection(in part: Range<Duration>?) -> FrameSelection {
        var clip = ClipPart()
        if let part {
            clip.start = part.lowerBound
            clip.end = part.upperBound >= ClipEdit.toTheEnd ? nil : part.upperBound
        }
        var selection = FrameSelection(
            part: clip, keyframesOnly: keyframesOnly, maximum: maximum, rate: rate)
        switch every {
        case .frames(let number): selection.every = number
        case .time(let step): selection.interval = step
        }
        return selection
    }

    /// The frames a second of a stream that has one rate: the one that is asked for, or that of the first frame.
    func streamRate(_ first: FrameTiming) -> Rational {
        if let rate { return rate }
        if case .time(let step) = every {
            let step = MediaTime(step)
            return Rational(step.base.denominator, max(1, step.ticks * step.base.numerator)).reduced
        }
        var count: Int64 = 1
        if case .frames(let number) = every { count = Int64(number) }
        let length = first.duration
        let (ticks, isTooLong) = length.ticks.multipliedReportingOverflow(by: count)
        let (time, isTooFar) = ticks.multipliedReportingOverflow(by: length.base.numerator)
        guard !isTooLong, !isTooFar, time > 0 else { return Rational(25, 1) }
        return Rational(length.base.denominator, time).reduced
    }

    /// The numbers of frames that are named, or begin a scene; nil for those that are counted.
    fileprivate func numbers(
        in sequence: FrameSequence, _ part: ClipPart, _ tools: Rendition.Tools
    ) async throws(MediaError) -> [Int]? {
        if scenesOnly {
            return try await SceneCuts.starts(in: sequence, part) { tools.progress($0 * 0.5) }
        }
        guard !positions.isEmpty else { return nil }
        var numbers: Set<Int> = []
        for position in positions { numbers.insert(try await sequence.frameNumber(of: position)) }
        return numbers.sorted()
    }
}

extension Rendition.Report {
    /// The pictures of frames, which are too many to be listed among the parts.
    public struct Frames: Sendable {
        /// The type of the pictures; nil where there are none.
        public let type: MediaType?
        /// The bytes of all of them; none where they are one stream, which is a part.
        public let byteCount: Int
    }
}
