import CKernels
import Testing

private let kernels = [CSCANLINE_SSSE3, CSCANLINE_AVX2].map(\.rawValue).filter {
    $0 <= cscanline_best_kernel().rawValue
}

@Suite struct `Scanline kernels` {
    @Test(arguments: kernels, [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 100, 257])
    func `each path gives the bytes of the portable one`(_ kernel: UInt32, _ width: Int) {
        let height = 5
        let pixels = (0..<width * height).flatMap { index -> [UInt8] in
            let pixel = PNGForge.noise(index % width, index / width)
            return [pixel.x, pixel.y, pixel.z, pixel.w]
        }
        func filtered(_ kernel: cscanline_kernel) -> [UInt8] {
            let count = height * (1 + width * 3)
            var out = [UInt8](repeating: 0xAA, count: count + Int(CSCANLINE_SLACK))
            pixels.withUnsafeBufferPointer { pixels in
                guard let start = pixels.baseAddress else { return }
                let rows = cscanline_rows(
                    rgba: start, width: width, stride: width * 4, first_row: 0, row_count: height)
                cscanline_filter_rgb(rows, kernel, &out)
            }
            return Array(out[..<count])
        }
        #expect(filtered(cscanline_kernel(kernel)) == filtered(CSCANLINE_PORTABLE))
    }

    @Test func `the checksum is that of the specification`() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        #expect(cscanline_crc(bytes, bytes.count) == PNGForge.crc(bytes))
    }
}
