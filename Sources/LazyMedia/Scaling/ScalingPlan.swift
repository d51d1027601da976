internal import CKernels

/// The taps between two sizes, and what is done to single rows.
struct ScalingPlan: Sendable {
    let source: PixelSize
    let target: PixelSize
    let columns: ScalingTaps
    let rows: ScalingTaps

    init(from source: PixelSize, to target: PixelSize) {
        self.source = source
        self.target = target
        columns = ScalingTaps(from: source.width, to: target.width)
        rows = ScalingTaps(from: source.height, to: target.height)
    }

    /// Whether rows of the input are needed once, in order.
    var goesRowByRow: Bool { target.height <= source.height }

    /// Scales one row in its width, with colors multiplied by alpha.
    func scaleRow(
        _ row: UnsafeRawPointer, isOpaque: Bool, into line: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        let pixels = row.assumingMemoryBound(to: UInt8.self)
        columns.weights.withUnsafeBufferPointer { weights in
            columns.starts.withUnsafeBufferPointer { starts in
                guard let weights = weights.baseAddress, let starts = starts.baseAddress else {
                    return
                }
                line.withMemoryRebound(to: Float.self, capacity: target.width * 4) { sums in
                    cscaling_scale_row(
                        pixels, starts, weights, target.width, isOpaque ? 1 : 0, sums)
                }
            }
        }
    }

    /// Writes one row of the output.
    func store(
        _ line: UnsafePointer<SIMD4<Float>>, isOpaque: Bool, into row: UnsafeMutableRawPointer
    ) {
        let pixels = row.assumingMemoryBound(to: SIMD4<UInt8>.self)
        for x in 0..<target.width {
            var value = line[x]
            if !isOpaque {
                let alpha = value.w
                guard alpha >= 0.5 else {
                    pixels[x] = .zero
                    continue
                }
                value *= 255 / alpha
                value.w = alpha
            }
            pixels[x] = Self.bytes(value)
        }
    }

    // Lane by lane: the generic conversions of SIMD types are calls, not instructions.
    @inline(__always)
    private static func bytes(_ value: SIMD4<Float>) -> SIMD4<UInt8> {
        SIMD4(byte(value.x), byte(value.y), byte(value.z), byte(value.w))
    }

    @inline(__always)
    private static func byte(_ value: Float) -> UInt8 {
        UInt8(truncatingIfNeeded: Int32(min(max(value + 0.5, 0), 255)))
    }
}
