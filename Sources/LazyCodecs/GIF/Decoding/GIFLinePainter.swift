/// Turns color indices into pixels.
enum GIFLinePainter {
    /// Paints one line.
    static func paint(
        _ indices: UnsafePointer<UInt8>, count: Int, colors: UnsafePointer<UInt32>,
        onto pixels: UnsafeMutablePointer<UInt32>
    ) {
        for column in 0..<count { pixels[column] = colors[Int(indices[column])] }
    }

    /// Paints one line except where an index is `transparent`.
    ///
    /// The color of that index is 0; all others are opaque. Eight transparent pixels in a row are
    /// skipped at once. Otherwise there is no branch, as it could not be predicted; vectors,
    /// because the optimizer turns the same arithmetic on single pixels into a branch.
    static func paint(
        _ indices: UnsafePointer<UInt8>, count: Int, colors: UnsafePointer<UInt32>,
        transparent: UInt8, onto pixels: UnsafeMutablePointer<UInt32>
    ) {
        let nothing = UInt64(transparent) &* 0x0101_0101_0101_0101
        let bytes = UnsafeRawPointer(indices)
        var column = 0
        while column &+ 8 <= count {
            let eight = bytes.loadUnaligned(fromByteOffset: column, as: UInt64.self)
            if eight != nothing {
                blend(eight, colors, pixels + column)
                blend(eight &>> 32, colors, pixels + (column &+ 4))
            }
            column &+= 8
        }
        while column < count {
            let color = colors[Int(indices[column])]
            if color != 0 { pixels[column] = color }
            column &+= 1
        }
    }

    /// Paints the four pixels whose indices are the low bytes of a number.
    @inline(__always)
    private static func blend(
        _ indices: UInt64, _ colors: UnsafePointer<UInt32>, _ pixels: UnsafeMutablePointer<UInt32>
    ) {
        let raw = UnsafeMutableRawPointer(pixels)
        let four = SIMD4<UInt32>(
            colors[Int(indices & 0xFF)], colors[Int(indices &>> 8 & 0xFF)],
            colors[Int(indices &>> 16 & 0xFF)], colors[Int(indices &>> 24 & 0xFF)])
        let old = raw.loadUnaligned(as: SIMD4<UInt32>.self)
        raw.storeBytes(of: four.replacing(with: old, where: four .== 0), as: SIMD4<UInt32>.self)
    }
}
