/// Which rules decide what tags mean, where browsers differ between kinds of files.
package enum ColorRules: Hashable, Sendable {
    /// Pictures: every known code point counts.
    case still
    /// PNG, where BT.709's transfer is a power of 2.4.
    case png
    /// Films: incomplete tags count as none, primaries of 525 lines (BT.601, SMPTE 240M) as BT.709's, and SMPTE
    /// 240M's transfer as sRGB's.
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
        let is525Lines = [.bt601, .smpte240m].contains(color.primaries)
        guard isTagged, color.matrix != .unspecified,
            let primaries = is525Lines ? .bt709 : Chromaticities(color.primaries),
            let curve = color.transfer == .smpte240m ? .sRGB : TransferCurve(color.transfer)
        else {
            self = .sRGB
            return
        }
        self.init(curve, primaries, color)
    }

    private init(_ curve: TransferCurve, _ primaries: Chromaticities, _ color: ColorDescription) {
        switch curve {
        case .pq, .hlg: self = .hdr(curve, primaries, peak: color.peakLuminance)
        case .sRGB where primaries == .bt709: self = .sRGB
        default: self = .curves([curve], primaries == .bt709 ? nil : primaries)
        }
    }
}
