internal import LazyMedia

extension Bitmap {
    /// Converts to WebP's lossy format: BT.601, limited range; alpha is ignored.
    ///
    /// Chroma is the mean of four pixels, of two or one at an odd edge.
    func planes() throws(MediaError) -> PlanarPicture {
        try PlanarPicture(size: size, matrix: .bt601) { output in
            withBytes { input in
                guard let from = input.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    let to = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                else { return }
                let layout = PlanarPicture.Layout(size)
                for y in 0..<size.height {
                    Self.luma(from + y * stride, into: to + y * size.width, size.width)
                }
                for y in 0..<layout.chromaHeight {
                    let top = from + 2 * y * stride
                    let bottom = 2 * y + 1 < size.height ? top + stride : top
                    let offset = y * layout.chromaWidth
                    Self.chroma(
                        top, bottom, to + layout.u + offset, to + layout.v + offset, size.width)
                }
            }
        }
    }

    // The weights of ITU-R BT.601 for 16 to 235 and 16 to 240, in 1/65536.

    private static func luma(
        _ row: UnsafePointer<UInt8>, into line: UnsafeMutablePointer<UInt8>, _ width: Int
    ) {
        for x in 0..<width {
            let pixel = row + 4 * x
            let sum =
                16839 &* Int32(pixel[0]) &+ 33059 &* Int32(pixel[1]) &+ 6420 &* Int32(pixel[2])
            line[x] = UInt8(truncatingIfNeeded: (sum &+ ((16 << 16) + 32768)) >> 16)
        }
    }

    private static func chroma(
        _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>,
        _ u: UnsafeMutablePointer<UInt8>, _ v: UnsafeMutablePointer<UInt8>, _ width: Int
    ) {
        for x in 0..<(width + 1) / 2 {
            let left = 8 * x
            let right = 2 * x + 1 < width ? left + 4 : left
            func sum(_ channel: Int) -> Int32 {
                Int32(top[left + channel]) &+ Int32(top[right + channel])
                    &+ Int32(bottom[left + channel]) &+ Int32(bottom[right + channel])
            }
            let (red, green, blue) = (sum(0), sum(1), sum(2))
            let middle: Int32 = (128 << 18) + (1 << 17)
            u[x] = byte(-9719 &* red &- 19081 &* green &+ 28800 &* blue &+ middle)
            v[x] = byte(28800 &* red &- 24116 &* green &- 4684 &* blue &+ middle)
        }
    }

    @inline(__always)
    private static func byte(_ value: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: min(max(value >> 18, 0), 255))
    }
}
