internal import CJPEG
package import LazyMedia

/// Writes single pictures as JPEG with libjpeg-turbo, flattened over a background.
package struct JPEGEncoder: StillEncoding {
    /// The quality, 1 to 100.
    package let quality: Int
    /// Whether the picture is written in progressive scans.
    package let isProgressive: Bool
    /// Whether it is written in one scan, too, and the smaller file stays.
    package let triesBoth: Bool
    /// Whether colors keep their full resolution (4:4:4) instead of a quarter of it (4:2:0).
    package let isFullColor: Bool
    /// The background of transparent pixels.
    package let background: PixelColor

    /// Makes an encoder; the quality is clamped to 1 to 100.
    package init(
        quality: Int = Int(DefaultQuality.jpeg), isProgressive: Bool = false,
        triesBoth: Bool = false, isFullColor: Bool = false,
        background: PixelColor = .white
    ) {
        self.quality = min(max(1, quality), 100)
        self.isProgressive = isProgressive
        self.triesBoth = triesBoth
        self.isFullColor = isFullColor
        self.background = background
    }

    /// Encodes a picture of 8 bits a sample, with a profile where they are not sRGB.
    package func encode<Result>(
        _ picture: StillPicture, _ use: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        let profile = try picture.color.writtenProfile(in: .jpeg)
        var file = try encode(picture.bitmap)
        if let profile { file = try JPEGProfile.adding(profile, to: file) }
        return try file.withBytes(use)
    }

    /// Encodes a picture as a JPEG file; blocks.
    package func encode(_ bitmap: Bitmap) throws(MediaError) -> [UInt8] {
        guard max(bitmap.size.width, bitmap.size.height) <= 65_500 else {
            throw MediaError(
                .notWritable, "A JPEG has no room for a picture of \(bitmap.size).")
        }
        let opaque = bitmap.isOpaque ? bitmap : try bitmap.flattened(over: background)
        let file = try encode(opaque: opaque, isProgressive)
        guard triesBoth else { return file }
        let other = try encode(opaque: opaque, !isProgressive)
        return other.count < file.count ? other : file
    }

    private func encode(
        opaque: Bitmap, _ isProgressive: Bool
    ) throws(MediaError) -> [UInt8] {
        let output = Output()
        var words = [CChar](repeating: 0, count: Int(CJPEG_MESSAGE_SIZE))
        let status = withExtendedLifetime(output) {
            opaque.withBytes { bytes -> cjpeg_status in
                guard let rgba = bytes.bindMemory(to: UInt8.self).baseAddress else {
                    return CJPEG_MALFORMED
                }
                var picture = cjpeg_picture(
                    rgba: rgba, width: UInt32(opaque.size.width),
                    height: UInt32(opaque.size.height), quality: CInt(quality),
                    is_progressive: isProgressive ? 1 : 0, is_full_color: isFullColor ? 1 : 0,
                    context: Unmanaged.passUnretained(output).toOpaque(),
                    write: { context, bytes, count in
                        Unmanaged<Output>.fromOpaque(context).takeUnretainedValue().bytes +=
                            UnsafeBufferPointer(start: bytes, count: count)
                    },
                    should_stop: { _ in Task.isCancelled ? 1 : 0 })
                return cjpeg_encode(&picture, &words)
            }
        }
        switch status {
        case CJPEG_DONE: return output.bytes
        case CJPEG_STOPPED: throw .cancelled
        default:
            throw MediaError(
                .environment, "The JPEG cannot be written: \(String(cJPEG: words)).")
        }
    }

    private final class Output {
        var bytes: [UInt8] = []
    }
}

extension Bitmap {
    /// The picture blended over a color, whose own alpha is ignored.
    fileprivate func flattened(over paper: PixelColor) throws(MediaError) -> Bitmap {
        let paper = [UInt32(paper.red), UInt32(paper.green), UInt32(paper.blue)]
        return try Bitmap(size: size, isOpaque: true) { output in
            withBytes { input in
                for start in Swift.stride(from: 0, to: input.count, by: 4) {
                    let alpha = UInt32(input[start + 3])
                    for channel in 0..<3 {
                        let sum =
                            UInt32(input[start + channel]) * alpha + paper[channel] * (255 - alpha)
                        output[start + channel] = UInt8(truncatingIfNeeded: (sum + 127) / 255)
                    }
                    output[start + 3] = 255
                }
            }
        }
    }
}
