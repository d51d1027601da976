internal import LazyMedia

/// What a format cannot carry of a sequence, as warnings; pure.
enum FormatLosses {
    /// About sound, where a video is written of a source that has some.
    ///
    /// Nobody expects it in a GIF, WebP, APNG or AVIF.
    static func sound(_ info: MediaInfo, in type: MediaType) -> MediaWarning? {
        guard type.family == .video, info.hasSound else { return nil }
        return MediaWarning(
            .soundDropped,
            "The sound is not kept: \(type.label) is written as silent video (--no-audio says that this is wanted)."
        )
    }

    /// About a number of plays; nil where the format says it, or where there is none to be said.
    static func loop(_ loop: LoopCount, in type: MediaType) -> MediaWarning? {
        guard type.traits?.carriesLoop == false, let plays = loop.plays else { return nil }
        return MediaWarning(
            .loopLost,
            "\(type.label) cannot say that it plays \(plays == 1 ? "once" : "\(plays) times"); players decide."
        )
    }

    /// About transparency that was seen.
    static func alpha(
        _ glance: ContentGlance?, in type: MediaType, background: PixelColor?
    ) -> MediaWarning? {
        guard let glance, let alpha = type.traits?.alpha else { return nil }
        if alpha == .none, glance.hasTransparency {
            let color = (background ?? .white).description.prefix(6)
            return MediaWarning(
                .alphaLost, "\(type.label) has no transparency: it is flattened over #\(color).")
        }
        guard alpha == .binary, glance.hasTranslucency else { return nil }
        return MediaWarning(
            .alphaLost, "\(type.label) has no partial transparency: edges become hard.")
    }

    /// About what browsers make of the way the colors are coded.
    ///
    /// Lossless AVIF is coded in full range, and Chromium (seen in 156) shows every sequence as if it
    /// were of limited range, so with too much contrast.
    static func colors(_ options: EncodingOptions, in type: MediaType) -> MediaWarning? {
        guard type == .avifSequence, options.lossless == true else { return nil }
        return MediaWarning(
            .colorsMisread,
            "Chromium shows lossless AVIF animations with too much contrast; lossless WebP it shows as it is."
        )
    }

    /// About delays.
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
    /// Whether there is a stream of sound.
    fileprivate var hasSound: Bool { streams.contains { $0.kind == .audio } }
}

extension EncodingOptions {
    /// As good as lossless to the eye, for flat art in a format where lossless is not shown well.
    func nearlyLossless() -> EncodingOptions {
        var options = self
        (options.lossless, options.quality) = (false, 90)
        return options
    }
}
