extension ContentLight {
    /// Reads a `clli` box (ISO/IEC 14496-12, 12.1.6); nil where it is too short.
    package init?(_ file: [UInt8], _ box: ISOBox) {
        guard box.content.count >= 4 else { return nil }
        let word = file.bigEndian32(at: box.content.lowerBound)
        self.init(maximum: Int(word >> 16), maximumAverage: Int(word & 0xFFFF))
    }
}

extension MasteringDisplay {
    /// Reads a `mdcv` box (ISO/IEC 14496-12, 12.1.7); nil where it is too short.
    ///
    /// Green, blue, red and white in steps of 0.00002, then the luminances in steps of 0.0001 cd/m².
    package init?(_ file: [UInt8], _ box: ISOBox) {
        guard box.content.count >= 24 else { return nil }
        let start = box.content.lowerBound
        func point(_ index: Int) -> SIMD2<Double> {
            let word = file.bigEndian32(at: start + index * 4)
            return SIMD2(Double(word >> 16), Double(word & 0xFFFF)) / 50_000
        }
        self.init(
            chromaticities: Chromaticities(
                red: point(2), green: point(0), blue: point(1), white: point(3)),
            maximumLuminance: Double(file.bigEndian32(at: start + 16)) / 10_000,
            minimumLuminance: Double(file.bigEndian32(at: start + 20)) / 10_000)
    }
}
