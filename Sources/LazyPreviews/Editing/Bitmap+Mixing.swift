internal import LazyMedia

extension Bitmap {
    /// This picture with a share of another of the same size over it, in 1/256.
    ///
    /// Colours count as much as they are opaque, so that transparent pixels do not bleed.
    func mixed(with other: Bitmap, share: Int) throws(MediaError) -> Bitmap {
        guard other.size == size else { return self }
        let count = byteCount / 4
        let (a, b) = (UInt32(256 - share), UInt32(share))
        let isOpaque = isOpaque && other.isOpaque
        return try Bitmap(size: size, isOpaque: isOpaque) { (rows) throws(MediaError) in
            withBytes { first in
                other.withBytes { second in
                    guard let to = rows.baseAddress, let from = first.baseAddress,
                        let over = second.baseAddress
                    else { return }
                    if isOpaque {
                        Self.mixOpaque(from, a, over, b, into: to, byteCount: count * 4)
                    } else {
                        Self.mix(from, a, over, b, into: to, count: count)
                    }
                }
            }
        }
    }

    private static func mixOpaque(
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
