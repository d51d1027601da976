internal import Glibc

/// The light of a code between 0 and 1.
enum TransferCurve: Hashable {
    case sRGB
    case linear
    case power(Double)
    case smpte240m
    case pq
    case hlg
    /// ICC's parametric curve (ICC.1:2010, 10.16): g, a, b, c, d, e, f.
    case parametric([Double])
    /// Equidistant samples, interpolated.
    case sampled([Double])

    /// Light: 1 is white, for PQ 203 cd/m², for HLG the scene's.
    func light(_ code: Double) -> Double {
        switch self {
        case .sRGB: Self.decodedSRGB(code)
        case .linear: code
        case .power(let exponent): pow(max(0, code), exponent)
        case .smpte240m:
            code < 4 * 0.0228 ? code / 4 : pow((code + 0.1115) / 1.1115, 1 / 0.45)
        case .pq: Self.decodedPQ(code) / Self.referenceWhite
        case .hlg:
            code <= 0.5
                ? code * code / 3 : (exp((code - 0.55991073) / 0.17883277) + 0.28466892) / 12
        case .parametric(let p):
            code >= p[4] ? pow(max(0, p[1] * code + p[2]), p[0]) + p[5] : p[3] * code + p[6]
        case .sampled(let samples): Self.interpolated(samples, at: code)
        }
    }

    /// The luminance of SDR white in HDR, in cd/m² (ITU-R BT.2408).
    static let referenceWhite = 203.0

    /// The code of light by sRGB's curve.
    static func encodedSRGB(_ light: Double) -> Double {
        let light = min(max(light, 0), 1)
        return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    private static func decodedSRGB(_ code: Double) -> Double {
        code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
    }

    /// The luminance of a code in cd/m² (SMPTE ST 2084).
    static func decodedPQ(_ code: Double) -> Double {
        let power = pow(max(0, code), 32.0 / 2523)
        let numerator = max(0, power - 3424.0 / 4096)
        return 10_000 * pow(numerator / (2413.0 / 128 - 2392.0 / 128 * power), 16384.0 / 2610)
    }

    /// The code of a luminance in cd/m² (SMPTE ST 2084).
    static func encodedPQ(_ luminance: Double) -> Double {
        let power = pow(min(max(luminance / 10_000, 0), 1), 2610.0 / 16384)
        return pow(
            (3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
    }

    private static func interpolated(_ samples: [Double], at code: Double) -> Double {
        guard samples.count > 1 else { return samples.first ?? code }
        let position = min(max(code, 0), 1) * Double(samples.count - 1)
        let index = min(Int(position), samples.count - 2)
        let part = position - Double(index)
        return samples[index] * (1 - part) + samples[index + 1] * part
    }
}

extension TransferCurve {
    /// The curve that browsers use for a code point in a still; nil where none is known.
    init?(_ transfer: TransferCharacteristics) {
        switch transfer.rawValue {
        case 1, 2, 6, 13, 14, 15: self = .sRGB
        case 4: self = .power(2.2)
        case 5: self = .power(2.8)
        case 7: self = .smpte240m
        case 8: self = .linear
        case 16: self = .pq
        case 17: self = .power(2.6)
        case 18: self = .hlg
        default: return nil
        }
    }
}
