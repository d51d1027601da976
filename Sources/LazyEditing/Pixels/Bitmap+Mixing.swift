internal import LazyMedia

extension Bitmap {
    /// This picture blended with another of the same size; `share` is the other's opacity in 1/256.
    ///
    /// Colors are weighted by alpha, so that transparent pixels do not bleed.
    func mixed(with other: Bitmap, share: Int) throws(MediaError) -> Bitmap {
        guard other.size == size else { return self }
        return try Bitmap(size: size, isOpaque: isOpaque && other.isOpaque) {
            (rows) throws(MediaError) in
            mix(with: other, share: share, into: rows)
        }
    }

    /// The same, blended on first access; it keeps both pictures until then.
    func mixedDeferred(with other: Bitmap, share: Int) throws(MediaError) -> Bitmap {
        guard other.size == size else { return self }
        return try Bitmap.deferred(
            size: size, isOpaque: isOpaque && other.isOpaque,
            writingRows: { mix(with: other, share: share, into: $0) })
    }

    private func mix(
        with other: Bitmap, share: Int, into rows: UnsafeMutableRawBufferPointer
    ) {
        let count = byteCount / 4
        let (a, b) = (UInt32(256 - share), UInt32(share))
        withBytes { first in
            other.withBytes { second in
                guard let to = rows.baseAddress, let from = first.baseAddress,
                    let over = second.baseAddress
                else { return }
                if isOpaque, other.isOpaque {
                    mixSamples(from, a, over, b, into: to, byteCount: count * 4)
                } else {
                    Self.mix(from, a, over, b, into: to, count: count)
                }
            }
        }
    }

    private static func mix(
        _ first: UnsafeRawPointer, _ a: UInt32, _ second: UnsafeRawPointer, _ b: UInt32,
        into output: UnsafeMutableRawPointer, count: Int
    ) {
        let first = first.assumingMemoryBound(to: UInt8.self)
        let second = second.assumingMemoryBound(to: UInt8.self)
        let output = output.assumingMemoryBound(to: UInt8.self)
        for pixel in 0..<count {
            let place = pixel * 4
            let weightA = UInt32(first[place + 3]) * a
            let weightB = UInt32(second[place + 3]) * b
            let weight = weightA + weightB
            for channel in 0..<3 {
                let sum =
                    UInt32(first[place + channel]) * weightA
                    + UInt32(second[place + channel]) * weightB
                output[place + channel] =
                    weight == 0 ? 0 : UInt8(truncatingIfNeeded: (sum + weight / 2) / weight)
            }
            output[place + 3] = UInt8(truncatingIfNeeded: (weight + 128) >> 8)
        }
    }
}

extension DeepBitmap {
    /// This picture blended with another of the same size, as those of 8 bits a sample are.
    func mixed(with other: DeepBitmap, share: Int) throws(MediaError) -> DeepBitmap {
        guard other.size == size else { return self }
        return try DeepBitmap(size: size, isOpaque: isOpaque && other.isOpaque) { output in
            let mixed = output.bindMemory(to: SIMD4<UInt16>.self)
            withBytes { first in
                other.withBytes { second in
                    let under = first.bindMemory(to: SIMD4<UInt16>.self)
                    let over = second.bindMemory(to: SIMD4<UInt16>.self)
                    for i in mixed.indices {
                        mixed[i] = Self.mix(under[i], over[i], share: UInt64(share))
                    }
                }
            }
        }
    }

    private static func mix(
        _ under: SIMD4<UInt16>, _ over: SIMD4<UInt16>, share: UInt64
    ) -> SIMD4<UInt16> {
        let (a, b) = ((256 - share) * UInt64(under[3]), share * UInt64(over[3]))
        guard a + b > 0 else { return .zero }
        var mixed = SIMD4<UInt16>.zero
        for i in 0..<3 {
            mixed[i] = UInt16((UInt64(under[i]) * a + UInt64(over[i]) * b + (a + b) / 2) / (a + b))
        }
        mixed[3] = UInt16((a + b + 128) / 256)
        return mixed
    }
}

extension PlanarPicture {
    /// This picture blended with another; nil if they differ in size, matrix or range.
    func mixed(with other: PlanarPicture, share: Int) throws(MediaError) -> PlanarPicture? {
        guard other.size == size, other.matrix == matrix, other.isFullRange == isFullRange else {
            return nil
        }
        let count = layout.byteCount
        return try PlanarPicture(size: size, matrix: matrix, isFullRange: isFullRange) { output in
            withBytes { first in
                other.withBytes { second in
                    guard let to = output.baseAddress, let from = first.baseAddress,
                        let over = second.baseAddress
                    else { return }
                    mixSamples(
                        from, UInt32(256 - share), over, UInt32(share), into: to,
                        byteCount: count)
                }
            }
        }
    }
}

/// Blends bytes without weighting by alpha.
private func mixSamples(
    _ first: UnsafeRawPointer, _ a: UInt32, _ second: UnsafeRawPointer, _ b: UInt32,
    into output: UnsafeMutableRawPointer, byteCount: Int
) {
    let first = first.assumingMemoryBound(to: UInt8.self)
    let second = second.assumingMemoryBound(to: UInt8.self)
    let output = output.assumingMemoryBound(to: UInt8.self)
    let (a, b) = (UInt16(a), UInt16(b))
    for place in 0..<byteCount {
        let sum = UInt16(first[place]) &* a &+ UInt16(second[place]) &* b
        output[place] = UInt8(truncatingIfNeeded: (sum &+ 127) >> 8)
    }
}
