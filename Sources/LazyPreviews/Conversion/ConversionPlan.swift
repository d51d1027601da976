internal import LazyMedia

/// Decides how a source is written in another format; pure.
struct ConversionPlan {
    /// What is known about the source.
    struct Facts {
        var info: MediaInfo
        var timings: [FrameTiming]
        /// A look at some frames, or nil where it can decide nothing.
        var glance: ContentGlance?
    }

    /// What is to be written.
    let type: MediaType
    /// With which options.
    private(set) var options: EncodingOptions
    /// Whether dithering is taken out of the pictures first.
    private(set) var isUndithering = false
    private(set) var choices: [ConversionReport.Choice] = []
    private(set) var warnings: [MediaWarning] = []

    /// Decides; throws `.unsupported` for what the format cannot be.
    init(_ conversion: Conversion, _ facts: Facts) throws(MediaError) {
        let isAnimation = facts.timings.count > 1 && !conversion.isStill
        type = try Self.type(conversion.type, isAnimation: isAnimation, facts)
        options = conversion.options
        guard let traits = type.traits else {
            throw MediaError(.unsupported, "There is no writing of \(type.name).")
        }
        let most = max(facts.info.size.width, facts.info.size.height)
        guard most <= traits.longestSide else {
            throw MediaError(
                .unsupported,
                "\(type.label) has no room for frames of \(facts.info.size); the longest side is \(traits.longestSide)."
            )
        }
        chooseLossless(facts)
        chooseUndithering(conversion.undithering, facts)
        warnAboutLoop(conversion.loop ?? facts.info.loop, traits, isAnimation)
        warnAboutAlpha(facts, traits)
        if isAnimation { warnAboutDelays(TimingLoss(facts.timings, in: traits), facts, traits) }
    }

    /// Whether a look at the frames can change anything.
    static func needsGlance(_ conversion: Conversion, _ info: MediaInfo) -> Bool {
        info.hasAlpha
            || info.type.family != .video
                && (conversion.options.lossless == nil || conversion.undithering == .auto)
    }

    /// The type for one picture or many: the same format has two names.
    private static func type(
        _ type: MediaType, isAnimation: Bool, _ facts: Facts
    ) throws(MediaError) -> MediaType {
        switch type {
        case .webp, .webpAnimation: return isAnimation ? .webpAnimation : .webp
        case .avif, .avifSequence: return isAnimation ? .avifSequence : .avif
        case .apng: return isAnimation ? .apng : .png
        case .png, .jpeg:
            guard !isAnimation else {
                throw MediaError(
                    .isAnimation,
                    "\(type.label) holds one picture, and this is an animation of \(facts.timings.count) frames."
                )
            }
            return type
        case .mp4, .webm:
            guard facts.timings.contains(where: { $0.duration.ticks > 0 }) else {
                throw MediaError(
                    .unsupported, "A still picture has no length, which \(type.label) needs.")
            }
            return type
        default: return type
        }
    }

    private mutating func chooseLossless(_ facts: Facts) {
        guard type.hasLosslessChoice else {
            if type.isAlwaysLossless { return note("lossless", "yes", "\(type.label) always is") }
            if facts.glance?.kind == .flatArt, type != .gif {
                note(
                    "lossless", "no",
                    "\(type.label) is not, though this is flat art, which lossless WebP or AVIF keeps sharp"
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
        let isFlat = facts.glance?.kind == .flatArt
        options.lossless = isFlat
        note(
            "lossless", isFlat ? "yes" : "no",
            isFlat
                ? "flat art: areas of one colour with sharp edges"
                : facts.glance?.kind == nil
                    ? "the source is a film" : "photographic: shades and texture")
    }

    private mutating func chooseUndithering(_ wish: Conversion.Undithering, _ facts: Facts) {
        let isLossy = !type.isAlwaysLossless && type != .gif && options.lossless != true
        switch wish {
        case .always: isUndithering = true
        case .never: isUndithering = false
        case .auto:
            // Only palettes are dithered; the pattern is noise to a codec of shades.
            isUndithering =
                facts.info.type == .gif && isLossy && facts.glance?.kind == .photographic
        }
        guard isUndithering || facts.info.type == .gif && isLossy else { return }
        let reason =
            wish != .auto
            ? "as asked for" : isUndithering ? "a palette's dithering is noise" : "not dithered"
        note("undither", isUndithering ? "yes" : "no", reason)
    }

    private mutating func warnAboutLoop(
        _ loop: LoopCount, _ traits: FormatTraits, _ isAnimation: Bool
    ) {
        guard isAnimation, !traits.carriesLoop else { return }
        guard let plays = loop.plays else {
            return note("loop", "none", "\(type.label) has no number of plays; the player repeats")
        }
        warnings.append(
            MediaWarning(
                .loopLost,
                "\(type.label) cannot say that it plays \(plays == 1 ? "once" : "\(plays) times"); players decide."
            ))
    }

    private mutating func warnAboutAlpha(_ facts: Facts, _ traits: FormatTraits) {
        guard let glance = facts.glance else { return }
        if traits.alpha == .none, glance.hasTransparency {
            let background = options.background ?? .white
            warnings.append(
                MediaWarning(
                    .alphaLost,
                    "\(type.label) has no transparency: it is flattened over #\(background.description.prefix(6))."
                ))
        } else if traits.alpha == .binary, glance.hasTranslucency {
            warnings.append(
                MediaWarning(
                    .alphaLost, "\(type.label) has no partial transparency: edges become hard."))
        }
    }

    private mutating func warnAboutDelays(
        _ loss: TimingLoss, _ facts: Facts, _ traits: FormatTraits
    ) {
        let all = facts.timings.count
        if loss.tooShort > 0 {
            warnings.append(
                MediaWarning(
                    .delaysTooShort,
                    "\(loss.tooShort) of \(all) frames are shorter than the \(traits.leastDelay / 1000) ms that players keep in \(type.label); a lower rate (--fps \(1_000_000 / max(1, traits.leastDelay))) plays at the right speed."
                ))
        } else if loss.rounded > 0 {
            warnings.append(
                MediaWarning(
                    .delaysRounded,
                    "\(loss.rounded) of \(all) delays are rounded to \(type.label)'s steps of \(traits.timeStep / 1000) ms; the length in all stays."
                ))
        }
    }

    private mutating func note(_ subject: String, _ decision: String, _ reason: String) {
        choices.append(.init(subject: subject, decision: decision, reason: reason))
    }
}

extension MediaType {
    /// The format's name as people write it.
    var label: String {
        switch self {
        case .webp, .webpAnimation: "WebP"
        case .avif, .avifSequence: "AVIF"
        case .webm: "WebM"
        default: name.uppercased()
        }
    }

    /// Whether its encoders can be told to bring pixels back exactly, or not to.
    fileprivate var hasLosslessChoice: Bool {
        [.webp, .webpAnimation, .avif, .avifSequence].contains(self)
    }

    /// Whether pixels always come back exactly.
    fileprivate var isAlwaysLossless: Bool { self == .png || self == .apng }
}
