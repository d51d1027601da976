import CKernels
import LazyMedia
import Testing

@Suite struct KernelTests {
    /// All kinds of conversions, with tables that no curve has.
    @Test(arguments: [CCOLOR_PLAIN, CCOLOR_GAIN_BY_CODE, CCOLOR_GAIN_BY_LIGHT, CCOLOR_HLG])
    func `Vectorized and portable code have equal results`(_ kind: ccolor_kind) {
        let count = 1003
        let light: [Float] = (0...255).map { Float($0 * $0) / 40_000 }
        let gain: [Float] = (0...Int(CCOLOR_LIGHT_STEPS)).map { 1 - Float($0) / 40_000 }
        let output: [Int32] = (0...Int32(CCOLOR_OUTPUT_STEPS)).map { $0 / 17 }
        let rows: [[UInt16]] = [3, 10, 17].map { (step: Int) -> [UInt16] in
            (0..<count).map { UInt16(($0 * step + step / 7) % 256) }
        }
        let alpha: [UInt8] = (0..<count).map { UInt8($0 % 256) }
        var fast = [UInt32](repeating: 0, count: count)
        var portable = fast
        light.withUnsafeBufferPointer { light in
            gain.withUnsafeBufferPointer { gain in
                output.withUnsafeBufferPointer { output in
                    var conversion = ccolor_conversion()
                    conversion.kind = kind
                    conversion.steps = 255
                    conversion.light = (light.baseAddress, light.baseAddress, light.baseAddress)
                    conversion.wide = (0.6, 0.3, 0.1, 0.1, 0.8, 0.1, 0, 0.1, 0.9)
                    conversion.matrix = (1.6, -0.5, -0.1, -0.1, 1.1, 0, 0, -0.1, 1.1)
                    conversion.gain = gain.baseAddress
                    conversion.system_gamma = gain.baseAddress
                    conversion.most_light = 2
                    conversion.output = output.baseAddress
                    ccolor_convert(&conversion, rows[0], rows[1], rows[2], alpha, &fast, count)
                    ccolor_convert_portable(
                        &conversion, rows[0], rows[1], rows[2], alpha, &portable, count)
                }
            }
        }
        #expect(fast == portable)
        #expect(Set(fast).count > 200)
    }

    /// Curves of a hostile profile have no bounds; each table is read inside whatever they give.
    @Test(arguments: [
        parametric(0, [-2]), parametric(4, [-1, 1, 0, 1, 0, 0, 0]),
        parametric(3, [200, 3, 0, 1, 0]), gamma(255),
    ])
    func `Light that is no number gives a color`(_ curve: [UInt8]) throws {
        let huge = [
            (name: "rXYZ", data: xyz(32767, -32768, 32767)),
            (name: "gXYZ", data: xyz(-32768, 32767, -32768)),
            (name: "bXYZ", data: xyz(32767, 32767, -32768)),
        ]
        let profile = try #require(ICCProfile(profile("RGB", huge + curves(curve))))
        let choice = ColorConversions.choose(ColorDescription(profile: profile), .still, .sRGB())
        let converter = try #require(choice.converter)
        // Seven pixels are converted by the portable code, more by the vectorized one.
        let source = (0..<64).map { UInt32($0 * 0x04_0404 | 0xFF00_0000) }
        let results = [7, 64].map { count in
            var target = source
            converter.convert(source, into: &target, count: count)
            return target.prefix(7)
        }
        #expect(results[0] == results[1])
        #expect(results[0].allSatisfy { $0 >> 24 == 255 })
    }

    /// Depth, half columns, half rows, full range.
    @Test(arguments: [
        (8, true, true, false), (8, false, false, true), (10, true, true, false),
        (10, true, false, true), (12, false, false, false), (16, true, true, true),
    ])
    func `Planes become the RGB of their matrix`(
        _ depth: Int, _ halfWidth: Bool, _ halfHeight: Bool, _ isFull: Bool
    ) throws {
        for matrix in [MatrixCoefficients.bt601, .bt709, .bt2020, .ycgco, .identity] {
            let colors: [SIMD3<Double>] = [
                [0.8, 0.4, 0.2], [0.1, 0.7, 0.6], [1, 1, 1], [0, 0, 0],
            ]
            for (color, blends) in colors.flatMap({ [($0, true), ($0, false)] }) {
                let got = try flat(color, depth, halfWidth, halfHeight, matrix, isFull, blends)
                let difference = (0..<3).map { abs(Double(got[$0]) - color[$0] * 255) }
                // One step of 8-bit samples is more than one of the result.
                #expect(
                    (difference.max() ?? 0) <= (depth == 8 ? 2.6 : 1), "\(matrix) \(color) \(got)")
            }
        }
    }

    /// A picture of one color of 5 by 3 pixels, through planes.
    private func flat(
        _ color: SIMD3<Double>, _ depth: Int, _ halfWidth: Bool, _ halfHeight: Bool,
        _ matrix: MatrixCoefficients, _ isFull: Bool, _ blends: Bool
    ) throws -> SIMD4<UInt8> {
        let samples: [UInt16] = yuv(color, matrix).enumerated().map { index, value in
            let unit = Double(1 << (depth - 8))
            let most = Double((1 << depth) - 1)
            let isChroma = index > 0 && matrix != .identity
            let range = isFull ? most : (isChroma ? 224 : 219) * unit
            let start = isChroma ? 128 * unit : isFull ? 0 : 16 * unit
            return UInt16(min(max((start + value * range).rounded(), 0), most))
        }
        let planes = samples.map { value in
            depth == 8
                ? [UInt8](repeating: UInt8(value), count: 32)
                : (0..<16).flatMap { _ in [UInt8(value & 255), UInt8(value >> 8)] }
        }
        let size = PixelSize(width: 5, height: 3)
        let stride = depth == 8 ? 5 : 10
        return try planes[0].withUnsafeBytes { y in
            try planes[1].withUnsafeBytes { u in
                try planes[2].withUnsafeBytes { v in
                    let planes = SamplePlanes(
                        size: size, depth: depth,
                        luma: .init(try #require(y.baseAddress), stride: stride),
                        chroma: (
                            .init(try #require(u.baseAddress), stride: stride),
                            .init(try #require(v.baseAddress), stride: stride)
                        ),
                        isHalfWidth: halfWidth, isHalfHeight: halfHeight,
                        color: ColorDescription(matrix: matrix, isFullRange: isFull))
                    let bitmap = try Bitmap(size: size, isOpaque: true) { rows in
                        if let start = rows.baseAddress {
                            planes.convert(
                                by: nil, blendsChroma: blends, into: start, stride: 20)
                        }
                    }
                    #expect(bitmap[0, 0] == bitmap[4, 2])
                    return bitmap[2, 1]
                }
            }
        }
    }

    private func yuv(_ c: SIMD3<Double>, _ matrix: MatrixCoefficients) -> [Double] {
        if matrix == .identity { return [c.y, c.z, c.x] }
        if matrix == .ycgco {
            return [
                c.y / 2 + (c.x + c.z) / 4, c.y / 2 - (c.x + c.z) / 4, (c.x - c.z) / 2,
            ]
        }
        guard let (kr, kb) = matrix.redAndBlue else { return [] }
        let y = kr * c.x + (1 - kr - kb) * c.y + kb * c.z
        return [y, (c.z - y) / (2 * (1 - kb)), (c.x - y) / (2 * (1 - kr))]
    }
}
