internal import LazyBase

/// The samples of a coded picture, as far as profiles differ.
package enum SampleKind: Hashable, Sendable {
    /// Red, green and blue, or YUV of them.
    case rgb
    /// Gray, which is given as equal red, green and blue.
    case gray
    /// Ink, inverted, as Adobe's programs store it.
    case cmyk

    /// The color spaces of profiles that describe such samples.
    fileprivate var profiles: [String] {
        switch self {
        case .rgb: ["RGB"]
        case .gray: ["GRAY", "RGB"]
        case .cmyk: ["CMYK"]
        }
    }
}

/// Finds the conversion that a picture needs; tables are made once and kept for the process.
package enum ColorConversions {
    /// A conversion, or none; with a warning where one was needed and cannot be done.
    package struct Choice: Sendable {
        /// What converts the samples, or nil where they are sRGB or stay as they are.
        package let converter: ColorConverter?
        /// Why the colors may be wrong.
        package let warning: MediaWarning?

        init(_ converter: ColorConverter?, _ warning: MediaWarning? = nil) {
            self.converter = converter
            self.warning = warning
        }
    }

    private struct Key: Hashable {
        let meaning: ColorMeaning
        let mapping: ToneMapping?
        let samples: SampleKind
    }

    /// Enough for what is on a page; a table takes 200 KB.
    private static let limit = 16
    /// Profiles are kept with their conversions, and strangers' profiles may be large.
    private static let maxProfileBytes = 4 << 20
    private static let kept = Locked<[(key: Key, choice: Choice)]>([])

    /// The conversion of a picture's samples to what is asked for.
    ///
    /// Samples of a CMYK profile are given as Adobe stores them, inverted. A broken profile, or one for
    /// other samples, counts as none, and what the file says beside it is used. The first use of a
    /// meaning makes its tables in a few milliseconds.
    package static func choose(
        _ color: ColorDescription, _ rules: ColorRules, _ output: ColorOutput,
        _ samples: SampleKind = .rgb
    ) -> Choice {
        guard case .sRGB(let mapping) = output else { return Choice(nil) }
        let meaning = ColorMeaning(color, rules)
        guard meaning != .sRGB else { return Choice(nil) }
        let key = Key(meaning: meaning, mapping: meaning.isHDR ? mapping : nil, samples: samples)
        if let choice = kept.withLock({ $0.first { $0.key == key }?.choice }) { return choice }
        let choice: Choice
        switch make(meaning, mapping, samples: samples) {
        case .success(let converter): choice = Choice(converter)
        case .unusable:
            var rest = color
            rest.profile = nil
            return choose(rest, rules, output, samples)
        case .missing(let reason): return Choice(nil, MediaWarning(.note, reason))
        }
        kept.withLock { kept in
            kept.append((key, choice))
            while kept.count > limit
                || kept.reduce(0, { $0 + $1.key.meaning.byteCount }) > maxProfileBytes
            {
                kept.removeFirst()
            }
        }
        return choice
    }

    private enum Outcome {
        /// A conversion, or nil where samples are sRGB within rounding.
        case success(ColorConverter?)
        case unusable
        case missing(String)
    }

    private static func make(
        _ meaning: ColorMeaning, _ mapping: ToneMapping, samples: SampleKind
    ) -> Outcome {
        switch meaning {
        case .sRGB: return .success(nil)
        case .curves(let curves, let primaries):
            let matrix = primaries.map { ConversionTables.matrix(from: $0, to: .bt709) }
            return .success(converter(curves, matrix ?? .identity))
        case .hdr(let curve, let primaries, let peak):
            func tables(_ steps: Int) -> ConversionTables {
                ConversionTables(hdr: curve, primaries, peak: peak, mapping, steps: steps)
            }
            return .success(
                ColorConverter(
                    engine: .tables(tables(255), deep: tables(ConversionTables.deepSteps))))
        case .profile(let profile):
            return make(profile, samples: samples)
        }
    }

    private static func make(_ profile: ICCProfile, samples: SampleKind) -> Outcome {
        guard samples.profiles.contains(profile.colorSpace) else { return .unusable }
        if let simple = MatrixProfile(profile) {
            let matrix = simple.matrix.map { ColorMatrix.toSRGB * $0 } ?? .identity
            guard !isSRGB(simple.curves, matrix) else { return .success(nil) }
            return .success(converter(simple.curves, matrix))
        }
        switch LookupProfile.make(profile) {
        case .success(let lookup): return .success(ColorConverter(engine: .lookup(lookup)))
        case .failure(.unusable): return .unusable
        case .failure(.missing(let reason)): return .missing(reason)
        }
    }

    private static func converter(
        _ curves: [TransferCurve], _ matrix: ColorMatrix
    ) -> ColorConverter {
        ColorConverter(
            engine: .tables(
                ConversionTables(curves, matrix, steps: 255),
                deep: ConversionTables(curves, matrix, steps: ConversionTables.deepSteps)))
    }

    /// Whether curves and matrix are sRGB's within rounding, as in most photos.
    private static func isSRGB(_ curves: [TransferCurve], _ matrix: ColorMatrix) -> Bool {
        guard matrix.distance(to: .identity) < 2e-3 else { return false }
        return curves.allSatisfy { curve in
            (0...255).allSatisfy { code in
                let value = Double(code) / 255
                return abs(TransferCurve.encodedSRGB(curve.light(value)) - value) < 1.5e-3
            }
        }
    }
}

extension ColorMeaning {
    fileprivate var isHDR: Bool { if case .hdr = self { true } else { false } }

    /// The bytes of its profile.
    fileprivate var byteCount: Int {
        if case .profile(let profile) = self { profile.bytes.count } else { 0 }
    }
}
