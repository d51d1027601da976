extension ICCProfile {
    /// A profile of version 4.3 for primaries and one curve of all channels.
    ///
    /// Nil where the primaries span no space, and for curves that no parametric curve is: PQ, HLG and samples.
    init?(_ primaries: Chromaticities, _ curve: TransferCurve, name: String) {
        guard let matrix = ColorMatrix(primaries), let curve = Self.parametric(curve) else {
            return nil
        }
        let (red, green, blue) = matrix.transposed.rows
        var tags = [
            ("desc", Self.text(name)), ("cprt", Self.text("No copyright, use freely")),
            ("wtpt", Self.xyz(ColorMatrix.d50)),
        ]
        for (letter, column) in zip(["r", "g", "b"], [red, green, blue]) {
            tags.append((letter + "XYZ", Self.xyz(column)))
        }
        for letter in ["r", "g", "b"] { tags.append((letter + "TRC", curve)) }
        var table = UInt32(tags.count).bigEndianBytes
        var data: [UInt8] = []
        var places: [[UInt8]: Int] = [:]
        let start = 128 + 4 + tags.count * 12
        for (signature, bytes) in tags {
            let place = places[bytes] ?? data.count
            if places[bytes] == nil {
                places[bytes] = place
                data += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
            }
            table += Array(signature.utf8) + UInt32(start + place).bigEndianBytes
            table += UInt32(bytes.count).bigEndianBytes
        }
        self.init(Self.header(count: start + data.count) + table + data)
    }

    /// The header (ICC.1:2010, 7.2): a display profile from RGB to XYZ, with no date and no maker.
    private static func header(count: Int) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 128)
        func put(_ bytes: [UInt8], at place: Int) {
            header.replaceSubrange(place..<place + bytes.count, with: bytes)
        }
        put(UInt32(count).bigEndianBytes, at: 0)
        put([4, 0x30], at: 8)
        put(Array("mntrRGB XYZ ".utf8), at: 12)
        // A date must be one.
        put([0x07, 0xD0, 0, 1, 0, 1], at: 24)
        put(Array("acsp".utf8), at: 36)
        put(Array(xyz(ColorMatrix.d50).dropFirst(8)), at: 68)
        return header
    }

    private static func xyz(_ value: SIMD3<Double>) -> [UInt8] {
        Array("XYZ ".utf8) + [0, 0, 0, 0] + fixed(value.x) + fixed(value.y) + fixed(value.z)
    }

    /// A text in English (10.15).
    private static func text(_ words: String) -> [UInt8] {
        let units = words.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        return Array("mluc".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 12] + Array("enUS".utf8)
            + UInt32(units.count).bigEndianBytes + UInt32(28).bigEndianBytes + units
    }

    /// A parametric curve (10.18); nil for others.
    private static func parametric(_ curve: TransferCurve) -> [UInt8]? {
        let (kind, numbers): (UInt8, [Double]) =
            switch curve {
            case .linear: (0, [1])
            case .power(let exponent): (0, [exponent])
            case .sRGB: (3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
            case .smpte240m: (3, [1 / 0.45, 1 / 1.1115, 0.1115 / 1.1115, 0.25, 4 * 0.0228])
            case .pq, .hlg, .parametric, .sampled: (0, [])
            }
        guard !numbers.isEmpty, numbers.allSatisfy({ $0.isFinite && abs($0) < 32_768 }) else {
            return nil
        }
        return Array("para".utf8) + [0, 0, 0, 0, 0, kind, 0, 0] + numbers.flatMap(fixed)
    }

    /// A number in steps of 1/65536 (4.6).
    private static func fixed(_ value: Double) -> [UInt8] {
        UInt32(bitPattern: Int32((value * 65_536).rounded())).bigEndianBytes
    }
}
