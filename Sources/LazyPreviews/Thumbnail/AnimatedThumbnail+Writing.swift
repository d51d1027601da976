internal import LazyEditing
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
        let (planned, choice) = try await plan(for: sequence)
        var edit = planned
        let isFilm = sequence.info.type.family == .video
        let glance = sequence.info.hasAlpha || !isFilm ? try await glance(sequence, edit) : nil
        var thumbnail = self
        if leavesFidelity(sequence), glance?.kind == .flatArt {
            if keepsSize(of: sequence) { edit.size = nil }
            if type == .avifSequence { thumbnail.encoding = encoding.nearlyLossless() }
            if type == .webpAnimation { thumbnail.encoding.lossless = true }
        }
        let source = undithered(sequence, glance, thumbnail.encoding)
        let draft = Draft(thumbnail: thumbnail, source: source, registry: registry)
        let attempt: Attempt
        if let maxBytes {
            attempt = try await BudgetedWriting(draft, edit, maxBytes: maxBytes)
                .run(to: write, progress: progress)
        } else {
            attempt = try await draft.encode(
                Settings(edit: edit, encoding: thumbnail.encoding), to: write, progress: progress)
        }
        return report(attempt, choice, glance, sequence.info)
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

    /// A look at the frames in their own size: scaling makes shades of palettes and edges.
    private func glance(
        _ sequence: FrameSequence, _ edit: ClipEdit
    ) async throws(MediaError) -> ContentGlance {
        var whole = edit
        whole.size = nil
        return try await sequence.edited(whole).glance()
    }

    /// Whether flat art is a little too large only: scaling would blur it, and cost more bytes than
    /// fewer pixels save.
    private func keepsSize(of sequence: FrameSequence) -> Bool {
        keepsFlatArt && edit.size == Self.usualEdit.size
            && sequence.info.size.width <= Self.mostFlatWidth
            && sequence.info.size.height <= Self.mostFlatWidth
    }

    private static let mostFlatWidth = 480

    /// The source without the dithering of a GIF's palette, which is noise to a lossy codec.
    private func undithered(
        _ sequence: FrameSequence, _ glance: ContentGlance?, _ encoding: EncodingOptions
    ) -> FrameSequence {
        let isLossy = ![.gif, .apng].contains(type) && encoding.lossless != true
        guard isLossy, sequence.info.type == .gif, let glance, glance.kind == .photographic,
            glance.dithering > 0
        else { return sequence }
        return sequence.undithered(strength: glance.dithering)
    }

    /// Whether the content decides if pixels come back exactly; film was coded lossily before.
    private func leavesFidelity(_ sequence: FrameSequence) -> Bool {
        encoding.lossless == nil && encoding.quality == nil && maxBytes == nil
            && sequence.info.type.family != .video
    }

    private func report(
        _ attempt: Attempt, _ choice: SegmentChoice, _ glance: ContentGlance?, _ info: MediaInfo
    ) -> Report {
        let losses = [
            FormatLosses.sound(info, in: type),
            FormatLosses.loop(attempt.loop, in: type),
            FormatLosses.alpha(glance, in: type, background: encoding.background),
            FormatLosses.delays(attempt.timings, in: type),
            FormatLosses.colors(attempt.settings.encoding, in: type),
        ]
        return Report(
            type: type, size: attempt.size, frameCount: attempt.watch.frameCount,
            duration: attempt.watch.duration, loop: attempt.loop, byteCount: attempt.byteCount,
            edit: attempt.settings.edit, encoding: attempt.settings.encoding, choice: choice,
            encodes: attempt.encodes,
            warnings: losses.compactMap(\.self) + attempt.watch.warnings)
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
    var size: PixelSize
    var timings: [FrameTiming]
    /// What was read, which damage may make less than was planned.
    var watch: CountedMedia.Watch
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
        let timings = try await edited.frameIndex().timings
        let total = Double(max(1, timings.count))
        let watch = CountedMedia.Watch { progress(min(1, Double($0) / total)) }
        let watched = edited.wrapped { CountedMedia(base: $0, watch: watch) }
        let count = Locked(0)
        let counted = { @Sendable (bytes: [UInt8]) throws(MediaError) in
            count.withLock { $0 += bytes.count }
            try write(bytes)
        }
        try await watched.encode(
            with: encoder, loop: loop, threads: settings.encoding.threads, to: counted)
        progress(1)
        return Attempt(
            settings: settings, size: edited.info.size, timings: timings, watch: watch, loop: loop,
            byteCount: count.withLock { $0 })
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
