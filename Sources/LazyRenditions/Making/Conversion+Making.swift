internal import LazyEditing
internal import LazyMedia

extension Rendition {
    /// Makes a conversion; memory is bounded.
    ///
    /// Throws `.isAnimation` if an animation would become a still, `.notWritable` if the format cannot carry the source
    /// or its sound, and `.limitExceeded` with the excess `maxBytes` or `sourceBytes` if there are more bytes.
    func makeConversion(
        _ conversion: Conversion, of source: Source, to sinks: any Sinks, _ tools: Tools
    ) async throws(MediaError) -> Report {
        let type = output.type ?? .webpAnimation
        var work = ConversionWork(
            conversion, to: type, options: output.encoding, edit: edit.named(source.name))
        if let traits = tools.encoders.traits(for: type) {
            work.edit = work.edit.matted(for: traits, &work.options)
                .surrounded(for: traits, work.options)
        }
        // Once: the sequence is edited again where it is undithered.
        work.edit.overlays = try await source.frames.reading(work.edit.overlays)
        let isSource = output.limit == .source
        work.limit = maxByteCount(of: source).map {
            .init(name: isSource ? "sourceBytes" : "maxBytes", byteCount: $0)
        }
        return try await work.run(self, source, to: sinks, tools)
    }

    /// The most bytes that may be made of a source: those of the source only where no frame changes, and its format stays.
    ///
    /// Who asks for another format has a reason, and often needs more bytes for it.
    package func maxByteCount(of source: Source) -> Int? {
        switch output.limit {
        case nil: return nil
        case .bytes(let count): return count
        case .source:
            guard case .conversion(let conversion) = kind, let type = output.type,
                edit == ClipEdit(), !conversion.isStill
            else { return nil }
            return source.frames.info.type == type ? source.byteCount : nil
        }
    }
}

extension ConversionWork {
    /// Converts a sequence.
    fileprivate func run(
        _ rendition: Rendition, _ source: Rendition.Source, to sinks: any Rendition.Sinks,
        _ tools: Rendition.Tools
    ) async throws(MediaError) -> Rendition.Report {
        let (sequence, encoders) = (source.frames, tools.encoders)
        let edited = try await sequence.edited(edit)
        let index = try await edited.frameIndex()
        let sample =
            ConversionPlan.needsSample(self, edited.info) ? try await sample(sequence, edited) : nil
        let plan = try ConversionPlan(
            self, encoders,
            .init(
                info: edited.info, timings: index.timings,
                sourceCount: try await sequence.frameIndex().count, sample: sample))
        if rendition.reading.color == .source {
            try plan.type.checkKeptColors()
        }
        let target = try encoders.factory(for: plan.type)
        var encoder = try target.makeEncoder(plan.options, threads: tools.threads)
        tools.decided(
            Rendition.Report(
                rendition, parts: [], size: edited.info.size, frameCount: plan.frameCount,
                details: .conversion(
                    .init(
                        encoder: encoder.name, sourceByteCount: source.byteCount,
                        kind: sample?.kind, choices: plan.choices)),
                warnings: plan.warnings))
        let sounds: [SoundFormat.Codec]
        (encoder, sounds) = try await copyingSounds(of: sequence, encoder)
        let isFilm = !conversion.isStill && target.type.family == .video
        let kept = isFilm ? kept(of: sequence.info, length: index.duration) : nil
        if let kept { encoder = encoder.carrying(kept.tags, kept.chapters) }
        let frames = try await prepared(sequence, plan.undithering, edited)
        let losses = losses(
            of: sequence.info, target, sounds: sounds.count, kept,
            choosesTrack: rendition.reading.track != .main)
        let sink = try sinks.open(.main, as: plan.type)
        let counts = try await encode(
            frames, with: encoder, plan, count: index.count, to: sink, tools)
        try sink.finish()
        var report = Rendition.Report(
            rendition, .init(type: plan.type, byteCount: counts.byteCount),
            size: FormatLosses(target).written(frames.info.size),
            frameCount: counts.frameCount,
            details: .conversion(
                .init(
                    encoder: encoder.name, sourceByteCount: source.byteCount, kind: sample?.kind,
                    choices: plan.choices, sound: sounds.first)),
            warnings: losses
                + [rendition.depthLoss(of: sequence.info, as: plan.type)].compactMap(\.self)
                + sequence.info.warnings + plan.warnings + counts.warnings)
        report.duration = counts.duration
        report.loop = target.traits.carriesLoop ? plan.loop : nil
        return report
    }

    /// Encodes the frames; those of a still while its rows come, where these are to be had, which takes no memory for all.
    private func encode(
        _ frames: FrameSequence, with encoder: any MediaEncoding, _ plan: ConversionPlan,
        count: Int, to sink: any Rendition.Sink, _ tools: Rendition.Tools
    ) async throws(MediaError) -> EncodingCounts {
        guard
            let made = try await frames.encodedPoster(
                .first, as: plan.type, plan.options, texts: [], by: tools.encoders)
        else {
            return try await frames.encodeCounting(
                with: encoder, loop: plan.loop, threads: tools.threads,
                expected: conversion.isStill ? 1 : count, limit: limit, progress: tools.progress
            ) { (bytes) throws(MediaError) in try sink.write(bytes) }
        }
        try limit?.check(made.file.count)
        try made.file.readAll { (piece) throws(MediaError) in try sink.write(piece) }
        tools.progress(1)
        return EncodingCounts(
            frameCount: 1, duration: .zero, warnings: made.poster.warnings,
            byteCount: made.file.count)
    }

    /// What of a film the target does not get, apart from its pictures.
    private func losses(
        of info: MediaInfo, _ target: EncoderFactory, sounds: Int, _ kept: KeptWords?,
        choosesTrack: Bool
    ) -> [MediaWarning] {
        let losses = FormatLosses(target)
        let drawsSubtitles = edit.overlays.contains {
            if case .subtitles = $0 { true } else { false }
        }
        let missing =
            conversion.sound != nil && conversion.sound != Rendition.Conversion.Sound.none
                && !info.hasSound
            ? MediaWarning(.soundMissing, "There is no sound to copy.") : nil
        return [
            sounds == 0 && conversion.sound == nil ? losses.sound(info) : nil, missing,
            conversion.isStill
                ? nil
                : losses.rest(
                    // Who chooses one of several wants no other.
                    info, sounds: conversion.sound == .copy(.standard) ? sounds : 0,
                    drawsSubtitles: drawsSubtitles, kept,
                    isAsked: conversion.kept == .none, choosesTrack: choosesTrack),
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
        return conversion.isStill && sequence.info.frameCount != 1
            ? sequence.wrapped { FirstFrameMedia(base: $0) } : sequence
    }
}
