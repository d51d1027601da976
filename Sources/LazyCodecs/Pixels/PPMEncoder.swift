package import LazyMedia

/// Portable pixmap `P6`: RGB over a color, without alpha.
package final class PPMEncoder: StillEncoding {
    private let background: PixelColor
    private var bytes: [UInt8] = []

    /// Makes an encoder; transparent pixels show the color.
    package init(background: PixelColor = .black) { self.background = background }

    /// Encodes a picture; 8 bits a sample.
    package func encode<Result>(
        _ picture: StillPicture, _ use: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        let bitmap = picture.bitmap
        let header = "P6\n\(bitmap.size.width) \(bitmap.size.height)\n255\n".utf8
        let count = header.count + bitmap.size.pixelCount * 3
        if bytes.count < count { bytes = [UInt8](repeating: 0, count: count) }
        bytes.withUnsafeMutableBytes { output in
            output.copyBytes(from: header)
            bitmap.withBytes { input in
                write(
                    input, to: UnsafeMutableRawBufferPointer(rebasing: output[header.count...]))
            }
        }
        return try bytes.withBytes { (bytes) throws(MediaError) in
            try use(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }

    private func write(_ rgba: UnsafeRawBufferPointer, to rgb: UnsafeMutableRawBufferPointer) {
        let behind = background.pixel
        var place = 0
        for pixel in stride(from: 0, to: rgba.count, by: 4) {
            let alpha = rgba[pixel + 3]
            for channel in 0..<3 {
                let value = rgba[pixel + channel]
                rgb[place + channel] =
                    alpha == 255 ? value : value.shown(alpha, over: behind[channel])
            }
            place += 3
        }
    }
}

extension UInt8 {
    // Rounds the value over another.
    fileprivate func shown(_ alpha: UInt8, over other: UInt8) -> UInt8 {
        let opacity = Int(alpha)
        let sum = Int(self) * opacity + Int(other) * (255 - opacity)
        return UInt8((sum + 127) / 255)
    }
}
