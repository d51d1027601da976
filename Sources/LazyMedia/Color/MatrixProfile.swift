/// A profile of one curve per channel and a matrix, or of one curve for gray.
struct MatrixProfile {
    let curves: [TransferCurve]
    /// From linear samples to XYZ of D50; nil for gray.
    let matrix: ColorMatrix?

    /// Reads such a profile; nil where it is of another kind, or broken.
    ///
    /// A table `A2B0` precedes the matrix, whatever the intent in the header, as in browsers.
    init?(_ profile: ICCProfile) {
        guard profile.tag("A2B0") == nil else { return nil }
        if profile.colorSpace == "GRAY" {
            guard let curve = TransferCurve(profile, "kTRC") else { return nil }
            curves = [curve]
            matrix = nil
            return
        }
        guard profile.colorSpace == "RGB", ICCProfile.word(profile.bytes, 20) == "XYZ ",
            let red = TransferCurve(profile, "rTRC"), let green = TransferCurve(profile, "gTRC"),
            let blue = TransferCurve(profile, "bTRC"), let x = profile.xyz("rXYZ"),
            let y = profile.xyz("gXYZ"), let z = profile.xyz("bXYZ")
        else { return nil }
        curves = [red, green, blue]
        matrix = ColorMatrix(x, y, z).transposed
    }
}

extension ICCProfile {
    /// The numbers of a tag of type `XYZ ` (ICC.1:2010, 10.31).
    fileprivate func xyz(_ signature: String) -> SIMD3<Double>? {
        guard let tag = tag(signature), tag.count >= 20,
            Self.word(bytes, tag.lowerBound) == "XYZ "
        else { return nil }
        return SIMD3(
            fixed(tag.lowerBound + 8), fixed(tag.lowerBound + 12), fixed(tag.lowerBound + 16))
    }

    /// The signed number with 16 bits after the point at an offset.
    fileprivate func fixed(_ offset: Int) -> Double {
        Double(Int32(truncatingIfNeeded: number(offset) ?? 0)) / 65536
    }
}

extension TransferCurve {
    /// Reads a tag of type `curv` or `para` (ICC.1:2010, 10.6 and 10.16).
    fileprivate init?(_ profile: ICCProfile, _ signature: String) {
        guard let tag = profile.tag(signature), tag.count >= 12 else { return nil }
        let start = tag.lowerBound
        switch ICCProfile.word(profile.bytes, start) {
        case "curv": self.init(sampled: profile, start, tag.count)
        case "para": self.init(parametric: profile, start, tag.count)
        default: return nil
        }
    }

    private init?(sampled profile: ICCProfile, _ start: Int, _ length: Int) {
        guard let count = profile.number(start + 8), count <= 65536, 12 + count * 2 <= length
        else { return nil }
        let bytes = profile.bytes
        let samples = (0..<count).map {
            Int(bytes[start + 12 + $0 * 2]) << 8 | Int(bytes[start + 13 + $0 * 2])
        }
        switch count {
        case 0: self = .linear
        case 1: self = .power(Double(samples[0]) / 256)
        default: self = .sampled(samples.map { Double($0) / 65535 })
        }
    }

    private init?(parametric profile: ICCProfile, _ start: Int, _ length: Int) {
        let kind = Int(profile.bytes[start + 8]) << 8 | Int(profile.bytes[start + 9])
        let counts = [1, 3, 4, 5, 7]
        guard kind < counts.count, 12 + counts[kind] * 4 <= length else { return nil }
        let p = (0..<counts[kind]).map { profile.fixed(start + 12 + $0 * 4) }
        // In the order of the longest kind: g, a, b, c, d, e, f.
        switch kind {
        case 0: self = .power(p[0])
        case 1, 2:
            guard p[1] != 0 else { return nil }
            let offset = kind == 2 ? p[3] : 0
            self = .parametric([p[0], p[1], p[2], 0, -p[2] / p[1], offset, offset])
        case 3: self = .parametric([p[0], p[1], p[2], p[3], p[4], 0, 0])
        default: self = .parametric(p)
        }
    }
}
