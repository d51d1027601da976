import Glibc
import LazyMedia
import Testing

/// One color converted from codes of 0 to `most`.
func converted(
    _ codes: SIMD3<Int>, most: Int, _ color: ColorDescription, _ rules: ColorRules,
    _ mapping: ToneMapping = .browser, samples: SampleKind = .rgb
) throws -> SIMD3<Int> {
    let choice = ColorConversions.choose(color, rules, .sRGB(mapping), samples)
    let converter = try #require(choice.converter)
    var source = (0..<3).map { UInt16((codes[$0] * 65535 + most / 2) / most) } + [65535]
    var target: UInt32 = 0
    converter.convert(deep: &source, into: &target, count: 1)
    #expect(target >> 24 == 255)
    return SIMD3(Int(target & 255), Int(target >> 8 & 255), Int(target >> 16 & 255))
}

/// The 16-bit code of a luminance in cd/m² (SMPTE ST 2084).
func pqCode(_ luminance: Double) -> Int {
    let power = pow(luminance / 10_000, 0.1593017578125)
    let code = pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    return Int((code * 65535).rounded())
}

/// A profile of version 2 or 4, written byte by byte.
func profile(_ space: String, _ tags: [(name: String, data: [UInt8])]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 128)
    bytes[8] = 2
    bytes[9] = 0x10
    bytes.replaceSubrange(12..<16, with: Array("mntr".utf8))
    bytes.replaceSubrange(16..<20, with: Array(space.padding(4).utf8))
    bytes.replaceSubrange(20..<24, with: Array("XYZ ".utf8))
    bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
    bytes.replaceSubrange(68..<80, with: fixed(0.9642) + fixed(1) + fixed(0.8249))
    var offset = 132 + tags.count * 12
    bytes += big(tags.count)
    for tag in tags {
        bytes += Array(tag.name.utf8) + big(offset) + big(tag.data.count)
        offset += tag.data.count
    }
    for tag in tags { bytes += tag.data }
    bytes.replaceSubrange(0..<4, with: big(bytes.count))
    return bytes
}

func big(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
}

func fixed(_ number: Double) -> [UInt8] { big(Int((number * 65536).rounded())) }

/// A tag of a point of XYZ.
func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    Array("XYZ ".utf8) + big(0) + fixed(x) + fixed(y) + fixed(z)
}

/// A tag of a curve that is a power.
func gamma(_ exponent: Double) -> [UInt8] {
    let number = Int((exponent * 256).rounded())
    return Array("curv".utf8) + big(0) + big(1)
        + [UInt8(number >> 8), UInt8(number & 255), 0, 0]
}

/// A tag of a parametric curve.
func parametric(_ kind: UInt8, _ numbers: [Double]) -> [UInt8] {
    Array("para".utf8) + big(0) + [0, kind, 0, 0] + numbers.flatMap(fixed)
}

/// Tags of the primaries of Adobe RGB or Display P3, adapted to D50.
let adobePrimaries = [
    (name: "rXYZ", data: xyz(0.60974, 0.31111, 0.01947)),
    (name: "gXYZ", data: xyz(0.20528, 0.62567, 0.06087)),
    (name: "bXYZ", data: xyz(0.14919, 0.06322, 0.74457)),
]
let displayP3Primaries = [
    (name: "rXYZ", data: xyz(0.51512, 0.24120, -0.00105)),
    (name: "gXYZ", data: xyz(0.29198, 0.69225, 0.04189)),
    (name: "bXYZ", data: xyz(0.15710, 0.06657, 0.78407)),
]
let sRGBPrimaries = [
    (name: "rXYZ", data: xyz(0.43607, 0.22249, 0.01392)),
    (name: "gXYZ", data: xyz(0.38515, 0.71687, 0.09708)),
    (name: "bXYZ", data: xyz(0.14307, 0.06061, 0.71410)),
]

/// The same curve for the three channels.
func curves(_ data: [UInt8]) -> [(name: String, data: [UInt8])] {
    ["rTRC", "gTRC", "bTRC"].map { ($0, data) }
}

extension String {
    fileprivate func padding(_ count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - utf8.count))
    }
}
