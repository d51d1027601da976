internal import LazyBytes
package import LazyMedia

/// A frame that is to be written.
package struct SelectedFrame: Sendable {
    package let bitmap: Bitmap
    /// When it is shown; after resampling that is the resampled time.
    package let timing: FrameTiming
    /// The frame's number in the source.
    package let sourceIndex: Int
    /// Its place among the frames written, from 0.
    package let position: Int
}

/// Hands out the wanted frames of one reader, to one worker at a time.
package final class SelectedFrames {
    private let reader: any FrameReader
    private let selection: FrameSelection
    private let limits: DecodingLimits
    private var resampler: FrameResampler?
    private var candidates = 0
    private var written = 0
    private var hasBegun = false
    private var hasEnded = false

    /// Chooses among the frames of a reader; no more come out than the limits allow.
    ///
    /// At a steady rate that may be any number of one frame.
    package init(
        _ reader: any FrameReader, _ selection: FrameSelection,
        limits: DecodingLimits = DecodingLimits()
    ) {
        self.reader = reader
        self.limits = limits
        self.selection = selection
        resampler = selection.rate.map {
            FrameResampler(rate: $0, start: selection.start ?? .zero, end: selection.end)
        }
    }

    /// Damage met so far.
    package var warnings: [MediaWarning] { reader.warnings }

    /// The next wanted frame, or nil at the end.
    package func next() throws(MediaError) -> SelectedFrame? {
        if let maximum = selection.maximum, written >= maximum { return nil }
        guard let (frame, timing) = try nextTimed() else { return nil }
        try limits.check(frames: written + 1)
        defer { written += 1 }
        return SelectedFrame(
            bitmap: frame.bitmap, timing: timing, sourceIndex: frame.index, position: written)
    }

    private func nextTimed() throws(MediaError) -> (Frame, FrameTiming)? {
        guard resampler != nil else { return try nextWanted().map { ($0, $0.timing) } }
        while true {
            switch resampler?.step() {
            case .emit(let frame, let timing): return (frame, timing)
            case .needsFrame: resampler?.feed(try nextWanted())
            case .end, nil: return nil
            }
        }
    }

    private func nextWanted() throws(MediaError) -> Frame? {
        if !hasBegun, let start = selection.start, start > .zero {
            try reader.seek(toTime: start)
        }
        hasBegun = true
        while !hasEnded, let frame = try reader.nextFrame() {
            let verdict = selection.verdict(on: frame.timing, position: candidates)
            switch verdict {
            case .take:
                candidates += 1
                return frame
            case .skip: if isCounted(frame) { candidates += 1 }
            case .stop: hasEnded = true
            }
        }
        hasEnded = true
        return nil
    }

    // `--every` counts the frames that only it holds back.
    private func isCounted(_ frame: Frame) -> Bool {
        var plain = selection
        plain.every = 1
        return plain.verdict(on: frame.timing, position: 0) == .take
    }
}

/// Lets several workers take frames from one reader in turn.
///
/// Unchecked: the frames are touched only inside the lock.
package final class SharedFrames: @unchecked Sendable {
    private let lock = Locked(())
    private let frames: SelectedFrames
    private var failure: MediaError?

    package init(_ frames: SelectedFrames) { self.frames = frames }

    /// The next frame; after an error, and after the end, nil for all who ask later.
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
