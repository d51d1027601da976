import LazyMedia
import Support
import Testing

/// Planes as RGBA16, compared with the same in floating point.
@Suite struct DeepConversionTests {
    private static let size = PixelSize(width: 7, height: 5)

    /// Bits, half columns, half rows, full range, blended chroma.
    @Test(arguments: [
        (8, false, false, false, true), (10, false, false, true, true),
        (10, true, true, false, true), (10, true, true, false, false),
        (12, true, false, true, true), (16, false, false, false, true),
        (16, true, true, true, true),
    ])
    func `Each sample is the nearest of 16 bits`(
        _ depth: Int, _ halfWidth: Bool, _ halfHeight: Bool, _ isFull: Bool, _ blends: Bool
    ) throws {
        for matrix in [MatrixCoefficients.bt601, .bt709, .bt2020, .ycgco, .identity] {
            if matrix == .identity, halfWidth || halfHeight { continue }
            let source = Source(depth, halfWidth, halfHeight, seed: UInt64(matrix.rawValue))
            let color = ColorDescription(matrix: matrix, isFullRange: isFull)
            let bitmap = try source.deep(color, blends: blends)
            for y in 0..<Self.size.height {
                for x in 0..<Self.size.width {
                    let wanted = source.expected(x, y, matrix, isFull, blends)
                    let got = bitmap[x, y]
                    for channel in 0..<3 {
                        let value = min(max(wanted[channel] * 65535, 0), 65535)
                        #expect(abs(Double(got[channel]) - value) < 0.51, "\(matrix) \(x) \(y)")
                    }
                    #expect(
                        got.w
                            == UInt16(
                                (Double(source.planes[3][y * 7 + x])
                                    * 65535 / source.most).rounded()))
                }
            }
        }
    }

    @Test func `Gray is equal red, green and blue, and without alpha opaque`() throws {
        let source = Source(12, false, false, seed: 3)
        let color = ColorDescription(matrix: .bt709, isFullRange: false)
        let bitmap = try source.deep(color, blends: true, isGray: true)
        let luma = Double(source.planes[0][9])
        let gray = UInt16(min(max(((luma - 256) / 3504 * 65535).rounded(), 0), 65535))
        #expect(bitmap[2, 1] == SIMD4(gray, gray, gray, 65535))
    }

    /// Random planes, and what they are in floating point.
    private struct Source {
        let depth: Int
        let halfWidth: Bool
        let halfHeight: Bool
        /// Y, U, V and alpha; rows of 7 samples.
        private(set) var planes: [[UInt16]] = []

        init(_ depth: Int, _ halfWidth: Bool, _ halfHeight: Bool, seed: UInt64) {
            self.depth = depth
            self.halfWidth = halfWidth
            self.halfHeight = halfHeight
            var random = SplitMix(seed)
            planes = (0..<4).map { _ in
                (0..<35).map { _ in UInt16(random.next() & UInt64((1 << depth) - 1)) }
            }
        }

        var most: Double { Double((1 << depth) - 1) }

        func deep(
            _ color: ColorDescription, blends: Bool, isGray: Bool = false
        ) throws -> DeepBitmap {
            let bytes = planes.map { plane in
                plane.flatMap { depth == 8 ? [UInt8($0)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
            }
            let stride = depth == 8 ? 7 : 14
            return try withPointers(bytes) { pointers in
                let parts = pointers.map { SamplePlanes.Plane($0, stride: stride) }
                let planes = SamplePlanes(
                    size: DeepConversionTests.size, depth: depth, luma: parts[0],
                    chroma: isGray ? nil : (parts[1], parts[2]), alpha: isGray ? nil : parts[3],
                    isHalfWidth: halfWidth, isHalfHeight: halfHeight, color: color)
                return try DeepBitmap(size: DeepConversionTests.size, isOpaque: false) { rows in
                    guard let start = rows.baseAddress else { return }
                    planes.writeDeep(blendsChroma: blends, into: start, stride: 56)
                }
            }
        }

        private func withPointers<Result>(
            _ arrays: [[UInt8]], _ body: ([UnsafeRawPointer]) throws -> Result
        ) throws -> Result {
            let copies = arrays.map { array in
                let copy = UnsafeMutableRawBufferPointer.allocate(
                    byteCount: array.count, alignment: 16)
                copy.copyBytes(from: array)
                return copy
            }
            defer { for copy in copies { copy.deallocate() } }
            return try body(try copies.map { UnsafeRawPointer(try #require($0.baseAddress)) })
        }

        /// Red, green and blue from 0 to 1, not clipped.
        func expected(
            _ x: Int, _ y: Int, _ matrix: MatrixCoefficients, _ isFull: Bool, _ blends: Bool
        ) -> SIMD3<Double> {
            let unit = Double(1 << (depth - 8))
            let range = (luma: isFull ? most : 219 * unit, chroma: isFull ? most : 224 * unit)
            func level(_ sample: Double) -> Double {
                (sample - (isFull ? 0 : 16 * unit)) / range.luma
            }
            let luma = level(Double(planes[0][y * 7 + x]))
            if matrix == .identity {
                let (blue, red) = (Double(planes[1][y * 7 + x]), Double(planes[2][y * 7 + x]))
                return [level(red), luma, level(blue)]
            }
            let u = (chroma(planes[1], x, y, blends) - 128 * unit) / range.chroma
            let v = (chroma(planes[2], x, y, blends) - 128 * unit) / range.chroma
            if matrix == .ycgco { return [luma - u + v, luma + u, luma - u - v] }
            let (kr, kb) = matrix.redAndBlue ?? (0, 0)
            let red = luma + 2 * (1 - kr) * v
            let blue = luma + 2 * (1 - kb) * u
            return [red, (luma - kr * red - kb * blue) / (1 - kr - kb), blue]
        }

        /// A chroma sample at a pixel, sited at the left between two rows.
        private func chroma(_ plane: [UInt16], _ x: Int, _ y: Int, _ blends: Bool) -> Double {
            func column(_ row: Int) -> Double {
                guard halfWidth else { return Double(plane[row * 7 + x]) }
                let here = Double(plane[row * 7 + x / 2])
                guard blends, x % 2 == 1, x / 2 + 1 < 4 else { return here }
                return (here + Double(plane[row * 7 + x / 2 + 1])) / 2
            }
            guard halfHeight else { return column(y) }
            guard blends else { return column(y / 2) }
            let other = min(max(y % 2 == 0 ? y / 2 - 1 : y / 2 + 1, 0), 2)
            return (3 * column(y / 2) + column(other)) / 4
        }
    }
}
