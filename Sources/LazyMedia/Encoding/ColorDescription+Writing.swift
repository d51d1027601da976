extension MediaType {
    /// Whether files of the type say what colors mean, so that those of a source can be kept.
    package var keepsColors: Bool {
        [.png, .avif, .avifSequence, .jpeg, .webp].contains(self)
    }

    /// Throws `.notWritable` where colors are not kept; raw pixels say nothing, and are as they are.
    package func checkKeptColors() throws(MediaError) {
        guard keepsColors || self == .rawPixels else {
            throw MediaError(
                .notWritable,
                "\(title) has no place for the colors of the source; AVIF has, and PNG, JPEG and WebP of one picture."
            )
        }
    }
}

extension ColorDescription {
    /// Whether samples are sRGB, or nothing says what they are, which means the same.
    package var isSRGB: Bool { ColorMeaning(self, .still) == .sRGB }

    /// The code points that say it all; nil where a profile, an exponent or chromaticities do.
    package var codePoints: (ColorPrimaries, TransferCharacteristics)? {
        if isSRGB { return (.bt709, .sRGB) }
        guard profile == nil, gamma == nil, chromaticities == nil else { return nil }
        let isKnown = primaries != .unspecified && transfer != .unspecified
        return isKnown ? (primaries, transfer) : nil
    }

    /// The profile that says what samples mean in a file without code points; nil for sRGB.
    ///
    /// Throws `.notWritable` for PQ and HLG, which no profile of curves describes, and for a profile of other samples than
    /// RGB and, in a format that has it, gray.
    package func writtenProfile(
        in type: MediaType, hasGray: Bool = false
    ) throws(MediaError) -> ICCProfile? {
        switch ColorMeaning(self, .still) {
        case .sRGB: return nil
        case .profile(let profile):
            guard profile.colorSpace == "RGB" || hasGray && profile.isGray else {
                throw MediaError(
                    .notWritable,
                    "\(type.title) has no place for a color profile of \(profile.colorSpace).")
            }
            return profile
        case .hdr:
            throw MediaError(
                .notWritable,
                "\(type.title) has no place for the colors of HDR; PNG and AVIF have.")
        case .curves(let curves, let primaries):
            guard let curve = curves.first,
                let profile = ICCProfile(
                    primaries ?? .bt709, curve, name: "Colors of the source")
            else {
                throw MediaError(
                    .notWritable, "\(type.title) has no place for the colors of the source.")
            }
            return profile
        }
    }
}
