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
        let pixels = row.assumingMemoryBound(to: SIMD4<UInt8>.self)
        columns.weights.withUnsafeBufferPointer { weights in
            columns.starts.withUnsafeBufferPointer { starts in
                for x in 0..<target.width {
                    var sum = SIMD4<Float>.zero
                    let tap = Int(starts[x].tap)
                    let pixel = pixels + Int(starts[x].position)
                    for step in 0..<(Int(starts[x + 1].tap) - tap) {
                        var value = Self.floats(pixel[step])
                        if !isOpaque {
                            let alpha = value.w
                            value *= alpha / 255
                            value.w = alpha
                        }
                        sum += value * weights[tap + step]
                    }
                    line[x] = sum
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
    private static func floats(_ pixel: SIMD4<UInt8>) -> SIMD4<Float> {
        SIMD4(Float(pixel.x), Float(pixel.y), Float(pixel.z), Float(pixel.w))
    }

    @inline(__always)
    private static func bytes(_ value: SIMD4<Float>) -> SIMD4<UInt8> {
        SIMD4(byte(value.x), byte(value.y), byte(value.z), byte(value.w))
    }

    @inline(__always)
    private static func byte(_ value: Float) -> UInt8 {
        UInt8(truncatingIfNeeded: Int32(min(max(value + 0.5, 0), 255)))
    }
}
