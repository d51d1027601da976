import LazyMedia
import Support

@testable import LazyCodecs

/// Writes animated WebP frame by frame, with whatever rectangle, blending and clearing.
struct WebPForge {
    var bytes: [UInt8] = []
    private let size: PixelSize
    private let plays: Int

    init(_ width: Int, _ height: Int, plays: Int = 0) {
        size = PixelSize(width: width, height: height)
        self.plays = plays
    }

    /// Adds a frame of a picture.
    mutating func add(
        _ picture: Bitmap, x: Int = 0, y: Int = 0, duration: Int = 100, blends: Bool = true,
        clears: Bool = false, lossless: Bool = true
    ) throws {
        let still = try WebPStillEncoder(.init(quality: 90, effort: 3, lossless: lossless))
            .encode(picture)
        let isExtended = still.little32(12) == RIFFName.extended.number
        let data = Array(still.dropFirst(isExtended ? 30 : 12))
        let rect = PixelRect(
            x: x, y: y, width: picture.size.width, height: picture.size.height)
        let header = WebPFrameHeader(
            rect: rect, duration: duration, blends: blends, clears: clears)
        bytes += [UInt8](header: .frame, count: 16 + data.count) + header.bytes + data
    }

    /// The whole file.
    var file: [UInt8] {
        var canvas = WebPExtended(width: size.width, height: size.height)
        canvas.isAnimated = true
        canvas.hasAlpha = true
        let body = canvas.chunk + WebPAnimation(plays: plays).chunk + bytes
        var head = [UInt8](header: .riff, count: body.count + 4)
        head.appendLittle(Int(RIFFName.webp.number), bytes: 4)
        return head + body
    }

    /// A file of random frames: rectangles, alpha, blending and clearing as they come.
    static func random(_ seed: UInt64, frames: Int = 9) throws -> [UInt8] {
        var random = SplitMix(seed)
        var forge = WebPForge(40, 30)
        for _ in 0..<frames {
            let x = Int.random(in: 0..<20, using: &random) * 2
            let y = Int.random(in: 0..<15, using: &random) * 2
            let isWhole = Int.random(in: 0..<4, using: &random) == 0
            let width = isWhole ? 40 : Int.random(in: 1...(40 - x), using: &random)
            let height = isWhole ? 30 : Int.random(in: 1...(30 - y), using: &random)
            let hasAlpha = Bool.random(using: &random)
            let picture = try Bitmap.drawn(width, height, isOpaque: !hasAlpha) { _, _ in
                SIMD4(
                    .random(in: 0...255, using: &random), .random(in: 0...255, using: &random),
                    .random(in: 0...255, using: &random),
                    hasAlpha ? [0, 1, 80, 200, 254, 255].randomElement(using: &random) ?? 0 : 255)
            }
            try forge.add(
                picture, x: isWhole ? 0 : x, y: isWhole ? 0 : y,
                duration: Int.random(in: 0..<300, using: &random),
                blends: Bool.random(using: &random), clears: Bool.random(using: &random),
                lossless: Int.random(in: 0..<3, using: &random) > 0)
        }
        return forge.file
    }
}
