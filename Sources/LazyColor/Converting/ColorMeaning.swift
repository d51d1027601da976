internal import LazyMedia

/// Which rules decide what tags mean, where browsers differ between kinds of files.
package enum ColorRules: Hashable, Sendable {
    /// Pictures: every known code point counts.
    case still
    /// PNG, where BT.709's transfer is a power of 2.4.
    case png
    /// Films: incomplete tags count as none, and BT.601's primaries as BT.709's.
    case film
}

/// What the samples of a picture mean after the rules: a kind of conversion to sRGB.
enum ColorMeaning: Hashable {
    /// Samples are sRGB.
    case sRGB
    /// Curves for one or three channels, and primaries; nil for gray and for those of BT.709.
    case curves([TransferCurve], Chromaticities?)
    /// PQ or HLG with primaries and the content's peak in cd/m².
    case hdr(TransferCurve, Chromaticities, peak: Double)
    /// A profile.
    case profile(ICCProfile)

    /// Applies the rules to what a file says; the order of precedence is that of Chromium.
    init(_ color: ColorDescription, _ rules: ColorRules) {
        if let profile = color.profile {
            self = .profile(profile)
        } else if rules == .film {
            self.init(film: color)
        } else {
            self.init(still: color, isPNG: rules == .png)
        }
    }

    private init(still color: ColorDescription, isPNG: Bool) {
        let primaries = color.chromaticities ?? Chromaticities(color.primaries) ?? .bt709
        if let gamma = color.gamma {
            self.init(gamma == 1 ? .linear : .power(gamma), primaries, color)
        } else if isPNG, color.transfer == .bt709 || color.transfer == .bt601 {
            self.init(.power(2.4), primaries, color)
        } else {
            self.init(TransferCurve(color.transfer) ?? .sRGB, primaries, color)
        }
    }

    private init(film color: ColorDescription) {
        let isTagged = color.primaries != .unspecified && color.transfer != .unspecified
        guard isTagged, color.matrix != .unspecified,
            let primaries = Chromaticities(color.primaries),
            let curve = TransferCurve(color.transfer)
        else {
            self = .sRGB
            return
        }
        let isOldVideo = [.bt601, .smpte240m, .bt470bg, .bt470m].contains(color.primaries)
        if isOldVideo, curve == .sRGB || curve == .smpte240m {
            self = .sRGB
        } else {
            self.init(curve, primaries, color)
        }
    }

    private init(_ curve: TransferCurve, _ primaries: Chromaticities, _ color: ColorDescription) {
        switch curve {
        case .pq, .hlg: self = .hdr(curve, primaries, peak: color.peakLuminance)
        case .sRGB where primaries == .bt709: self = .sRGB
        default: self = .curves([curve], primaries == .bt709 ? nil : primaries)
        }
    }
}
