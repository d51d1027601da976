import LazyCodecs
import LazyMedia
import Support

/// Pictures for these tests, and what djpeg makes of them.
enum JPEGs {
    /// A photo-like picture: gradients, a circle and noise.
    static func picture(_ width: Int, _ height: Int, isOpaque: Bool = true) throws -> Bitmap {
        var random = SplitMix(5)
        let size = PixelSize(width: width, height: height)
        return try Bitmap(size: size, isOpaque: isOpaque) { bytes in
            let pixels = bytes.bindMemory(to: SIMD4<UInt8>.self)
            for y in 0..<height {
                for x in 0..<width {
                    let (dx, dy) = (x - width / 2, y - height / 2)
                    let isInside = dx * dx + dy * dy < width * height / 16
                    let noise = UInt8(random.next() % 8)
                    pixels[y * width + x] = SIMD4(
                        UInt8(x * 240 / width) + noise, UInt8(y * 240 / height) + noise,
                        isInside ? 200 : 30, isOpaque ? 255 : UInt8(x * 255 / width))
                }
            }
        }
    }

    static func jpeg(
        _ width: Int, _ height: Int, isProgressive: Bool = false, isFullColor: Bool = false
    ) throws -> [UInt8] {
        try JPEGEncoder(isProgressive: isProgressive, isFullColor: isFullColor)
            .encode(picture(width, height))
    }

    static func open(
        _ bytes: [UInt8], limits: DecodingLimits = .web
    ) throws -> any OpenedMedia {
        try JPEGDecoder().open(MemoryBytes(bytes), type: .jpeg, limits: limits)
    }

    static func read(
        _ bytes: [UInt8], size: PixelSize? = nil
    ) throws -> (bitmap: Bitmap, warnings: [MediaWarning]) {
        let reader = try open(bytes).makeReader(ReaderOptions(size: size))
        guard let frame = try reader.nextFrame() else { throw MediaError(.notFound, "No frame.") }
        return (frame.bitmap, reader.warnings)
    }

    /// The red, green and blue bytes of a bitmap, as PPM has them.
    static func rgb(_ bitmap: Bitmap) -> [UInt8] {
        bitmap.withBytes { bytes in
            bytes.indices.filter { $0 % 4 != 3 }.map { bytes[$0] }
        }
    }

    /// What djpeg decodes: size and bytes of RGB.
    static func peer(_ bytes: [UInt8], _ options: String = "") -> (size: String, rgb: [UInt8]) {
        let scratch = Scratch()
        let path = scratch.write(bytes, "a.jpg")
        let ppm = withExtendedLifetime(scratch) {
            Peer.output(of: "djpeg -rgb -pnm \(options) \(path) 2>/dev/null")
        }
        // P6, width and height, 255: three lines.
        let ends = ppm.prefix(40).indices.filter { ppm[$0] == 10 }.prefix(3)
        guard ends.count == 3 else { return ("", []) }
        return (
            String(decoding: ppm[(ends[0] + 1)..<ends[1]], as: UTF8.self),
            Array(ppm[(ends[2] + 1)...])
        )
    }
}
