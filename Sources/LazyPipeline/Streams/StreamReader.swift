internal import LazyBase
internal import LazyLoading
internal import LazyMedia

/// Reads frames of a stream: those at times from the segments that show them, those by number from all.
final class StreamReader: FrameReader {
    /// A segment that is being read.
    private struct Open {
        let part: StreamParts.Part
        /// When its first frame is shown.
        let start: MediaTime
        let reader: any FrameReader
    }

    private let parts: StreamParts
    private let options: ReaderOptions
    /// The time that it has taken, without waits for a network.
    private let time: StreamTime
    private var open: Open?
    /// The segment that is read next, where none is open.
    private var next: Int?
    private var whole: (any FrameReader)?
    /// Frames that are going to be sought by number.
    private var announced: [Int] = []
    private var closedWarnings: [MediaWarning] = []

    init(_ parts: StreamParts, _ options: ReaderOptions, whole: (any FrameReader)? = nil) {
        self.parts = parts
        self.options = options
        self.whole = whole
        time = StreamTime(reading: options.limits)
        // One frame, or some keyframes, need not wait for all segments.
        if options.isSingleFrame || options.keyframesOnly { next = 0 }
    }

    var warnings: [MediaWarning] {
        closedWarnings + (open?.reader.warnings ?? []) + (whole?.warnings ?? [])
            + (whole == nil ? [] : parts.warnings)
    }

    func nextFrame(
        where isWanted: (FrameTiming) -> Bool
    ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
        try options.cancellation.check()
        if let whole { return try whole.nextFrame(where: isWanted) }
        while true {
            if open == nil, let next {
                guard next < parts.playlist.count else { return nil }
                open = try begin(
                    parts.part(near: next, options.cancellation, spending: time))
            }
            guard let open else { return try readAll().nextFrame(where: isWanted) }
            let start = ContinuousClock.now
            let found = try open.reader.nextFrame { isWanted(timing($0, in: open)) }
            try time.spend(.now - start)
            if let (own, frame) = found {
                let timing = timing(own, in: open)
                return (timing, frame?.inTime(timing))
            }
            close()
            next = open.part.place + 1
        }
    }

    func seek(toTime time: Duration) throws(MediaError) {
        if let whole { return try whole.seek(toTime: time) }
        if open?.part.place != parts.expectedPlace(showing: time) {
            close()
            let part = try parts.part(showing: time, options.cancellation, spending: self.time)
            open = try begin(part)
        }
        guard let open else { return }
        let own = max(.zero, time - open.start.duration) + open.part.origin.duration
        try open.reader.seek(toTime: own)
    }

    func seek(toIndex index: Int) throws(MediaError) {
        if index == 0, whole == nil {
            if next != nil || open != nil { close() }
            if options.isSingleFrame || options.keyframesOnly {
                next = 0
                return
            }
        }
        try readAll().seek(toIndex: index)
    }

    func willRead(_ indices: [Int]) {
        announced = indices
        whole?.willRead(indices)
    }

    func lastFrame(at size: PixelSize) throws(MediaError) -> Frame? {
        if let whole { return try whole.lastFrame(at: size) }
        guard let open, let frame = try open.reader.lastFrame(at: size) else { return nil }
        return frame.inTime(timing(frame.timing, in: open))
    }

    private func readAll() throws(MediaError) -> any FrameReader {
        if let whole { return whole }
        close()
        let reader = try parts.whole(options.cancellation).makeReader(options)
        if !announced.isEmpty { reader.willRead(announced) }
        whole = reader
        return reader
    }

    private func begin(_ part: StreamParts.Part) throws(MediaError) -> Open {
        let start = try parts.start(of: part, options.cancellation, spending: time)
        var options = options
        options.limits.decodeTime = time.left
        return Open(part: part, start: start, reader: try part.media.makeReader(options))
    }

    private func close() {
        for warning in open?.reader.warnings ?? []
        where closedWarnings.count < 100 && !closedWarnings.contains(warning) {
            closedWarnings.append(warning)
        }
        open = nil
    }

    /// The time of a segment's frame in the stream; its number assumes segments of the same rate.
    private func timing(_ own: FrameTiming, in open: Open) -> FrameTiming {
        let (part, start) = (open.part, open.start)
        let span = part.index.duration - part.origin.duration
        let before =
            span > .zero ? (start.duration / span * Double(part.index.count)).rounded() : 0
        return FrameTiming(
            index: Int(min(max(before, 0), 1e12)) + own.index,
            presentation: start + (own.presentation - part.origin),
            duration: own.duration, rawDuration: own.rawDuration, isKeyframe: own.isKeyframe)
    }
}
