internal import LazyEditing
internal import LazyMedia

/// The plan for converting a source to another format; pure.
struct ConversionPlan {
    /// Facts about the source.
    struct Facts {
        var info: MediaInfo
        var timings: [FrameTiming]
        /// The number of frames before the edit; nil if it is the same.
        var sourceCount: Int?
        /// A sample of the content, or nil if it makes no difference.
        var sample: ContentSample?
    }

    /// What is to be written.
    let type: MediaType
    /// Of how many frames, where none are equal.
    let frameCount: Int
    private let traits: FormatTraits
    /// With which options.
    private(set) var options: EncodingOptions
    /// The strength of undithering, from 0 to 1.
    private(set) var undithering = 0.0
    /// How often it plays.
    let loop: LoopCount
    private(set) var choices: [ConversionChoice] = []
    private(set) var warnings: [MediaWarning] = []

    /// Makes a plan; throws `.notWritable` if the format cannot carry the source.
    init(
        _ work: ConversionWork, _ encoders: EncoderRegistry, _ facts: Facts
    ) throws(MediaError) {
        let isAnimation = facts.timings.count > 1 && !work.conversion.isStill
        type = encoders.type(work.type, isAnimation: isAnimation)
        let target = try encoders.factory(for: type)
        traits = target.traits
        let kept = facts.timings.count - TimingLoss(facts.timings, in: traits).omitted
        frameCount = work.conversion.isStill ? 1 : kept
        if !work.conversion.isStill { try Self.refuseStill(work.type, facts, kept: kept) }
        try Self.check(target, isAnimation: isAnimation, facts)
        let losses = FormatLosses(target)
        let looping = work.conversion.looping ?? .asAuthored
        let wanted = looping.written(for: facts.info.loop)
        loop = isAnimation ? try losses.written(looping, for: facts.info.loop) : wanted
        options = work.options
        chooseLossless(facts)
        chooseUndithering(
            work.conversion.undithering, facts,
            hasPalette: encoders.hasPalette(facts.info.type))
        if isAnimation, !traits.carriesLoop, loop.plays == nil {
            note("loop", "none", "\(type.title) has no number of plays; the player repeats")
        }
        warnings = [
            isAnimation ? losses.loop(wanted) : nil,
            losses.alpha(
                facts.sample, background: options.background, matte: work.edit.matte),
            isAnimation ? losses.delays(facts.timings) : nil,
            losses.colors(options),
        ].compactMap(\.self)
    }

    /// Whether a sample of the content makes a difference.
    static func needsSample(_ work: ConversionWork, _ info: MediaInfo) -> Bool {
        info.hasAlpha
            || info.type.family != .video
                && (work.options.lossless == nil || work.conversion.undithering == .auto)
    }

    /// Throws if an edit, or the steps of the format, leave one frame of an animation, and a still was not asked for.
    private static func refuseStill(
        _ type: MediaType, _ facts: Facts, kept: Int
    ) throws(MediaError) {
        let count = facts.sourceCount ?? facts.timings.count
        guard kept == 1, count > 1, type.family != .video else { return }
        throw MediaError(
            .isAnimation,
            "One frame is left of this animation of \(count), and \(type.title) would be a still.")
    }

    /// Throws if the format cannot be used: animation in a still format, video without a duration, or
    /// frames that are too large.
    private static func check(
        _ target: EncoderFactory, isAnimation: Bool, _ facts: Facts
    ) throws(MediaError) {
        let title = target.type.title
        guard target.traits.canAnimate || !isAnimation else {
            throw MediaError(
                .isAnimation,
                "\(title) holds one picture, and this is an animation of \(facts.timings.count) frames."
            )
        }
        guard
            target.type.family != .video
                || facts.timings.contains(where: { $0.duration.ticks > 0 })
        else {
            throw MediaError(
                .notWritable, "A still picture has no length, which \(title) needs.")
        }
        let most = max(facts.info.size.width, facts.info.size.height)
        guard most <= target.traits.longestSide else {
            throw MediaError(
                .notWritable,
                "\(title) has no room for frames of \(facts.info.size); the longest side is \(target.traits.longestSide)."
            )
        }
    }

    private mutating func chooseLossless(_ facts: Facts) {
        guard traits.fidelity == .optional else {
            if traits.fidelity == .exact {
                return note("lossless", "yes", "\(type.title) always is")
            }
            if facts.sample?.kind == .flatArt, traits.fidelity == .lossy {
                note(
                    "lossless", "no",
                    "\(type.title) is not, though this is flat art, which WebP and AVIF keep sharp"
                )
            }
            return
        }
        if let lossless = options.lossless {
            return note("lossless", lossless ? "yes" : "no", "as asked for")
        }
        if options.quality != nil {
            options.lossless = false
            return note("lossless", "no", "a quality was asked for")
        }
        let isFlat = facts.sample?.kind == .flatArt
        if isFlat, traits.misreadsLossless {
            options = options.forFlatArt(in: traits)
            return note(
                "lossless", "no",
                "flat art, but browsers show lossless \(type.title) animations in wrong colors: fine quality instead"
            )
        }
        options.lossless = isFlat
        note(
            "lossless", isFlat ? "yes" : "no",
            isFlat
                ? "flat art: areas of one color with sharp edges"
                : facts.sample?.kind == nil
                    ? "the source is a film" : "photographic: shades and texture")
    }

    private mutating func chooseUndithering(
        _ wish: Rendition.Conversion.Undithering, _ facts: Facts, hasPalette: Bool
    ) {
        // Only palettes are dithered; the pattern is noise to a lossy codec.
        let isCandidate = hasPalette && traits.isLossy(options)
        switch wish {
        case .always: undithering = 1
        case .never: undithering = 0
        case .auto where isCandidate && facts.sample?.kind == .photographic:
            undithering = facts.sample?.dithering ?? 0
        case .auto: undithering = 0
        }
        guard undithering > 0 || isCandidate else { return }
        let reason =
            wish != .auto
            ? "as asked for" : undithering > 0 ? "a palette's dithering is noise" : "not dithered"
        note("undither", undithering > 0 ? "yes" : "no", reason)
    }

    private mutating func note(_ subject: String, _ decision: String, _ reason: String) {
        choices.append(.init(subject: subject, decision: decision, reason: reason))
    }
}
