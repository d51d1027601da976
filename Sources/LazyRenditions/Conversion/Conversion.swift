public import LazyEditing
public import LazyMedia

/// A conversion of a sequence to another format: all frames, exact timing, and a warning for each loss.
///
/// ```swift
/// let report = try await Conversion(to: .mp4).run(clip, encoders: .standard) { bytes in … }
/// print(report.byteCount, report.warnings)
/// ```
///
/// Delays are those that browsers use (`DelayRule.browsers`), so that the copy plays like its source: a
/// GIF's delay of 0 is a tenth of a second in every format. Rounding errors are diffused.
public struct Conversion: Sendable {
    /// Whether dithering is filtered out before encoding.
    public enum Undithering: String, CaseIterable, Hashable, Sendable {
        /// If a dithered GIF is encoded lossily.
        case auto
        /// Never.
        case never
        /// Always.
        case always
    }

    /// What becomes of the sound of a source.
    public enum Sound: String, CaseIterable, Hashable, Sendable {
        /// It is left out.
        case none
        /// Its packets are copied, where the format takes their codec; nothing is encoded.
        case copy
    }

    /// The type to write; WebP and AVIF mean the still or the animated kind alike.
    public var type: MediaType
    /// The encoding options; those that are nil depend on the content.
    public var options: EncodingOptions
    /// The edit of the frames; none by default.
    public var edit: ClipEdit
    /// The loop count to write, or nil for that of the source.
    public var loop: LoopCount?
    /// Whether dithering is filtered out first.
    public var undithering: Undithering
    /// Whether only the first frame is written; otherwise converting an animation to a still throws.
    public var isStill: Bool
    /// What becomes of the sound; left out by default.
    public var sound = Sound.none
    /// The most bytes to write, such as those of the source; the work stops beyond.
    public var maxBytes: Int?

    /// Makes a conversion that keeps all frames.
    public init(
        to type: MediaType, options: EncodingOptions = .init(), edit: ClipEdit = ClipEdit(),
        loop: LoopCount? = nil, undithering: Undithering = .auto, isStill: Bool = false,
        maxBytes: Int? = nil
    ) {
        self.type = type
        self.options = options
        self.edit = edit
        self.loop = loop
        self.undithering = undithering
        self.isStill = isStill
        self.maxBytes = maxBytes
    }

    /// Whether every frame is written unedited.
    public var onlyConverts: Bool { edit == ClipEdit() && !isStill }

    /// Converts a sequence; bytes are written in pieces, memory is bounded.
    ///
    /// `threads` of 0 means one per core.     /// `progress` receives the fraction that is done, 0 to 1. Cancelling the task stops the work soon.
    /// Throws `.isAnimation` if an animation would become a still, `.notWritable` if the format cannot
    /// carry the source or its sound, `.limitExceeded` with the excess `maxBytes` if there are more bytes, and the
    /// errors of decoding and of `write`.
    public func run(
        _ sequence: FrameSequence, encoders: EncoderRegistry, threads: Int = 0,
        sourceByteCount: Int? = nil,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) -> ConversionReport {
        // Once: the sequence is edited again where it is undithered.
        var conversion = self
        conversion.edit.overlays = try await sequence.reading(edit.overlays)
        if let traits = encoders.traits(for: type) {
            conversion.edit = conversion.edit.surrounded(for: traits, options)
        }
        return try await conversion.convert(
            sequence, encoders, threads: threads, sourceByteCount: sourceByteCount,
            progress: progress, to: write)
    }

    /// The same, for overlays without tracks that are still to be read.
    private func convert(
        _ sequence: FrameSequence, _ encoders: EncoderRegistry, threads: Int,
        sourceByteCount: Int?,
        progress: @escaping @Sendable (Double) -> Void,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) -> ConversionReport {
        let edited = try await sequence.edited(edit)
        let index = try await edited.frameIndex()
        let sample =
            ConversionPlan.needsSample(self, edited.info) ? try await sample(sequence, edited) : nil
        let plan = try ConversionPlan(
            self, encoders,
            .init(
                info: edited.info, timings: index.timings,
                sourceCount: try await sequence.frameIndex().count, sample: sample))
        let target = try encoders.factory(for: plan.type)
        var encoder = try target.makeEncoder(plan.options, threads: threads)
        let copied = try await soundPart(of: sequence)
        if let copied { encoder = try encoder.carrying(copied) }
        let source = try await prepared(sequence, plan.undithering, edited)
        let loop = loop ?? sequence.info.loop
        let losses = losses(of: sequence.info, target, copied)
        let counts = try await source.encodeCounting(
            with: encoder, loop: loop, threads: threads,
            expected: isStill ? 1 : index.count, maxBytes: maxBytes, progress: progress, to: write
        )
        return ConversionReport(
            type: plan.type, encoder: encoder.name, size: source.info.size,
            sourceByteCount: sourceByteCount, byteCount: counts.byteCount,
            frameCount: counts.frameCount, duration: counts.duration, loop: loop,
            carriesLoop: target.traits.carriesLoop, kind: sample?.kind,
            choices: plan.choices, sound: copied?.track.format.codec,
            warnings: losses + sequence.info.warnings + plan.warnings + counts.warnings
        )
    }

    /// What of a film the target does not get, apart from its pictures.
    private func losses(
        of info: MediaInfo, _ target: EncoderFactory, _ copied: SoundPart?
    ) -> [MediaWarning] {
        let losses = FormatLosses(target)
        let drawsSubtitles = edit.overlays.contains {
            if case .subtitles = $0 { true } else { false }
        }
        let missing =
            sound == .copy && !info.hasSound
            ? MediaWarning(.soundMissing, "There is no sound to copy.") : nil
        return [
            copied == nil ? losses.sound(info) : nil, missing,
            isStill
                ? nil
                : losses.rest(info, keepsSound: copied != nil, drawsSubtitles: drawsSubtitles),
        ].compactMap(\.self)
    }

    /// Samples frames at their own size: scaling blends palette colors and edges.
    private func sample(
        _ source: FrameSequence, _ edited: FrameSequence
    ) async throws(MediaError) -> ContentSample {
        guard edit != edit.unsized else { return try await edited.contentSample() }
        return try await source.edited(edit.unsized).contentSample()
    }

    /// The frames to encode; a dithered source is filtered before it is edited.
    private func prepared(
        _ source: FrameSequence, _ undithering: Double, _ edited: FrameSequence
    ) async throws(MediaError) -> FrameSequence {
        var sequence = edited
        if undithering > 0 {
            sequence = try await source.undithered(strength: undithering).edited(edit)
        }
        return isStill ? sequence.wrapped { FirstFrameMedia(base: $0) } : sequence
    }
}
