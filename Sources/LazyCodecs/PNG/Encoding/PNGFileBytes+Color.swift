internal import CKernels
internal import LazyMedia

extension PNGFileBytes {
    /// Writes what samples mean (PNG specification, 3rd ed., 11.3.2): `sRGB`, `cICP`, `iCCP`, or `gAMA`
    /// with `cHRM`; and `mDCV` and `cLLI` where the light is known.
    ///
    /// A profile for other samples than gray or RGB is not written; then code points count, as when such
    /// a file is read.
    mutating func append(_ meaning: ColorDescription, isGray: Bool) throws(MediaError) {
        if let profile = meaning.profile, profile.colorSpace == (isGray ? "GRAY" : "RGB") {
            return try append(profile)
        }
        if meaning.primaries == .bt709, meaning.transfer == .sRGB {
            return try append("sRGB", [0])
        }
        if meaning.primaries != .unspecified, meaning.transfer != .unspecified {
            // RGB in the full range.
            try append("cICP", [meaning.primaries.rawValue, meaning.transfer.rawValue, 0, 1])
        } else {
            try appendGamma(meaning)
        }
        if let display = meaning.masteringDisplay { try append(display) }
        if let light = meaning.contentLight {
            try append(
                "cLLI",
                Self.number(Double(light.maximum), of: 0.0001)
                    + Self.number(Double(light.maximumAverage), of: 0.0001))
        }
    }

    /// Writes `iCCP`, compressed; the name is that of the profile, as far as PNG can hold it.
    private mutating func append(_ profile: ICCProfile) throws(MediaError) {
        let letters = (profile.name ?? "").utf8.filter { (33...126).contains($0) || $0 == 32 }
        let name = String(decoding: letters.prefix(79), as: UTF8.self).split(separator: " ")
            .joined(separator: " ")
        var stream = GrowingBytes()
        guard cscanline_squeeze(6, profile.bytes, profile.bytes.count, &stream.buffer) != 0 else {
            throw MediaError(.environment, "There is no memory for compressing a PNG.")
        }
        var data = Array((name.isEmpty ? "ICC profile" : name).utf8) + [0, 0]
        stream.withStart { data += UnsafeBufferPointer(start: $0, count: stream.count) }
        try append("iCCP", data)
    }

    /// Writes `gAMA` for a power or sRGB's curve, and `cHRM` for primaries that are not BT.709's, or where the power
    /// would mean sRGB's curve without it.
    private mutating func appendGamma(_ meaning: ColorDescription) throws(MediaError) {
        // Incomplete code points alone count as none.
        guard meaning.gamma != nil || meaning.chromaticities != nil else { return }
        let isSRGB = meaning.transfer == .sRGB || meaning.transfer == .unspecified
        let power: Double? =
            meaning.gamma ?? (meaning.transfer == .linear ? 1 : isSRGB ? 2.2 : nil)
        let isNamed = meaning.primaries != .unspecified && meaning.primaries != .bt709
        // No chunk tells of other curves.
        guard let power, power > 0 else { return }
        let gamma = UInt32(clamping: Int((100_000 / power).rounded()))
        try append("gAMA", gamma.bigEndianBytes)
        let isAmbiguous = meaning.gamma != nil && GammaRule.isSRGB(gamma)
        let named = isNamed ? meaning.primaries : isAmbiguous ? .bt709 : nil
        guard let primaries = meaning.chromaticities ?? named.flatMap({ Chromaticities($0) })
        else { return }
        let points = [primaries.white, primaries.red, primaries.green, primaries.blue]
        try append(
            "cHRM", points.flatMap { [$0.x, $0.y] }.flatMap { Self.number($0, of: 0.00001) })
    }

    /// Writes `mDCV`, which needs the display's chromaticities.
    private mutating func append(_ display: MasteringDisplay) throws(MediaError) {
        guard let colors = display.chromaticities else { return }
        let points = [colors.red, colors.green, colors.blue, colors.white]
        let places = points.flatMap { [$0.x, $0.y] }.flatMap {
            Self.number($0, of: 0.00002).suffix(2)
        }
        try append(
            "mDCV",
            places + Self.number(display.maximumLuminance, of: 0.0001)
                + Self.number(display.minimumLuminance, of: 0.0001))
    }

    /// A number in steps, as four bytes; out of range it is the nearest.
    private static func number(_ value: Double, of step: Double) -> [UInt8] {
        let steps = (value / step).rounded()
        return UInt32(min(max(steps.isFinite ? steps : 0, 0), Double(UInt32.max))).bigEndianBytes
    }
}
