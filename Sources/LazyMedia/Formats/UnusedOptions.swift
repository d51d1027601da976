extension EncodingOptions {
    /// An option that changes nothing in the files of a format.
    package struct Unused: Hashable, Sendable {
        /// The kinds of options.
        package enum Option: String, CaseIterable, Sendable {
            case quality, fidelity, effort, palette, background, codec
        }
        /// Which option it is.
        package let option: Option
        /// Why, as the end of a sentence.
        package let reason: String
    }

    /// The options that are given and change nothing in files of this type.
    ///
    /// What is given without effect is a mistake that is said before any work.
    package func unused(in traits: FormatTraits, of type: MediaType) -> [Unused] {
        var unused: [Unused] = []
        func add(_ option: Unused.Option, _ reason: String) {
            unused.append(Unused(option: option, reason: reason))
        }
        if quality != nil {
            switch traits.fidelity {
            case .exact: add(.quality, "\(type.title) is always lossless")
            case .optional where lossless == true: add(.quality, "lossless files have none")
            case .palette, .optional, .lossy: break
            }
        }
        switch (lossless, traits.fidelity) {
        case (false, .exact): add(.fidelity, "\(type.title) is always lossless")
        case (true, .palette): add(.fidelity, "\(type.title) keeps all colors of a palette")
        case (true, .lossy) where type.family == .still:
            add(.fidelity, "\(type.title) is always lossy")
        default: break
        }
        if effort != nil, !traits.hasEffort { add(.effort, "\(type.title) has one effort") }
        let usual = EncodingOptions()
        if traits.fidelity != .palette,
            (colors, dither, palettes) != (usual.colors, usual.dither, usual.palettes)
        {
            add(.palette, "\(type.title) has no palette to choose")
        }
        if codec != nil, type.family != .video { add(.codec, "\(type.title) has one codec") }
        // AV1 in WebM has no alpha, as in MP4.
        if background != nil, traits.alpha != .none, codec != .av1 {
            add(.background, "\(type.title) keeps transparency")
        }
        return unused
    }
}
