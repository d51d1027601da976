public import LazyEditing
public import LazyMedia

/// Writes a sequence in another format: all frames, exact timing, and nothing lost in silence.
///
/// ```swift
/// let conversion = Conversion(to: .mp4, encoders: .standard)
/// let report = try await conversion.run(clip) { bytes in … }
/// print(report.byteCount, report.warnings)
/// ```
///
/// Delays are those that browsers show (`DelayRule.browsers`), so that the copy plays as its source
/// does: a GIF's delay of 0 is a tenth of a second in every format. The rounding to a format's steps
/// carries its error on.
public struct Conversion: Sendable {
    /// Whether dithering is taken out before pictures are written anew.
    public enum Undithering: String, CaseIterable, Hashable, Sendable {
        /// Where a dithered GIF is written by a lossy codec.
        case auto
        /// Never.
        case never
        /// Always.
        case always
    }

    /// What is to be written; WebP and AVIF stand for the still or the animated kind alike.
    public var type: MediaType
    /// How it is to be written; what is nil is chosen by the content.
    public var options: EncodingOptions
    /// What is to be changed about the frames; nothing, as it is.
    public var edit: ClipEdit
    /// How often it is to play, or nil for as often as the source.
    public var loop: LoopCount?
    /// Whether dithering is taken out first.
    public var undithering: Undithering
    /// Whether only the first frame is wanted, which otherwise no animation becomes.
    public var isStill: Bool
    /// The most bytes that are wanted, such as those of the source; behind them the work ends.
    public var mostBytes: Int?
    /// The encoders to choose from.
    public var encoders: EncoderRegistry

    /// Makes a conversion that keeps all frames.
    public init(
        to type: MediaType, encoders: EncoderRegistry, options: EncodingOptions = .init(),
        edit: ClipEdit = ClipEdit(), loop: LoopCount? = nil, undithering: Undithering = .auto,
        isStill: Bool = false, mostBytes: Int? = nil
    ) {
        self.type = type
        self.encoders = encoders
        self.options = options
        self.edit = edit
        self.loop = loop
        self.undithering = undithering
        self.isStill = isStill
        self.mostBytes = mostBytes
    }

    /// Whether each frame of the source is to be written as it is, but for the format.
    public var onlyConverts: Bool { edit == ClipEdit() && !isStill }

    /// Converts a sequence; the bytes go out piece by piece, memory stays bounded.
    ///
    /// `progress` hears the share that is done, 0 to 1, as it grows. Ends soon when its task is
    /// cancelled. Throws `.isAnimation` where it would become a still, `.notWritable` for what the
    /// format cannot carry otherwise, `.limitExceeded` with the excess `mostBytes` where more bytes come
    /// than are wanted, what decoding throws and what `write` throws.
    public func run(
        _ sequence: FrameSequence, sourceByteCount: Int? = nil,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) -> ConversionReport {
        let edited = try await sequence.edited(edit)
        let index = try await edited.frameIndex()
        let glance =
            ConversionPlan.needsGlance(self, edited.info) ? try await glance(sequence, edited) : nil
        let plan = try ConversionPlan(
            self,
            .init(
                info: edited.info, timings: index.timings,
                sourceCount: try await sequence.frameIndex().count, glance: glance))
        let encoder = try encoders.encoder(for: plan.type, plan.options)
        let source = try await prepared(sequence, plan.undithering, edited)
        let loop = loop ?? sequence.info.loop
        let sound = FormatLosses.sound(sequence.info, in: plan.type).map { [$0] } ?? []
        let counts = try await source.encodeCounting(
            with: encoder, loop: loop, threads: options.threads,
            expected: isStill ? 1 : index.count, mostBytes: mostBytes, progress: progress, to: write
        )
        return ConversionReport(
            type: plan.type, encoder: encoder.name, size: source.info.size,
            sourceByteCount: sourceByteCount, byteCount: counts.byteCount,
            frameCount: counts.frameCount, duration: counts.duration, loop: loop,
            carriesLoop: plan.type.traits?.carriesLoop ?? false, kind: glance?.kind,
            choices: plan.choices,
            warnings: sound + sequence.info.warnings + plan.warnings + counts.warnings
        )
    }

    /// A look at the frames in their own size: scaling makes shades of palettes and edges.
    private func glance(
        _ source: FrameSequence, _ edited: FrameSequence
    ) async throws(MediaError) -> ContentGlance {
        guard edit.size != nil else { return try await edited.glance() }
        var whole = edit
        whole.size = nil
        return try await source.edited(whole).glance()
    }

    /// The frames to encode: of a dithered source anew, for dots are taken out before all else.
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
