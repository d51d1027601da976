extension PlanarPicture {
    /// The same picture in another matrix and range; itself where they are its own.
    ///
    /// In fixed point, without conversion to RGB: each sample is a weighted sum of the three. Neighboring
    /// columns and rows share their chroma sample. About a nanosecond per pixel. Values outside of RGB
    /// are not clipped.
    public func converted(
        to matrix: Matrix, isFullRange: Bool = false
    ) throws(MediaError) -> PlanarPicture {
        guard matrix != self.matrix || isFullRange != self.isFullRange else { return self }
        let weights = YUVConversion(
            from: self.matrix, isFullRange: self.isFullRange, to: matrix, isFullRange: isFullRange)
        return try PlanarPicture(size: size, matrix: matrix, isFullRange: isFullRange) { output in
            withBytes { input in
                guard let from = input.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    let to = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                else { return }
                weights.convert(from, into: to, size, layout)
            }
        }
    }
}

/// The weights between two kinds of YUV, in 1/16384.
private struct YUVConversion {
    private let black: Int32
    private let luma: Int32
    private let lumaStart: Int32
    private let lumaOfU: Int32
    private let lumaOfV: Int32
    private let uOfU: Int32
    private let uOfV: Int32
    private let vOfU: Int32
    private let vOfV: Int32

    init(
        from old: PlanarPicture.Matrix, isFullRange wasFull: Bool, to new: PlanarPicture.Matrix,
        isFullRange isFull: Bool
    ) {
        let (kr, kb) = old.redAndBlue
        let (newKr, newKb) = new.redAndBlue
        let kg = 1 - kr - kb
        // Red, green and blue of Cb = 1 and of Cr = 1 alone; the luma of both is 0.
        let ofU = (0.0, -2 * kb * (1 - kb) / kg, 2 * (1 - kb))
        let ofV = (2 * (1 - kr), -2 * kr * (1 - kr) / kg, 0.0)
        func weights(_ rgb: (Double, Double, Double)) -> (y: Double, u: Double, v: Double) {
            let y = newKr * rgb.0 + (1 - newKr - newKb) * rgb.1 + newKb * rgb.2
            return (y, (rgb.2 - y) / (2 * (1 - newKb)), (rgb.0 - y) / (2 * (1 - newKr)))
        }
        let (u, v) = (weights(ofU), weights(ofV))
        let oldChroma = wasFull ? 255.0 : 224
        let chroma = (isFull ? 255.0 : 224) / oldChroma
        let height = isFull ? 255.0 : 219
        func fixed(_ value: Double) -> Int32 { Int32((value * 16384).rounded()) }
        black = wasFull ? 0 : 16
        luma = fixed(height / (wasFull ? 255 : 219))
        lumaStart = (isFull ? 0 : 16 << 14) + 8192
        lumaOfU = fixed(u.y * height / oldChroma)
        lumaOfV = fixed(v.y * height / oldChroma)
        uOfU = fixed(u.u * chroma)
        uOfV = fixed(v.u * chroma)
        vOfU = fixed(u.v * chroma)
        vOfV = fixed(v.v * chroma)
    }

    func convert(
        _ from: UnsafePointer<UInt8>, into to: UnsafeMutablePointer<UInt8>, _ size: PixelSize,
        _ layout: PlanarPicture.Layout
    ) {
        let (width, chroma) = (size.width, layout.chromaWidth)
        let middle: Int32 = (128 << 14) + 8192
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: chroma) { shifts in
            guard let shift = shifts.baseAddress else { return }
            for row in 0..<layout.chromaHeight {
                let (u, v) = (layout.u + row * chroma, layout.v + row * chroma)
                for x in 0..<chroma {
                    let cu = Int32(from[u + x]) &- 128
                    let cv = Int32(from[v + x]) &- 128
                    shift[x] = lumaOfU &* cu &+ lumaOfV &* cv &+ lumaStart
                    to[u + x] = Self.byte(uOfU &* cu &+ uOfV &* cv &+ middle)
                    to[v + x] = Self.byte(vOfU &* cu &+ vOfV &* cv &+ middle)
                }
                for y in row * 2..<min(row * 2 + 2, size.height) {
                    convertRow(from + y * width, shift, into: to + y * width, width)
                }
            }
        }
    }

    private func convertRow(
        _ from: UnsafePointer<UInt8>, _ shift: UnsafePointer<Int32>,
        into to: UnsafeMutablePointer<UInt8>, _ width: Int
    ) {
        for x in 0..<width / 2 {
            let (left, right) = (Int32(from[2 * x]) &- black, Int32(from[2 * x + 1]) &- black)
            to[2 * x] = Self.byte(left &* luma &+ shift[x])
            to[2 * x + 1] = Self.byte(right &* luma &+ shift[x])
        }
        guard width % 2 == 1 else { return }
        to[width - 1] = Self.byte((Int32(from[width - 1]) &- black) &* luma &+ shift[width / 2])
    }

    @inline(__always)
    private static func byte(_ value: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: min(max(value >> 14, 0), 255))
    }
}
