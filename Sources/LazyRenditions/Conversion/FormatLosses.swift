internal import LazyMedia

/// Warnings about what a format cannot carry of a sequence; pure.
struct FormatLosses {
    private let type: MediaType
    private let traits: FormatTraits

    /// Creates the losses in the format of a factory's encoders.
    init(_ target: EncoderFactory) {
        type = target.type
        traits = target.traits
    }

    private var title: String { type.title }

    /// The size of pictures in the file.
    func written(_ size: PixelSize) -> PixelSize { type.family == .video ? size.even : size }

    /// A warning that sound is dropped, for video only.
    func sound(_ info: MediaInfo) -> MediaWarning? {
        guard type.family == .video, info.hasSound else { return nil }
        return MediaWarning(
            .soundDropped,
            "The sound is not kept: \(title) is written as silent video ('convert --audio copy' keeps it, --no-audio says that this is wanted)."
        )
    }

    /// A warning about what else of a film is not kept: `copied` sounds are, and `subtitles` says whether those are drawn;
    /// what is kept of words is not missing, and nothing is where that `isAsked`; who `choosesTrack` wants no other.
    func rest(
        _ info: MediaInfo, sounds copied: Int, drawsSubtitles subtitles: Bool,
        _ kept: KeptWords? = nil, isAsked: Bool = false, choosesTrack: Bool = false
    ) -> MediaWarning? {
        guard type.family == .video else { return nil }
        func count(_ number: Int, _ thing: String) -> String? {
            number > 0 ? "\(number) \(thing)\(number == 1 ? "" : "s")" : nil
        }
        func number(_ kind: StreamInfo.Kind) -> Int { info.streams.count { $0.kind == kind } }
        let (films, sounds) = (number(.video), number(.audio))
        // The words of chapters in MP4 are a track, which FFmpeg calls data.
        let hasTrack = info.streams.contains { $0.kind == .data && $0.codec == "bin_data" }
        let chapterTracks = hasTrack && !info.chapters.isEmpty ? 1 : 0
        let film: String? =
            films > 1 && !choosesTrack ? "\(films - 1) of \(films) video tracks" : nil
        var lost = [
            film,
            copied > 0 && sounds > copied ? "\(sounds - copied) of \(sounds) sounds" : nil,
            subtitles ? nil : count(number(.subtitle), "subtitle track"),
            isAsked || kept?.hasOrder == true ? nil : count(info.chapters.count, "chapter"),
            count(number(.attachedPicture), "attached picture"),
            count(number(.data) - chapterTracks, "attachment or data stream"),
            kept != nil || isAsked || info.tags.safe == MediaTags()
                ? nil : "title, artist and album",
        ].compactMap(\.self)
        if !isAsked { lost += lostNames(info, copiesSounds: copied > 0) }
        guard let last = lost.last else { return nil }
        let words =
            lost.count == 1
            ? last : lost.dropLast().joined(separator: ", ") + " and " + last
        return MediaWarning(.partsDropped, "Not kept in \(title): \(words).")
    }

    /// What tracks are called that are written, which files get no words for; sounds keep their languages.
    private func lostNames(_ info: MediaInfo, copiesSounds: Bool) -> [String] {
        var lost: [String] = []
        if copiesSounds, info.streams.contains(where: { $0.kind == .audio && $0.title != nil }) {
            lost.append("titles of sounds")
        }
        if info.streams.contains(where: { $0.isChosen && $0.language != nil }) {
            lost.append("the language of the video track")
        }
        return lost
    }

    /// The loop count that is written: that which was asked for, or as much of the source's as the format can say.
    ///
    /// Throws `.notWritable` for more plays than that which were asked for.
    func written(_ looping: Looping, for source: LoopCount) throws(MediaError) -> LoopCount {
        let loop = looping.written(for: source)
        guard traits.carriesLoop, let plays = loop.plays, plays > traits.mostPlays else {
            return loop
        }
        if looping != .asAuthored { _ = try loop.number(upTo: traits.mostPlays, in: type.title) }
        return LoopCount(raw: nil, plays: traits.mostPlays)
    }

    /// A warning that the loop count is lost or reduced; nil if the format carries it, or if it is infinite.
    func loop(_ loop: LoopCount) -> MediaWarning? {
        guard let plays = loop.plays else { return nil }
        guard !traits.carriesLoop else {
            guard plays > traits.mostPlays else { return nil }
            return MediaWarning(
                .loopLost,
                "\(title) cannot say that it plays \(plays) times: \(traits.mostPlays) are written, the most that it has."
            )
        }
        return MediaWarning(
            .loopLost,
            "\(title) cannot say that it plays \(plays == 1 ? "once" : "\(plays) times"); players decide."
        )
    }

    /// A warning that transparency is lost, if the sample has any.
    func alpha(
        _ sample: ContentSample?, background: PixelColor?, matte: PixelColor?
    ) -> MediaWarning? {
        guard let sample else { return nil }
        if traits.alpha == .none, sample.hasTransparency {
            return .flattened(type, over: background)
        }
        guard traits.alpha == .binary, sample.hasTranslucency else { return nil }
        let outcome =
            matte.map { "soft edges are blended over #\($0.description.prefix(6))." }
            ?? "edges become hard ('--matte COLOR' blends them over a color)."
        return MediaWarning(.alphaLost, "\(title) has no partial transparency: \(outcome)")
    }

    /// A warning about colors that browsers misinterpret.
    func colors(_ options: EncodingOptions) -> MediaWarning? {
        guard traits.misreadsLossless, options.lossless == true else { return nil }
        return MediaWarning(
            .colorsMisread,
            "Chromium shows lossless \(title) animations with too much contrast; lossless WebP it shows as it is."
        )
    }

    /// A warning that an animation is made of one frame.
    func motion(_ timings: [FrameTiming]) -> MediaWarning? {
        guard timings.count - TimingLoss(timings, in: traits).omitted == 1 else { return nil }
        return MediaWarning(.isStill, "This \(title) does not move: it is made of one frame.")
    }

    /// A warning about frames that are left out, or delays that are rounded or too short.
    func delays(_ timings: [FrameTiming]) -> MediaWarning? {
        guard timings.count > 1 else { return nil }
        let (loss, all) = (TimingLoss(timings, in: traits), timings.count)
        if loss.omitted > 0 {
            return MediaWarning(
                .delaysTooShort,
                "\(loss.omitted) of \(all) frames are left out: a frame of \(title) lasts at least \(traits.shortestDelay / 1000) ms, as players slow down shorter ones."
            )
        }
        if loss.tooShort > 0 {
            return MediaWarning(
                .delaysTooShort,
                "\(loss.tooShort) of \(all) frames are shorter than the \(traits.shortestDelay / 1000) ms that players keep in \(title); a lower rate (--fps \(1_000_000 / max(1, traits.shortestDelay))) plays at the right speed."
            )
        }
        guard loss.visiblyRounded > 0 else { return nil }
        return MediaWarning(
            .delaysRounded,
            "\(loss.visiblyRounded) of \(all) delays are rounded to \(title)'s steps of \(traits.timeStep / 1000) ms; the errors cancel out."
        )
    }
}

extension MediaInfo {
    /// Whether there is an audio stream.
    var hasSound: Bool { streams.contains { $0.kind == .audio } }
}

extension FormatTraits {
    /// Whether encoding with these options changes pixels, beyond reducing them to a palette.
    func isLossy(_ options: EncodingOptions) -> Bool {
        switch fidelity {
        case .exact, .palette: false
        case .optional, .lossy: options.lossless != true
        }
    }
}

extension EncodingOptions {
    /// Lossless options for flat art if the format offers the choice; visually lossless ones if its
    /// lossless mode is not displayed well.
    func forFlatArt(in traits: FormatTraits) -> EncodingOptions {
        guard traits.fidelity == .optional else { return self }
        var options = self
        options.lossless = !traits.misreadsLossless
        if traits.misreadsLossless { options.quality = 90 }
        return options
    }
}
