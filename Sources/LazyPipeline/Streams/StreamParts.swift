internal import LazyBase
internal import LazyEditing
internal import LazyLoading
internal import LazyMedia

/// Opens segments of a stream as media: one by itself, or all of them one behind the other.
final class StreamParts: Sendable {
    /// A segment that is opened by itself.
    struct Part: Sendable {
        let place: Int
        let media: any OpenedMedia
        let index: FrameIndex

        /// The time of its first frame, by which its own clock is read.
        var origin: MediaTime { index[0].presentation }
    }

    private struct State {
        var part: Part?
        var whole: (any OpenedMedia)?
        var isOpening = false
        /// The segments that are not there.
        var missing: Set<Int> = []
    }

    let segments: StreamSegments
    let limits: DecodingLimits
    /// The time that opening the stream takes, in all.
    let time: StreamTime
    /// Where the segments are that were opened.
    let clock: Locked<SegmentClock>
    private let decoders: DecoderRegistry
    private let state = LockedCondition(State())

    /// Reading the playlists has cost something before.
    init(
        _ segments: StreamSegments, _ decoders: DecoderRegistry, _ limits: DecodingLimits,
        after cost: StreamCost
    ) {
        self.segments = segments
        self.decoders = decoders
        self.limits = limits
        time = StreamTime(opening: limits, spent: cost.time)
        clock = Locked(SegmentClock(segments.playlist))
    }

    var playlist: StreamPlaylist { segments.playlist }

    /// The whole stream, if it is open.
    var opened: (any OpenedMedia)? { state.withLock { $0.whole } }

    /// What is said of segments that are missing, as far as that is known: of files, and of what was asked for.
    var warnings: [MediaWarning] {
        let missing = state.withLock { $0.missing }
        guard let first = missing.min() else { return [] }
        let text =
            missing.count == 1
            ? "Segment \(first + 1) of the stream is missing and was left out."
            : "\(missing.count) of \(playlist.count) segments of the stream are missing and were left out."
        return [MediaWarning(.truncated, text)]
    }

    /// Opens the segment nearest to a place that is there; blocks while it is loaded.
    ///
    /// `time` is that of opening the stream, or of a reader.
    func part(
        near place: Int, _ flag: CancellationFlag, spending time: StreamTime
    ) throws(MediaError) -> Part {
        do throws(MediaError) { return try part(place, flag, spending: time) } catch {
            guard error.isOfMissingSegment else { throw error }
            for other in [place + 1, place + 2, place - 1, place - 2]
            where (0..<playlist.count).contains(other) {
                do throws(MediaError) { return try part(other, flag, spending: time) } catch {
                    guard error.isOfMissingSegment else { throw error }
                }
            }
            throw error
        }
    }

    /// Opens a segment by itself; blocks while it is loaded.
    func part(
        _ place: Int, _ flag: CancellationFlag, spending time: StreamTime
    ) throws(MediaError) -> Part {
        if let part = state.withLock({ $0.part }), part.place == place { return part }
        let bytes = try load(place, withMap: true, flag, spending: time)
        let part = try time.opening(flag) { (limits, flag) throws(MediaError) in
            let media = try decoders.open(
                try MemoryBytes(bytes), limits: limits, cancellation: flag)
            let index = try media.containerIndex(flag)
            guard index.count > 0 else {
                throw MediaError(.malformed, "Segment \(place + 1) of the stream has no frame.")
            }
            return Part(place: place, media: media, index: index)
        }
        state.withLock { $0.part = part }
        clock.withLock { $0.read(place, part.reading) }
        return part
    }

    /// Opens the whole stream; blocks while all segments are loaded, which is done once.
    func whole(_ flag: CancellationFlag) throws(MediaError) -> any OpenedMedia {
        let ready = state.wait { state -> (any OpenedMedia)?? in
            if state.isOpening { return nil }
            if state.whole == nil { state.isOpening = true }
            return .some(state.whole)
        }
        if let ready { return ready }
        var whole: (any OpenedMedia)?
        defer {
            state.withLock { ($0.isOpening, $0.whole) = (false, whole) }
            state.broadcast()
        }
        let media = try openAll(flag)
        whole = media
        return media
    }

    // Segments of one run continue each other; the next run has its own clock, codec and size.
    private func openAll(_ flag: CancellationFlag) throws(MediaError) -> any OpenedMedia {
        var runs: [Range<Int>] = []
        for place in 0..<playlist.count {
            if let last = runs.last, playlist.run(of: last.lowerBound) == playlist.run(of: place) {
                runs[runs.count - 1] = last.lowerBound..<place + 1
            } else {
                runs.append(place..<place + 1)
            }
        }
        var parts: [JoinedPart] = []
        var failure: MediaError?
        for run in runs {
            let blob: Blob
            do throws(MediaError) { blob = try file(of: run, flag) } catch {
                guard error.isOfMissingSegment else { throw error }
                failure = failure ?? error
                continue
            }
            let media = try time.opening(flag) { (limits, flag) throws(MediaError) in
                // In a file, whose size the loader limits.
                var limits = limits
                limits.inputBytes = nil
                return try decoders.open(BlobBytes(blob), limits: limits, cancellation: flag)
            }
            if runs.count == 1 { return media }
            parts.append(JoinedPart("", FrameSequence(media, limits: limits)))
        }
        if let failure, parts.isEmpty { throw failure }
        return try time.opening(flag) { (limits, flag) throws(MediaError) in
            try JoinedMedia(parts, limits: limits, cancellation: flag)
        }
    }

    private func file(of run: Range<Int>, _ flag: CancellationFlag) throws(MediaError) -> Blob {
        let file = try Self.keeping { () throws(SystemError) in try TemporaryFile() }
        var isEmpty = true
        var failure: MediaError?
        for place in run {
            // As many at once as use a connection well.
            for next in place + 1..<place + 4 where run.contains(next) { segments.willRead(next) }
            let bytes: [UInt8]
            do throws(MediaError) {
                bytes = try load(place, withMap: isEmpty, flag, spending: time)
            } catch {
                // A player continues with the next one.
                guard error.isOfMissingSegment else { throw error }
                failure = failure ?? error
                continue
            }
            isEmpty = false
            try Self.keeping { () throws(SystemError) in try file.append(bytes) }
        }
        if let failure, isEmpty { throw failure }
        return file.blob
    }

    private static func keeping<Value>(
        _ body: () throws(SystemError) -> Value
    ) throws(MediaError) -> Value {
        do throws(SystemError) { return try body() } catch {
            throw error.mediaError("keep", "the segments of the stream")
        }
    }

    /// Looks for the files of all segments; those at servers are known when they are asked for.
    func lookForFiles(_ flag: CancellationFlag) throws(MediaError) {
        let start = ContinuousClock.now
        for place in 0..<min(playlist.count, Self.mostFiles) where segments.isAbsentFile(place) {
            note(missing: place)
            if flag.isCancelled { throw .cancelled }
        }
        try time.spend(.now - start)
    }

    /// So many files are looked for: more take longer than what is said of them is worth.
    private static let mostFiles = 10_000

    private func note(missing place: Int) {
        _ = state.withLock { $0.missing.insert(place) }
        clock.withLock { $0.isMissing(place) }
    }

    private func load(
        _ place: Int, withMap: Bool, _ flag: CancellationFlag, spending time: StreamTime
    ) throws(MediaError) -> [UInt8] {
        let start = ContinuousClock.now
        let bytes: [UInt8]
        do throws(StreamError) {
            let map = withMap ? try segments.map(of: place, flag) : []
            let own = try segments.segment(place, flag)
            bytes = map.isEmpty ? own : map + own
        } catch {
            let error = error.asMediaError(limits)
            if error.isOfMissingSegment { note(missing: place) }
            throw error
        }
        _ = state.withLock { $0.missing.remove(place) }
        // Waiting for a network does not count; for files it does.
        if playlist.isLocal(at: place) { try time.spend(.now - start) }
        return bytes
    }
}

extension MediaError {
    /// Whether what a playlist names does not exist.
    var isOfMissingSegment: Bool { (underlying as? LoadingError)?.isMissing == true }
}
