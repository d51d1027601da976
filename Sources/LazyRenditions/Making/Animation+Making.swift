public import LazyEditing
public import LazyMedia

extension Rendition {
    /// Makes an animation; with a budget, it is written only after that is met.
    ///
    /// Memory is bounded for any length. Throws `.limitExceeded` if no usable animation fits the budget.
    func makeAnimation(
        _ animation: Animation, of source: Source, to sinks: any Sinks, _ tools: Tools
    ) async throws(MediaError) -> Report {
        let sequence = source.frames
        let asked = tools.encoders.type(output.type ?? .webpAnimation, isAnimation: true)
        // Before the search, so that a missing encoder fails at once.
        let target = try tools.encoders.factory(for: asked)
        var settings = ThumbnailSettings(
            edit: edit.named(source.name), encoding: output.options(as: asked, by: tools.encoders))
        settings.edit = settings.edit.matted(for: target.traits, &settings.encoding)
        _ = try target.makeEncoder(settings.encoding)
        let loop = try FormatLosses(target).written(animation.looping, for: sequence.info.loop)
        // Once, and before the search: a budget edits several times.
        settings.edit.overlays = try await sequence.reading(settings.edit.overlays)
        let bounds = output.platform?.bounds
        let (planned, choice) = try await animation.plan(
            settings.edit, of: sequence, within: bounds
        ) {
            tools.progress(0.1 * $0)
        }
        settings.edit = planned.surrounded(for: target.traits, settings.encoding)
        tools.decided(
            Report(
                self, parts: [], size: sequence.info.size, frameCount: nil,
                details: .animation(
                    .init(
                        edit: settings.edit, encoding: settings.encoding, choice: choice,
                        encodeCount: 0)),
                warnings: []))
        var limit = output.limit
        if let bounds {
            let shown = try await sequence.edited(settings.edit)
            let index = try await shown.frameIndex()
            try bounds.check(
                FormatLosses(target).written(shown.info.size), length: index.duration)
            settings.keepsSize = bounds.shape != .atMost
            let isStill = FormatLosses(target).motion(index.timings) != nil
            if isStill { limit = bounds.limit(ofStill: limit) }
        }
        let isFilm = sequence.info.type.family == .video
        let sample =
            sequence.info.hasAlpha || !isFilm
            ? try await sequence.edited(settings.edit.unsized).contentSample() : nil
        if leavesFidelity(sequence), sample?.kind == .flatArt {
            if keepsSize(of: sequence) { settings.edit.size = nil }
            settings.encoding = settings.encoding.forFlatArt(in: target.traits)
        }
        let isDithered =
            tools.encoders.hasPalette(sequence.info.type)
            && target.traits.isLossy(settings.encoding) && sample?.kind == .photographic
        var frames = isDithered ? Self.undithered(sequence, sample) : sequence
        if target.type.family == .video || output.limit != nil,
            try await sequence.frameIndex().duration == .zero
        {
            // Video needs a length, and so do the samples for a budget: that of listed pictures.
            frames = try await .joined([frames])
        }
        let encoder = ThumbnailEncoding(
            source: frames, target: target, loop: loop, threads: tools.threads)
        let sink = try sinks.open(.main, as: asked)
        let encoded = try await encode(settings, encoder, within: limit, to: sink) {
            tools.progress(0.1 + 0.9 * $0)
        }
        try sink.finish()
        return report(
            encoded, choice, sample, sequence.info, target, tools.encoders,
            wanted: animation.looping.written(for: sequence.info.loop))
    }

    private func encode(
        _ settings: ThumbnailSettings, _ encoder: ThumbnailEncoding, within limit: ByteLimit?,
        to sink: any Sink, _ progress: @escaping @Sendable (Double) -> Void
    ) async throws(MediaError) -> EncodedThumbnail {
        let write = { @Sendable (bytes: [UInt8]) throws(MediaError) in try sink.write(bytes) }
        guard case .bytes(let maxBytes)? = limit else {
            return try await encoder.encode(settings, to: write, progress: progress)
        }
        return try await BudgetedEncoding(encoder, settings, maxBytes: maxBytes)
            .run(to: write, progress: progress)
    }

    /// Whether flat art is only a little too large: scaling would blur it and make the file larger.
    private func keepsSize(of sequence: FrameSequence) -> Bool {
        edit.size == nil && edit.placement == nil && sequence.info.size.width <= Self.maxFlatWidth
            && sequence.info.size.height <= Self.maxFlatWidth
    }

    private static let maxFlatWidth = 480

    /// The source without a palette's dithering, which is noise to a lossy codec.
    private static func undithered(
        _ sequence: FrameSequence, _ sample: ContentSample?
    ) -> FrameSequence {
        guard let sample, sample.dithering > 0 else { return sequence }
        return sequence.undithered(strength: sample.dithering)
    }

    /// Whether the content decides between lossless and lossy; video is lossy already.
    private func leavesFidelity(_ sequence: FrameSequence) -> Bool {
        output.encoding.lossless == nil && output.encoding.quality == nil && output.limit == nil
            && sequence.info.type.family != .video
    }

    private func report(
        _ encoded: EncodedThumbnail, _ choice: SegmentChoice, _ sample: ContentSample?,
        _ info: MediaInfo, _ target: EncoderFactory, _ encoders: EncoderRegistry,
        wanted: LoopCount
    ) -> Report {
        let losses = FormatLosses(target)
        let options = encoded.settings.encoding
        let warnings = [
            losses.sound(info), encoded.reduction, losses.motion(encoded.timings),
            losses.loop(wanted),
            losses.alpha(
                sample, background: options.background, matte: encoded.settings.edit.matte),
            losses.delays(encoded.timings), losses.colors(options),
        ].compactMap(\.self)
        // What holds one picture is a still in the format that was asked for.
        let isStill = warnings.contains { $0.code == .isStill }
        let type = isStill ? encoders.type(target.type, isAnimation: false) : target.type
        let sounds = warnings.prefix { $0.code == .soundDropped }
        var report = Report(
            self, .init(type: type, byteCount: encoded.counts.byteCount),
            size: losses.written(encoded.size), frameCount: encoded.counts.frameCount,
            details: .animation(
                .init(
                    edit: encoded.settings.edit, encoding: options, choice: choice,
                    encodeCount: encoded.encodes)),
            warnings: sounds + info.warnings + warnings.dropFirst(sounds.count)
                + encoded.counts.warnings)
        report.duration = encoded.counts.duration
        report.loop = encoded.loop
        return report
    }
}

extension Rendition.Report {
    /// How an animation was made.
    public struct Animation: Sendable {
        /// The edit that was applied.
        public var edit: ClipEdit
        /// The encoding options that were used.
        public var encoding: EncodingOptions
        /// How the segments were selected.
        public var choice: SegmentChoice
        /// How often the whole was encoded; more than once only for a budget.
        public var encodeCount: Int
    }
}
