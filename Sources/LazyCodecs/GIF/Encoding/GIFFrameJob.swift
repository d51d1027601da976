internal import LazyMedia

/// The encoding of one frame into an image.
///
/// Unchecked: see `PixelMemory`.
final class GIFFrameJob: @unchecked Sendable {
    /// The composed picture, whose pixels are opaque or 0.
    let pixels: PixelMemory<UInt32>
    /// One `GIFSymbol` a pixel.
    let symbols: PixelMemory<UInt16>
    /// Hundredths of a second.
    var delay = 0
    /// The painter of exact palettes, where possible.
    var painter: ExactPainter?
    /// The palette of its scene.
    var table = GIFColorTable([])
    /// The painted rectangle.
    var rect = PixelRect.empty
    /// The rectangle that the previous frame clears.
    var blank = PixelRect.empty
    /// Whether its rectangle is cleared before the next frame.
    var clearsAfter = false
    /// The rectangle of pixels that became transparent.
    var cleared = PixelRect.empty
    /// How much colors may differ for shorter codes, as gifsicle counts.
    var loss = 0
    /// Its compressed indices.
    var codes: [UInt8] = []

    init(_ size: PixelSize) throws(MediaError) {
        pixels = try PixelMemory(size)
        symbols = try PixelMemory(size)
    }

    /// Resets it for another frame.
    func begin(delay: Int) {
        self.delay = delay
        (rect, blank, cleared) = (.empty, .empty, .empty)
        clearsAfter = false
        codes = []
    }

    /// Marks pixels in the cleared rectangle as painted.
    func paintBlank(stride: Int) {
        for y in blank.y..<blank.bottom {
            for place in (y * stride + blank.x)..<(y * stride + blank.right)
            where symbols.values[place] & GIFSymbol.clear == 0 {
                symbols.values[place] &= 0xFF
            }
        }
    }
}
