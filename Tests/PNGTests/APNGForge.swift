import LazyMedia
import Support

/// Animated PNGs made by hand, chunk by chunk.
struct APNGForge {
    struct Frame {
        var x = 0
        var y = 0
        var width: Int
        var height: Int
        var delay = (4, 100)
        var disposal: UInt8 = 0
        var blend: UInt8 = 0
        var pixels: [SIMD4<UInt8>]
    }

    var width: Int
    var height: Int
    /// Bits of a sample; with 16 both bytes of each are equal.
    var depth: UInt8 = 8
    var plays = 0
    var frames: [Frame] = []
    /// Pixels of a picture in `IDAT` that is no frame.
    var hidden: [SIMD4<UInt8>]?

    /// Frames of random places, disposals and colors; alpha is 0 or 255 unless it may be any.
    static func random(_ seed: UInt64, count: Int = 12, anyAlpha: Bool = false) -> APNGForge {
        var random = SplitMix(seed)
        var forge = APNGForge(width: 9, height: 7)
        for index in 0..<count {
            let isWhole = index == 0 || random.next() % 4 == 0
            let x = isWhole ? 0 : Int(random.next() % 9)
            let y = isWhole ? 0 : Int(random.next() % 7)
            let width = isWhole ? 9 : 1 + Int(random.next() % UInt64(9 - x))
            let height = isWhole ? 7 : 1 + Int(random.next() % UInt64(7 - y))
            let pixels = (0..<width * height).map { _ -> SIMD4<UInt8> in
                let word = random.next()
                var pixel = SIMD4<UInt8>(
                    UInt8(word & 255), UInt8(word >> 8 & 255), UInt8(word >> 16 & 255), 255)
                if anyAlpha { pixel.w = UInt8(word >> 24 & 255) }
                if word >> 40 & 3 == 0 { pixel = .zero }
                return pixel
            }
            forge.frames.append(
                Frame(
                    x: x, y: y, width: width, height: height,
                    disposal: UInt8(random.next() % 3), blend: UInt8(random.next() % 2),
                    pixels: pixels))
        }
        return forge
    }

    /// The chunks, of which a test may change some before `file` puts them together.
    var chunks: [(name: String, data: [UInt8])] {
        var chunks: [(String, [UInt8])] = [
            ("IHDR", PNGForge.be(width) + PNGForge.be(height) + [depth, 6, 0, 0, 0]),
            ("acTL", PNGForge.be(frames.count) + PNGForge.be(plays)),
        ]
        if let hidden { chunks.append(("IDAT", data(hidden, width))) }
        var sequence = 0
        for (index, frame) in frames.enumerated() {
            let place = [sequence, frame.width, frame.height, frame.x, frame.y]
            let delay = [frame.delay.0, frame.delay.1].flatMap { PNGForge.be($0)[2...] }
            chunks.append(
                ("fcTL", place.flatMap(PNGForge.be) + delay + [frame.disposal, frame.blend]))
            sequence += 1
            let data = data(frame.pixels, frame.width)
            if index == 0, hidden == nil {
                chunks.append(("IDAT", data))
            } else {
                chunks.append(("fdAT", PNGForge.be(sequence) + data))
                sequence += 1
            }
        }
        return chunks + [("IEND", [])]
    }

    var file: [UInt8] { Self.file(chunks) }

    static func file(_ chunks: [(name: String, data: [UInt8])]) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunks.flatMap { PNGForge.chunk($0.name, $0.data) }
    }

    private func data(_ pixels: [SIMD4<UInt8>], _ width: Int) -> [UInt8] {
        var lines: [UInt8] = []
        for start in stride(from: 0, to: pixels.count, by: width) {
            lines.append(0)
            for pixel in pixels[start..<(start + width)] {
                for channel in 0..<4 {
                    lines += Array(repeating: pixel[channel], count: Int(depth) / 8)
                }
            }
        }
        return PNGForge.stored(lines)
    }
}
