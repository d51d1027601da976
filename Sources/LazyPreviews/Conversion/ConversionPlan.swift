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
    /// With which options.
    private(set) var options: EncodingOptions
    /// The strength of undithering, from 0 to 1.
    private(set) var undithering = 0.0
    private(set) var choices: [ConversionReport.Choice] = []
    private(set) var warnings: [MediaWarning] = []

    /// Makes a plan; throws `.notWritable` if the format cannot carry the source.
    init(_ conversion: Conversion, _ facts: Facts) throws(MediaError) {
        let isAnimation = facts.timings.count > 1 && !conversion.isStill
        if !conversion.isStill { try Self.refuseStill(conversion.type, facts) }
        type = try Self.type(conversion.type, isAnimation: isAnimation, facts)
        options = conversion.options
        guard let traits = type.traits else {
            throw MediaError(.notWritable, "There is no writing of \(type.name).")
        }
        let most = max(facts.info.size.width, facts.info.size.height)
        guard most <= traits.longestSide else {
            throw MediaError(
                .notWritable,
                "\(type.label) has no room for frames of \(facts.info.size); the longest side is \(traits.longestSide)."
            )
        }
        chooseLossless(facts)
        chooseUndithering(conversion.undithering, facts)
        let loop = conversion.loop ?? facts.info.loop
        if isAnimation, !traits.carriesLoop, loop.plays == nil {
            note("loop", "none", "\(type.label) has no number of plays; the player repeats")
        }
        warnings = [
            isAnimation ? FormatLosses.loop(loop, in: type) : nil,
            FormatLosses.alpha(facts.sample, in: type, background: options.background),
            isAnimation ? FormatLosses.delays(facts.timings, in: type) : nil,
            FormatLosses.colors(options, in: type),
        ].compactMap(\.self)
    }

    /// Whether a sample of the content makes a difference.
    static func needsSample(_ conversion: Conversion, _ info: MediaInfo) -> Bool {
        info.hasAlpha
            || info.type.family != .video
                && (conversion.options.lossless == nil || conversion.undithering == .auto)
    }

    /// Throws if an edit leaves one frame of an animation, and a still was not asked for.
    private static func refuseStill(_ type: MediaType, _ facts: Facts) throws(MediaError) {
        guard facts.timings.count == 1, let count = facts.sourceCount, count > 1,
            type != .mp4, type != .webm
        else { return }
        throw MediaError(
            .isAnimation,
            "One frame is left of this animation of \(count), and \(type.label) would be a still.")
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
                    .notWritable, "A still picture has no length, which \(type.label) needs.")
            }
            return type
        default: return type
        }
    }

    private mutating func chooseLossless(_ facts: Facts) {
        guard type.hasLosslessChoice else {
            if type.isAlwaysLossless { return note("lossless", "yes", "\(type.label) always is") }
            if facts.sample?.kind == .flatArt, type != .gif {
                note(
                    "lossless", "no",
                    "\(type.label) is not, though this is flat art, which WebP and AVIF keep sharp"
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
        if isFlat, type == .avifSequence {
            options = options.nearlyLossless()
            return note(
                "lossless", "no",
                "flat art, but browsers show lossless AVIF animations in wrong colors: fine quality instead"
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

    private mutating func chooseUndithering(_ wish: Conversion.Undithering, _ facts: Facts) {
        let isLossy = !type.isAlwaysLossless && type != .gif && options.lossless != true
        // Only palettes are dithered; the pattern is noise to a lossy codec.
        let isCandidate = facts.info.type == .gif && isLossy
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
