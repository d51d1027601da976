internal import LazyBase
internal import LazyMedia

/// Media that counts the frames that are read, without changing them.
struct CountedMedia: MappedMedia {
    /// Counts of what was read.
    final class Watch: Sendable {
        private struct State {
            var frames = 0
            var start: MediaTime?
            var end = MediaTime.zero
            var warnings: [MediaWarning] = []
        }
        private let state = Locked(State())
        private let didRead: @Sendable (Int) -> Void

        /// Makes a watch; `didRead` is called for each frame with the count so far.
        init(didRead: @escaping @Sendable (Int) -> Void) { self.didRead = didRead }

        /// The frames read by the reader that got furthest.
        var frameCount: Int { state.withLock { $0.frames } }
        /// How long they are shown: from the first of them to the end of the last.
        var duration: Duration {
            state.withLock { max(.zero, $0.end.duration - ($0.start ?? .zero).duration) }
        }
        /// The warnings of the readers.
        var warnings: [MediaWarning] { state.withLock { $0.warnings } }

        fileprivate func take(_ timing: FrameTiming, number: Int) {
            let isNew = state.withLock { state in
                guard number > state.frames else { return false }
                state.frames = number
                state.start = min(state.start ?? timing.presentation, timing.presentation)
                let end = timing.end.duration
                state.end = max(state.end, MediaTime(microseconds: end.microseconds))
                return true
            }
            if isNew { didRead(number) }
        }

        fileprivate func take(_ warnings: [MediaWarning]) {
            state.withLock { state in
                for warning in warnings where !state.warnings.contains(warning) {
                    state.warnings.append(warning)
                }
            }
        }
    }

    let base: any OpenedMedia
    let watch: Watch

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        CountedReader(base: try base.makeReader(options), watch)
    }
}

private final class CountedReader: MappedReader {
    let base: any FrameReader
    private let watch: CountedMedia.Watch
    private var count = 0

    init(base: any FrameReader, _ watch: CountedMedia.Watch) {
        self.base = base
        self.watch = watch
    }

    func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        guard let next = try base.nextFrame(where: isWanted) else {
            watch.take(base.warnings)
            return nil
        }
        count += 1
        watch.take(next.timing, number: count)
        return next
    }

    func seek(toIndex index: Int) throws(MediaError) {
        try base.seek(toIndex: index)
        count = index
    }
}
