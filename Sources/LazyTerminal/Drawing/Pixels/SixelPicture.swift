internal import LazyMedia

/// The pixels of sixel pictures as numbers of colors, and which of them a frame changes.
///
/// For one thread at a time; owns its memory.
final class SixelPicture {
    /// A pixel that is not drawn; the numbers of colors are smaller.
    static let blank: UInt8 = 0xFF
    /// The most colors.
    static let maxColors = 255

    private(set) var size: PixelSize?
    /// Whether the last frame changes nothing.
    private(set) var isUnchanged = false
    /// The number of each pixel's color where the frame draws it, else `blank`.
    private(set) var marks: UnsafeMutablePointer<UInt8>
    /// The number of the color on screen, or `blank`.
    private var shown: UnsafeMutablePointer<UInt8>
    /// The frame on screen; nil on a clear screen.
    private var source: Bitmap?
    private var palette: SixelPalette
    private let colorCount: Int

    init(colorCount: Int) {
        self.colorCount = colorCount
        palette = SixelPalette(count: colorCount)
        marks = .allocate(capacity: 1)
        shown = .allocate(capacity: 1)
    }

    deinit { deallocate() }

    private func deallocate() {
        marks.deallocate()
        shown.deallocate()
    }

    /// The colors of the palette, as 0xFFBBGGRR.
    var colors: [UInt32] { palette.colors }

    /// Takes the first frame on a clear screen, and chooses the colors.
    func begin(_ bitmap: Bitmap) {
        let count = bitmap.size.pixelCount
        // Before there is more memory in use: counting colors needs much of it.
        bitmap.withBytes { palette.choose($0.assumingMemoryBound(to: UInt32.self)) }
        if size != bitmap.size {
            deallocate()
            marks = .allocate(capacity: count)
            shown = .allocate(capacity: count)
            size = bitmap.size
        }
        shown.update(repeating: Self.blank, count: count)
        source = nil
        withPixels(bitmap) { frame in
            let mapping = palette.map(frame, keepsGood: false)
            palette.measure(mapping)
            commit(frame)
        }
        isUnchanged = false
    }

    /// Takes the next frame; false if it cannot be drawn over the one before.
    func take(_ bitmap: Bitmap) -> Bool {
        withPixels(bitmap) { frame in
            var mapping = palette.map(frame, keepsGood: true)
            if mapping.uncovers { return false }
            if mapping.changed * 8 > frame.count, palette.isBad(mapping) {
                let kept = numbersOfStill(frame)
                if palette.chooseAgain(frame, keeping: kept) {
                    mapping = palette.map(frame, keepsGood: false)
                    palette.measure(mapping)
                } else if mapping.changed * 2 > frame.count {
                    // Little is still: drawn from scratch rather than with few colors.
                    return false
                }
            }
            isUnchanged = mapping.drawn == 0
            commit(frame)
            return true
        }
    }

    // Lends the pixels of a frame, which is on screen afterwards.
    private func withPixels<Result>(_ bitmap: Bitmap, _ body: (SixelFrame) -> Result) -> Result {
        defer { source = bitmap }
        guard let source else { return Self.withPixels(bitmap, nil, shown, marks, body) }
        return source.withBytes { before in
            Self.withPixels(
                bitmap, before.assumingMemoryBound(to: UInt32.self).baseAddress, shown, marks, body)
        }
    }

    private static func withPixels<Result>(
        _ bitmap: Bitmap, _ source: UnsafePointer<UInt32>?,
        _ shown: UnsafeMutablePointer<UInt8>, _ marks: UnsafeMutablePointer<UInt8>,
        _ body: (SixelFrame) -> Result
    ) -> Result {
        bitmap.withBytes { bytes in
            body(
                SixelFrame(
                    pixels: bytes.assumingMemoryBound(to: UInt32.self), width: bitmap.size.width,
                    source: source, shown: shown, marks: marks))
        }
    }

    private func commit(_ frame: SixelFrame) {
        for place in 0..<frame.count where marks[place] != Self.blank {
            shown[place] = marks[place]
        }
    }

    // The colors of pixels that do not change.
    private func numbersOfStill(_ frame: SixelFrame) -> [Bool] {
        var kept = [Bool](repeating: false, count: 256)
        for place in 0..<frame.count where frame.pixels[place] == frame.before(place) {
            if shown[place] != Self.blank { kept[Int(shown[place])] = true }
        }
        return kept
    }
}

/// The pixels of a frame, and those before it.
struct SixelFrame {
    let pixels: UnsafeBufferPointer<UInt32>
    let width: Int
    /// The pixels on screen; nil where it is clear.
    let source: UnsafePointer<UInt32>?
    let shown: UnsafeMutablePointer<UInt8>
    let marks: UnsafeMutablePointer<UInt8>

    var count: Int { pixels.count }

    /// The pixel on screen at a place.
    @inline(__always)
    func before(_ place: Int) -> UInt32 {
        guard let source else { return 0 }
        return source[place]
    }
}
