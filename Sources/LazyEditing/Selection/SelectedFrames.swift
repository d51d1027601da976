internal import LazyBase
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
    private let make: () throws(MediaError) -> any FrameReader
    private var reader: any FrameReader
    private let selection: FrameSelection
    private let limits: DecodingLimits
    private var chooser: FrameChooser<Frame?>
    private var indexed: (walk: FrameWalk, choice: IndexedChoice)?
    private var returned = 0
    private var hasBegun = false
    /// Whether pictures that are not going to be chosen are left out.
    private var leavesOut = true

    /// Selects among the frames of readers that a function makes, up to the limits.
    ///
    /// Resampling may return one frame many times, up to the limits. With the times of all frames, `index`, only those that
    /// are selected are decoded, and what they need, up to the first damage; without it all of the part are. Throws
    /// as the function does.
    package init(
        _ selection: FrameSelection, index: FrameIndex? = nil,
        limits: DecodingLimits = DecodingLimits(),
        of make: @escaping () throws(MediaError) -> any FrameReader
    ) throws(MediaError) {
        let reader = try make()
        self.make = make
        self.reader = reader
        self.limits = limits
        self.selection = selection
        chooser = FrameChooser(selection, limits)
        indexed = index.flatMap { index in
            guard index.count > 0 else { return nil }
            let walk = FrameWalk(keyframes: index.timings.map(\.isKeyframe)) {
                () throws(MediaError) in reader
            }
            return (walk, IndexedChoice(index, selection, limits))
        }
    }

    /// Damage met so far.
    package var warnings: [MediaWarning] { reader.warnings }

    /// The next selected frame, or nil at the end.
    package func next() throws(MediaError) -> SelectedFrame? {
        if let maximum = selection.maximum, returned >= maximum { return nil }
        guard let (frame, timing) = try nextTimed() else { return nil }
        try selection.rate == nil
            ? limits.check(frames: returned + 1) : limits.check(resampledFrames: returned + 1)
        defer { returned += 1 }
        return SelectedFrame(
            bitmap: frame.bitmap, deep: frame.deep, timing: timing, sourceIndex: frame.index,
            position: returned, color: frame.color)
    }

    private func nextTimed() throws(MediaError) -> (Frame, FrameTiming)? {
        if let (walk, choice) = indexed {
            guard let (number, timing) = try indexed?.choice.nextTimed() else { return nil }
            if let frame = try undamaged(number, walk, ahead: choice) {
                return (frame, selection.rate == nil ? frame.timing : timing)
            }
            try readAll()
        }
        return try nextOfAll()
    }

    /// A frame by its number, or nil if damage was met on the way to it.
    private func undamaged(
        _ number: Int, _ walk: FrameWalk, ahead: IndexedChoice
    ) throws(MediaError) -> Frame? {
        do throws(MediaError) {
            let frame = try walk.frame(number, ahead: ahead)
            return reader.warnings.isEmpty ? frame : nil
        } catch {
            // Where nothing can be decoded from a keyframe on, there may be frames before it.
            guard error.code == .malformed else { throw error }
            return nil
        }
    }

    /// Continues by reading all frames: behind damage they depend on those that were read before.
    private func readAll() throws(MediaError) {
        indexed = nil
        reader = try make()
        chooser = FrameChooser(selection, limits)
        hasBegun = false
        for _ in 0..<returned { _ = try nextOfAll() }
    }

    private func nextOfAll() throws(MediaError) -> (Frame, FrameTiming)? {
        let next = try chooser.next { (isWanted) throws(MediaError) in
            try nextOfReader(isWanted).map { ($0.frame, $0.timing) }
        }
        guard let next else { return nil }
        if let frame = next.item { return (frame, next.timing) }
        // The frame after it does not begin where it ends.
        leavesOut = false
        try readAll()
        return try nextOfAll()
    }

    private func nextOfReader(
        _ isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        if !hasBegun, selection.part.start > .zero {
            try reader.seek(toTime: selection.part.start)
        }
        hasBegun = true
        return try reader.nextFrame { !leavesOut || isWanted($0) }
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
