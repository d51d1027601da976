extension Bitmap {
    /// The picture with each pixel replaced by a function of it: red, green, blue, alpha in and out.
    ///
    /// For custom filters; some nanoseconds per pixel. Throws `.environment` when there is no memory.
    public func mapPixels(
        isOpaque: Bool? = nil, _ change: (SIMD4<UInt8>) -> SIMD4<UInt8>
    ) throws(MediaError) -> Bitmap {
        try Bitmap(size: size, isOpaque: isOpaque ?? self.isOpaque) { output in
            withBytes { input in
                for offset in Swift.stride(from: 0, to: input.count, by: 4) {
                    let pixel = input.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self)
                    output.storeBytes(
                        of: change(pixel), toByteOffset: offset, as: SIMD4<UInt8>.self)
                }
            }
        }
    }
}

extension Bitmap {
    /// Whether every pixel has alpha 255; reads the pixels where that is not known.
    package var isOpaqueThroughout: Bool {
        isOpaque
            || withBytes { bytes in
                bytes.withMemoryRebound(to: UInt32.self) { pixels in
                    var all = UInt32.max
                    for pixel in pixels { all &= pixel }
                    // Alpha is the highest byte (x86-64, ARM).
                    return all >> 24 == 255
                }
            }
    }

    /// The same pixels, of which any may be transparent.
    package var notOpaque: Bitmap { Bitmap(size: size, isOpaque: false, storage: storage) }
}
