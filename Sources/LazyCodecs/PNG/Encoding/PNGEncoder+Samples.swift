internal import CKernels
package import LazyMedia

extension PNGEncoder {
    /// Encodes a picture of 16 bits a sample and lends the whole file, as `encode` does one of 8.
    ///
    /// The file has 16 bits a sample, exactly those of the picture: RGB or RGBA, or gray with a profile for
    /// gray. `color` is what the samples mean. 10 to 30 ns per pixel.
    /// Throws what the closure throws, and `.environment` when there is no memory.
    package func encode<Result>(
        deep bitmap: DeepBitmap, color: ColorDescription, text: Texts = [],
        _ use: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try bitmap.withBytes { (bytes) throws(MediaError) in
            let pixels = bytes.bindMemory(to: SIMD4<UInt16>.self)
            let isGray = color.isGray && bytes.isDeepGray
            let isOpaque = bitmap.isOpaque || pixels.allSatisfy { $0.w == 65535 }
            try begin(bitmap.size, depth: 16, isGray: isGray, isOpaque: isOpaque, color, text)
            guard let start = bytes.bindMemory(to: UInt16.self).baseAddress else { return }
            let (width, channels) = (bitmap.size.width, (isGray ? 1 : 3) + (isOpaque ? 0 : 1))
            try writer.write(
                samples: width * channels * 2, step: channels * 2, rows: bitmap.size.height,
                to: &file
            ) { rows, out in
                cscanline_take_deep_samples(
                    start + rows.lowerBound * width * 4, rows.count * width, CInt(channels), out)
            }
        }
        try file.end()
        return try file.bytes.withBytes(use)
    }

    /// Writes a picture of gray as such, for a profile for gray; false where a pixel is not gray.
    func writeGray(
        _ bitmap: Bitmap, _ color: ColorDescription, _ text: Texts
    ) throws(MediaError) -> Bool {
        try bitmap.withBytes { (bytes) throws(MediaError) in
            guard bytes.isGray else { return false }
            let isOpaque = bitmap.isOpaqueThroughout
            try begin(bitmap.size, depth: 8, isGray: true, isOpaque: isOpaque, color, text)
            guard let start = bytes.bindMemory(to: UInt32.self).baseAddress else { return false }
            let (width, channels) = (bitmap.size.width, isOpaque ? 1 : 2)
            try writer.write(
                samples: width * channels, step: channels, rows: bitmap.size.height, to: &file
            ) { rows, out in
                cscanline_take_gray_samples(
                    start + rows.lowerBound * width, rows.count * width, CInt(channels), out)
            }
            try file.end()
            return true
        }
    }

    private func begin(
        _ size: PixelSize, depth: UInt8, isGray: Bool, isOpaque: Bool, _ color: ColorDescription,
        _ text: Texts
    ) throws(MediaError) {
        let kind: PNGFileBytes.Color =
            isGray ? (isOpaque ? .gray : .grayAlpha) : isOpaque ? .rgb : .rgba
        try file.begin(size: size, depth: depth, color: kind, meaning: color)
        try file.append(text)
    }
}

extension ColorDescription {
    /// Whether its profile is one for gray, which PNG allows for gray samples only.
    var isGray: Bool { profile?.isGray == true }
}
