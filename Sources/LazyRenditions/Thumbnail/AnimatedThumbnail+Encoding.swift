internal import LazyEditing
public import LazyMedia

extension AnimatedThumbnail {
    /// Writes the thumbnail of a sequence; with a budget, only after it is met.
    ///
    /// Memory is bounded for any length; `threads` of 0 means one per core. `progress` receives the
    /// fraction that is done, 0 to 1.
    /// Cancelling the task stops the work soon. Throws the errors of decoding, encoding and `write`, and
    /// `.limitExceeded` if no usable thumbnail fits the budget.
    public func write(
        _ sequence: FrameSequence, encoders: EncoderRegistry, threads: Int = 0,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> Report {
        // Before the search, so that a missing encoder fails at once.
        let target = try encoders.factory(for: type)
        _ = try target.makeEncoder(encoding)
        // Once, and before the search: a budget edits several times.
        let overlays = try await sequence.reading(edit.overlays)
        let (planned, choice) = try await plan(for: sequence) { progress(0.1 * $0) }
        let advance = { @Sendable share in progress(0.1 + 0.9 * share) }
        var edit = planned
        edit.overlays = overlays
        edit = edit.surrounded(for: target.traits, encoding)
        let isFilm = sequence.info.type.family == .video
        let sample = sequence.info.hasAlpha || !isFilm ? try await sample(sequence, edit) : nil
        var thumbnail = self
        if leavesFidelity(sequence), sample?.kind == .flatArt {
            if keepsSize(of: sequence) { edit.size = nil }
            thumbnail.encoding = encoding.forFlatArt(in: target.traits)
        }
        let mayBeDithered =
            encoders.hasPalette(sequence.info.type) && target.traits.isLossy(thumbnail.encoding)
            && sample?.kind == .photographic
        var source = mayBeDithered ? undithered(sequence, sample) : sequence
        if target.type.family == .video || maxBytes != nil,
            try await sequence.frameIndex().duration == .zero
        {
            // Video needs a length, and so do the samples for a budget: that of listed pictures.
            source = try await .joined([source])
        }
        let encoder = ThumbnailEncoding(
            source: source, target: target, loop: looping.written(for: source.info.loop),
            threads: threads)
        let settings = ThumbnailSettings(edit: edit, encoding: thumbnail.encoding)
        let encoded: EncodedThumbnail
        if let maxBytes {
            encoded = try await BudgetedEncoding(encoder, settings, maxBytes: maxBytes)
                .run(to: write, progress: advance)
        } else {
            encoded = try await encoder.encode(settings, to: write, progress: advance)
        }
        return report(encoded, choice, sample, sequence.info, FormatLosses(target))
    }

    /// The thumbnail of a sequence as bytes; otherwise as `write`.
    public func data(
        of sequence: FrameSequence, encoders: EncoderRegistry, threads: Int = 0,
        progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> (bytes: [UInt8], report: Report) {
        let bytes = CollectedBytes()
        let report = try await write(
            sequence, encoders: encoders, threads: threads, to: { bytes.append($0) },
            progress: progress)
        return (bytes.all, report)
    }

    /// Samples frames at their own size: scaling blends palette colors and edges.
    private func sample(
        _ sequence: FrameSequence, _ edit: ClipEdit
    ) async throws(MediaError) -> ContentSample {
        try await sequence.edited(edit.unsized).contentSample()
    }

    /// Whether flat art is only a little too large: scaling would blur it and make the file larger.
    private func keepsSize(of sequence: FrameSequence) -> Bool {
        keepsFlatArt && edit.size == Self.usualEdit.size
            && sequence.info.size.width <= Self.maxFlatWidth
            && sequence.info.size.height <= Self.maxFlatWidth
    }

    private static let maxFlatWidth = 480

    /// The source without a palette's dithering, which is noise to a lossy codec.
    private func undithered(_ sequence: FrameSequence, _ sample: ContentSample?) -> FrameSequence {
        guard let sample, sample.dithering > 0 else { return sequence }
        return sequence.undithered(strength: sample.dithering)
    }

    /// Whether the content decides between lossless and lossy; video is lossy already.
    private func leavesFidelity(_ sequence: FrameSequence) -> Bool {
        encoding.lossless == nil && encoding.quality == nil && maxBytes == nil
            && sequence.info.type.family != .video
    }

    private func report(
        _ encoded: EncodedThumbnail, _ choice: SegmentChoice, _ sample: ContentSample?,
        _ info: MediaInfo, _ losses: FormatLosses
    ) -> Report {
        let warnings = [
            encoded.reduction,
            losses.motion(encoded.timings),
            losses.sound(info),
            losses.loop(encoded.loop),
            losses.alpha(sample, background: encoding.background, matte: edit.matte),
            losses.delays(encoded.timings),
            losses.colors(encoded.settings.encoding),
        ]
        return Report(
            type: type, size: encoded.size, frameCount: encoded.counts.frameCount,
            duration: encoded.counts.duration, loop: encoded.loop,
            byteCount: encoded.counts.byteCount,
            edit: encoded.settings.edit, encoding: encoded.settings.encoding, choice: choice,
            encodes: encoded.encodes,
            warnings: warnings.compactMap(\.self) + encoded.counts.warnings)
    }
}
