public import LazyMedia

extension AnimatedThumbnail {
    /// Writes the thumbnail of a sequence; with a budget nothing goes out before it is kept.
    ///
    /// Memory stays bounded whatever the length. `progress` hears the share that is done, 0 to 1.
    /// Cancelling the task ends the work soon. Throws what decoding, the encoder and `write` throw,
    /// and `.limitExceeded` where nothing worth looking at fits the budget.
    public func write(
        _ sequence: FrameSequence, registry: EncoderRegistry,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> Report {
        // Before the search: a format that cannot be written is told at once.
        _ = try registry.encoder(for: type, encoding)
        let (edit, choice) = try await plan(for: sequence)
        let draft = Draft(thumbnail: self, source: sequence, registry: registry)
        let attempt: Attempt
        if let maxBytes {
            attempt = try await BudgetedWriting(draft, edit, maxBytes: maxBytes)
                .run(to: write, progress: progress)
        } else {
            attempt = try await draft.encode(
                Settings(edit: edit, encoding: encoding), to: write, progress: progress)
        }
        return report(attempt, choice)
    }

    /// The thumbnail of a sequence as bytes; otherwise as `write`.
    public func data(
        of sequence: FrameSequence, registry: EncoderRegistry,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> (bytes: [UInt8], report: Report) {
        let bytes = Locked<[UInt8]>([])
        let collect = { @Sendable (piece: [UInt8]) throws(MediaError) in
            bytes.withLock { $0 += piece }
        }
        let report = try await write(
            sequence, registry: registry, to: collect, progress: progress)
        return (bytes.withLock { $0 }, report)
    }

    private func report(_ attempt: Attempt, _ choice: SegmentChoice) -> Report {
        var warnings: [MediaWarning] = []
        if type.traits?.carriesLoop == false, let plays = attempt.loop.plays {
            let times = plays == 1 ? "once" : "\(plays) times"
            warnings.append(
                MediaWarning(.note, "\(type.name) does not say that it plays \(times)."))
        }
        return Report(
            type: type, size: attempt.info.size, frameCount: attempt.info.frameCount ?? 0,
            duration: attempt.info.duration ?? .zero, loop: attempt.loop,
            byteCount: attempt.byteCount, edit: attempt.settings.edit,
            encoding: attempt.settings.encoding, choice: choice, encodes: attempt.encodes,
            warnings: warnings)
    }
}

/// One way to cut and encode.
struct Settings: Hashable, Sendable {
    var edit: ClipEdit
    var encoding: EncodingOptions
}

/// What one encoding of the whole gave.
struct Attempt: Sendable {
    var settings: Settings
    var info: MediaInfo
    var loop: LoopCount
    var byteCount: Int
    var encodes = 1
}

/// A thumbnail, its source and its encoders: what each attempt needs.
struct Draft: Sendable {
    let thumbnail: AnimatedThumbnail
    let source: FrameSequence
    let registry: EncoderRegistry

    /// Encodes the whole with certain settings.
    func encode(
        _ settings: Settings, to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws(MediaError) -> Attempt {
        let edited = try await source.edited(settings.edit)
        return try await encode(edited, settings, to: write, progress: progress)
    }

    /// Encodes a sequence that is edited already.
    func encode(
        _ edited: FrameSequence, _ settings: Settings,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> Attempt {
        let encoder = try registry.encoder(for: thumbnail.type, settings.encoding)
        var info = edited.info
        if info.frameCount == nil || info.duration == nil { info = try await edited.detailedInfo() }
        let total = max(1, info.frameCount ?? 1)
        let watched = edited.wrapped { base in
            WatchedMedia(base: base) { progress(min(1, Double($0) / Double(total))) }
        }
        let count = Locked(0)
        let counted = { @Sendable (bytes: [UInt8]) throws(MediaError) in
            count.withLock { $0 += bytes.count }
            try write(bytes)
        }
        let threads = settings.encoding.threads
        let frames = watched.frames(
            lookAhead: 4, threads: threads == 0 ? BlockingPool.coreCount : threads,
            planes: encoder.prefersPlanes)
        let loop = loop
        let written = info
        // Encoders block between pulls.
        try await withTaskExecutorPreference(BlockingPool.shared) { () throws(MediaError) in
            try await encoder.encode(frames, info: written, loop: loop, to: counted)
        }
        progress(1)
        return Attempt(
            settings: settings, info: info, loop: loop, byteCount: count.withLock { $0 })
    }

    /// The loop count that is written.
    var loop: LoopCount {
        switch thumbnail.looping {
        case .asAuthored: source.info.loop
        case .forever: LoopCount(raw: nil, plays: nil)
        case .times(let count): LoopCount(raw: nil, plays: max(1, count))
        }
    }
}
