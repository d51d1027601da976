internal import LazyBytes
package import LazyMedia

/// A selected frame.
package struct SelectedFrame: Sendable {
    /// Its picture.
    package let bitmap: Bitmap
    /// The same picture with 16 bits a sample, where the reader keeps them.
    package let deep: DeepBitmap?
    /// When it is shown; after resampling that is the resampled time.
    package let timing: FrameTiming
    /// The frame's number in the source.
    package let sourceIndex: Int
    /// Its place among the selected frames, from 0.
    package let position: Int
    /// What the picture's samples mean.
    package let color: ColorDescription
}

/// Returns the selected frames of a reader to one caller at a time.
package final class SelectedFrames {
    private let reader: any FrameReader
    private let selection: FrameSelection
    private let limits: DecodingLimits
    private var sampler: RateSampler?
    private var counted = 0
    private var returned = 0
    private var hasBegun = false
    private var hasEnded = false

    /// Selects among the frames of a reader, up to the limits.
    ///
    /// Resampling may return one frame any number of times.
    package init(
        _ reader: any FrameReader, _ selection: FrameSelection,
        limits: DecodingLimits = DecodingLimits()
    ) {
        self.reader = reader
        self.limits = limits
        self.selection = selection
        sampler = selection.rate.map { RateSampler(rate: $0, part: selection.part) }
    }

    /// Damage met so far.
    package var warnings: [MediaWarning] { reader.warnings }

    /// The next selected frame, or nil at the end.
    package func next() throws(MediaError) -> SelectedFrame? {
        if let maximum = selection.maximum, returned >= maximum { return nil }
        guard let (frame, timing) = try nextTimed() else { return nil }
        try limits.check(frames: returned + 1)
        defer { returned += 1 }
        return SelectedFrame(
            bitmap: frame.bitmap, deep: frame.deep, timing: timing, sourceIndex: frame.index,
            position: returned, color: frame.color)
    }

    private func nextTimed() throws(MediaError) -> (Frame, FrameTiming)? {
        guard sampler != nil else { return try nextInPart().map { ($0, $0.timing) } }
        while true {
            switch sampler?.step() {
            case .emit(let frame, let timing): return (frame, timing)
            case .needsFrame: try sampler?.feed(nextOfReader())
            case .end, nil: return nil
            }
        }
    }

    private func nextInPart() throws(MediaError) -> Frame? {
        while !hasEnded, let frame = try nextOfReader() {
            switch selection.part.relation(of: frame.timing) {
            case .after: hasEnded = true
            case .inside where frame.isKeyframe || !selection.keyframesOnly:
                defer { counted += 1 }
                if counted % selection.every == 0 { return frame }
            case .before, .inside: break
            }
        }
        hasEnded = true
        return nil
    }

    private func nextOfReader() throws(MediaError) -> Frame? {
        if !hasBegun, selection.part.start > .zero {
            try reader.seek(toTime: selection.part.start)
        }
        hasBegun = true
        return try reader.nextFrame()
    }
}

/// Shares the frames of one reader between several workers.
///
/// Unchecked: the frames are accessed only inside the lock.
package final class SharedFrames: @unchecked Sendable {
    private let lock = Locked(())
    private let frames: SelectedFrames
    private var failure: MediaError?

    /// Shares frames; the caller must not use them any more.
    package init(_ frames: SelectedFrames) { self.frames = frames }

    /// The next frame; nil after the end and after an error.
    package func next() throws(MediaError) -> SelectedFrame? {
        let result: Result<SelectedFrame?, MediaError> = lock.withLock { _ in
            guard failure == nil else { return .success(nil) }
            let next = Result { () throws(MediaError) in try frames.next() }
            if case .failure(let error) = next { failure = error }
            return next
        }
        return try result.get()
    }

    /// Damage met so far.
    package var warnings: [MediaWarning] { lock.withLock { _ in frames.warnings } }
}
