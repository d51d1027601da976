import LazyMedia
import Support

@testable import LazyCodecs

/// A GIF's frames as they come, with what was said on the way.
struct GIFReading {
    var frames: [Frame] = []
    var warnings: [MediaWarning] = []
    var error: MediaError?
}

func openGIF(
    _ bytes: [UInt8], limits: DecodingLimits = .web
) throws(MediaError) -> any OpenedMedia {
    try GIFDecoder().open(MemoryBytes(bytes), type: .gif, limits: limits)
}

/// Makes a reader that starts the threads it may use however little there is to do.
func makeGIFReader(
    _ bytes: [UInt8], _ options: ReaderOptions = ReaderOptions()
) throws(MediaError) -> any FrameReader {
    try GIFFrameReader(
        OpenedGIF(MemoryBytes(bytes), limits: options.limits), options, leastWork: 0)
}

/// Reads all frames, from opening to the end.
func readGIF(_ bytes: [UInt8], _ options: ReaderOptions = ReaderOptions()) -> GIFReading {
    var reading = GIFReading()
    do throws(MediaError) {
        let reader = try makeGIFReader(bytes, options)
        defer { reading.warnings = reader.warnings }
        while let frame = try reader.nextFrame() { reading.frames.append(frame) }
    } catch {
        reading.error = error
    }
    return reading
}

extension GIFForge {
    static let palette: [UInt32] = [0x000000, 0xFF0000, 0x00FF00, 0x0000FF]
    private static let letters: [Character] = ["K", "R", "G", "B", ".", "5", "6", "7"]

    /// Writes an image drawn with letters: K, R, G, B are the palette; `.` is index 4.
    mutating func picture(
        left: Int = 0, top: Int = 0, _ rows: [String], isInterlaced: Bool = false
    ) {
        let indices = rows.joined().map { UInt8(Self.letters.firstIndex(of: $0) ?? 0) }
        image(
            left: left, top: top, width: rows.first?.count ?? 0, height: rows.count,
            isInterlaced: isInterlaced, indices: indices, codeSize: 3)
    }
}

extension Bitmap {
    /// The rows as letters: the forge's colors, `.` for transparent, `?` for anything else.
    var letters: [String] {
        (0..<size.height).map { y in
            String(
                (0..<size.width).map { x -> Character in
                    switch self[x, y] {
                    case [0, 0, 0, 0]: "."
                    case [0, 0, 0, 255]: "K"
                    case [255, 0, 0, 255]: "R"
                    case [0, 255, 0, 255]: "G"
                    case [0, 0, 255, 255]: "B"
                    default: "?"
                    }
                })
        }
    }
}

/// A GIF of random images with every disposal, some transparent, some interlaced, some off screen.
func randomGIF(seed: UInt64, images: Int = 24, width: Int = 23, height: Int = 17) -> [UInt8] {
    var random = SplitMix(seed)
    var forge = GIFForge(
        width: width, height: height,
        palette: (0..<16).map { _ in UInt32.random(in: 0...0xFFFFFF, using: &random) })
    for _ in 0..<images {
        let isFull = Int.random(in: 0..<3, using: &random) == 0
        let left = isFull ? 0 : Int.random(in: 0...width, using: &random)
        let top = isFull ? 0 : Int.random(in: 0...height, using: &random)
        let imageWidth = isFull ? width : Int.random(in: 1...width, using: &random)
        let imageHeight = isFull ? height : Int.random(in: 1...height, using: &random)
        let isMasked = Bool.random(using: &random)
        forge.control(
            delay: Int.random(in: 0...20, using: &random),
            disposal: Int.random(in: 0...3, using: &random), transparent: isMasked ? 3 : nil)
        let indices = (0..<imageWidth * imageHeight).map { _ in
            UInt8.random(in: 0..<16, using: &random) & UInt8.random(in: 0..<16, using: &random)
        }
        forge.image(
            left: left, top: top, width: imageWidth, height: imageHeight,
            isInterlaced: Bool.random(using: &random), indices: indices, codeSize: 4)
    }
    forge.trailer()
    return forge.bytes
}
