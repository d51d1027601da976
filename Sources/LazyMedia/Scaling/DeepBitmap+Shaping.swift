extension DeepBitmap {
    /// A part of the picture; the rectangle must lie inside it.
    package func cropped(to part: PixelRect) throws(MediaError) -> DeepBitmap {
        precondition(part.clipped(to: size) == part, "outside the picture")
        let target = PixelSize(width: part.width, height: part.height)
        guard target != size else { return self }
        return try DeepBitmap(size: target, isOpaque: isOpaque) { output in
            withBytes { input in
                for y in 0..<part.height {
                    let from = (part.y + y) * stride + part.x * 8
                    output[(y * part.width * 8)...].copyBytes(
                        from: input[from...].prefix(part.width * 8))
                }
            }
        }
    }

    /// The picture rotated upright; itself where it is.
    package func turned(_ orientation: Orientation) throws(MediaError) -> DeepBitmap {
        guard orientation != .upright else { return self }
        return try DeepBitmap(size: orientation.turned(size), isOpaque: isOpaque) { upright in
            withBytes { rows in
                guard let start = rows.baseAddress else { return }
                orientation.copy(deep: start, stride: stride, size: size, into: upright)
            }
        }
    }

    /// The picture at another size, by the weights of `BitmapScaler`; itself at its own size.
    package func scaled(to target: PixelSize) throws(MediaError) -> DeepBitmap {
        guard target != size else { return self }
        return try DeepBitmap(size: target, isOpaque: isOpaque) { output in
            withBytes { input in
                DeepScaling(from: size, to: target, isOpaque: isOpaque).scale(input, into: output)
            }
        }
    }

    /// The picture in the middle of a transparent one, made smaller where it does not fit.
    package func placed(on canvas: PixelSize) throws(MediaError) -> DeepBitmap {
        guard size != canvas else { return self }
        let fitting = TargetSize(width: canvas.width, height: canvas.height, fit: .scaleDown)
        let picture = try scaled(to: fitting.scaledSize(of: size))
        let (width, height) = (picture.size.width, picture.size.height)
        let start = (canvas.height - height) / 2 * canvas.width + (canvas.width - width) / 2
        return try DeepBitmap(size: canvas, isOpaque: false) { rows in
            rows.initializeMemory(as: UInt8.self, repeating: 0)
            picture.withBytes { bytes in
                for y in 0..<height {
                    rows[((start + y * canvas.width) * 8)...].copyBytes(
                        from: bytes[(y * width * 8)...].prefix(width * 8))
                }
            }
        }
    }
}

/// Scales rows of RGBA16 as `BitmapScaler` scales those of RGBA8: the same weights, the same sums.
private struct DeepScaling {
    private let columns: ScalingTaps
    private let rows: ScalingTaps
    private let source: PixelSize
    private let target: PixelSize
    private let isOpaque: Bool

    init(from source: PixelSize, to target: PixelSize, isOpaque: Bool) {
        self.source = source
        self.target = target
        self.isOpaque = isOpaque
        columns = ScalingTaps(from: source.width, to: target.width)
        rows = ScalingTaps(from: source.height, to: target.height)
    }

    func scale(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) {
        let from = input.bindMemory(to: SIMD4<UInt16>.self)
        let to = output.bindMemory(to: SIMD4<UInt16>.self)
        var sum = [SIMD4<Float>](repeating: .zero, count: target.width)
        var kept = (line: sum, row: -1)
        for y in 0..<target.height {
            for x in sum.indices { sum[x] = .zero }
            for tap in rows.range(y) {
                let row = rows.first(y, tap)
                if kept.row != row {
                    scaleRow(from, row, into: &kept.line)
                    kept.row = row
                }
                for x in sum.indices { sum[x] += kept.line[x] * rows.weights[tap] }
            }
            for x in sum.indices { to[y * target.width + x] = stored(sum[x]) }
        }
    }

    private func scaleRow(
        _ pixels: UnsafeBufferPointer<SIMD4<UInt16>>, _ row: Int, into line: inout [SIMD4<Float>]
    ) {
        for x in line.indices {
            var sum = SIMD4<Float>.zero
            for tap in columns.range(x) {
                let pixel = pixels[row * source.width + columns.first(x, tap)]
                var value = SIMD4<Float>(
                    Float(pixel.x), Float(pixel.y), Float(pixel.z), Float(pixel.w))
                if !isOpaque {
                    let alpha = value.w
                    value *= alpha / 65535
                    value.w = alpha
                }
                sum += value * columns.weights[tap]
            }
            line[x] = sum
        }
    }

    private func stored(_ sum: SIMD4<Float>) -> SIMD4<UInt16> {
        var value = sum
        if !isOpaque {
            let alpha = value.w
            guard alpha >= 0.5 else { return .zero }
            value *= 65535 / alpha
            value.w = alpha
        }
        func sample(_ value: Float) -> UInt16 { UInt16(min(max(value.rounded(), 0), 65535)) }
        return SIMD4(sample(value.x), sample(value.y), sample(value.z), sample(value.w))
    }
}
