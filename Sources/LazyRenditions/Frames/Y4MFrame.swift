internal import LazyBase
internal import LazyMedia

/// Frames of YUV4MPEG2, a stream that encoders and players read from pipes.
///
/// Planes of Y, Cb and Cr with 8 bits, limited range and no subsampling (`C444`). The format has no word for the matrix:
/// readers take BT.709 for large pictures and BT.601 for others, and so does this. Transparent pixels are laid on a color.
struct Y4MFrame {
    private let size: PixelSize
    private let background: PixelColor
    private let weights: Weights

    /// Y = (r·R + g·G + b·B) / 2^16 + 16, and so on; rows of the matrix in units of 2^-16, for full-range RGB.
    private struct Weights {
        let luma: (Int32, Int32, Int32)
        let blue: (Int32, Int32, Int32)
        let red: (Int32, Int32, Int32)

        init(red kr: Double, blue kb: Double) {
            let kg = 1 - kr - kb
            let (y, c) = (219.0 / 255 * 65536, 224.0 / 255 * 65536)
            func fixed(_ value: Double) -> Int32 { Int32(value.rounded()) }
            luma = (fixed(kr * y), fixed(kg * y), fixed(kb * y))
            let (cb, cr) = (c / (2 * (1 - kb)), c / (2 * (1 - kr)))
            blue = (fixed(-kr * cb), fixed(-kg * cb), fixed((1 - kb) * cb))
            red = (fixed((1 - kr) * cr), fixed(-kg * cr), fixed(-kb * cr))
        }
    }

    init(_ size: PixelSize, background: PixelColor?) {
        self.size = size
        self.background = background ?? .white
        let isHD = size.width >= 1280 || size.height > 576
        weights = isHD ? Weights(red: 0.2126, blue: 0.0722) : Weights(red: 0.299, blue: 0.114)
    }

    /// The line before the first frame; `rate` in frames a second.
    func header(_ rate: Rational) -> String {
        "YUV4MPEG2 W\(size.width) H\(size.height) F\(rate.numerator):\(rate.denominator) Ip A1:1 C444\n"
    }

    /// A frame; throws for one of another size, which the stream cannot have.
    func bytes(_ bitmap: Bitmap) throws(MediaError) -> [UInt8] {
        guard bitmap.size == size else {
            throw MediaError(
                .notWritable,
                "The frames have several sizes, and Y4M has one: name one with --size.")
        }
        let mark = Array("FRAME\n".utf8)
        let count = size.pixelCount
        let planes = [UInt8](unsafeUninitializedCapacity: mark.count + 3 * count) { memory, used in
            for (place, byte) in mark.enumerated() { memory[place] = byte }
            var place = mark.count
            bitmap.withBytes { bytes in
                for y in 0..<size.height {
                    let row = y * bitmap.stride
                    for x in 0..<size.width {
                        let (r, g, b) = laid(bytes, at: row + x * 4)
                        memory[place] = Self.sample(weights.luma, r, g, b, 16)
                        memory[place + count] = Self.sample(weights.blue, r, g, b, 128)
                        memory[place + 2 * count] = Self.sample(weights.red, r, g, b, 128)
                        place += 1
                    }
                }
            }
            used = mark.count + 3 * count
        }
        return planes
    }

    private static func sample(
        _ weights: (Int32, Int32, Int32), _ r: Int32, _ g: Int32, _ b: Int32, _ offset: Int32
    ) -> UInt8 {
        let sum = weights.0 * r + weights.1 * g + weights.2 * b
        return UInt8(clamping: (sum + (offset << 16) + 32768) >> 16)
    }

    /// A pixel on the background.
    private func laid(_ bytes: UnsafeRawBufferPointer, at place: Int) -> (Int32, Int32, Int32) {
        let alpha = Int32(bytes[place + 3])
        guard alpha < 255 else {
            return (Int32(bytes[place]), Int32(bytes[place + 1]), Int32(bytes[place + 2]))
        }
        func mixed(_ value: UInt8, _ back: UInt8) -> Int32 {
            (Int32(value) * alpha + Int32(back) * (255 - alpha) + 127) / 255
        }
        return (
            mixed(bytes[place], background.red), mixed(bytes[place + 1], background.green),
            mixed(bytes[place + 2], background.blue)
        )
    }
}
