internal import LazyMedia

/// Warnings about what a format cannot carry of a sequence; pure.
enum FormatLosses {
    /// A warning that sound is dropped, for video only.
    static func sound(_ info: MediaInfo, in type: MediaType) -> MediaWarning? {
        guard type.family == .video, info.hasSound else { return nil }
        return MediaWarning(
            .soundDropped,
            "The sound is not kept: \(type.label) is written as silent video (--no-audio says that this is wanted)."
        )
    }

    /// A warning that the loop count is lost; nil if the format carries it, or if it is infinite.
    static func loop(_ loop: LoopCount, in type: MediaType) -> MediaWarning? {
        guard type.traits?.carriesLoop == false, let plays = loop.plays else { return nil }
        return MediaWarning(
            .loopLost,
            "\(type.label) cannot say that it plays \(plays == 1 ? "once" : "\(plays) times"); players decide."
        )
    }

    /// A warning that transparency is lost, if the sample has any.
    static func alpha(
        _ sample: ContentSample?, in type: MediaType, background: PixelColor?
    ) -> MediaWarning? {
        guard let sample, let alpha = type.traits?.alpha else { return nil }
        if alpha == .none, sample.hasTransparency {
            let color = (background ?? .white).description.prefix(6)
            return MediaWarning(
                .alphaLost, "\(type.label) has no transparency: it is flattened over #\(color).")
        }
        guard alpha == .binary, sample.hasTranslucency else { return nil }
        return MediaWarning(
            .alphaLost, "\(type.label) has no partial transparency: edges become hard.")
    }

    /// A warning about colors that browsers misinterpret.
    ///
    /// Lossless AVIF is in full range; Chromium (156) decodes every sequence as limited range, which
    /// increases the contrast.
    static func colors(_ options: EncodingOptions, in type: MediaType) -> MediaWarning? {
        guard type == .avifSequence, options.lossless == true else { return nil }
        return MediaWarning(
            .colorsMisread,
            "Chromium shows lossless AVIF animations with too much contrast; lossless WebP it shows as it is."
        )
    }

    /// A warning about delays that are rounded or too short.
    static func delays(_ timings: [FrameTiming], in type: MediaType) -> MediaWarning? {
        guard timings.count > 1, let traits = type.traits else { return nil }
        let (loss, all) = (TimingLoss(timings, in: traits), timings.count)
        if loss.tooShort > 0 {
            return MediaWarning(
                .delaysTooShort,
                "\(loss.tooShort) of \(all) frames are shorter than the \(traits.leastDelay / 1000) ms that players keep in \(type.label); a lower rate (--fps \(1_000_000 / max(1, traits.leastDelay))) plays at the right speed."
            )
        }
        guard loss.visiblyRounded > 0 else { return nil }
        return MediaWarning(
            .delaysRounded,
            "\(loss.visiblyRounded) of \(all) delays are rounded to \(type.label)'s steps of \(traits.timeStep / 1000) ms; the length in all stays."
        )
    }
}

extension MediaInfo {
    /// Whether there is an audio stream.
    fileprivate var hasSound: Bool { streams.contains { $0.kind == .audio } }
}

extension EncodingOptions {
    /// Visually lossless options, for flat art in a format whose lossless mode is not displayed well.
    func nearlyLossless() -> EncodingOptions {
        var options = self
        (options.lossless, options.quality) = (false, 90)
        return options
    }
}
