internal import LazyMedia

/// One frame on its way from pixels to an image of the file.
///
/// Unchecked: see `PixelMemory`.
final class GIFFrameJob: @unchecked Sendable {
    /// The composed picture; pixels are opaque or 0.
    let pixels: PixelMemory<UInt32>
    /// What is known of each pixel; see `GIFSymbol`.
    let symbols: PixelMemory<UInt16>
    /// Hundredths of a second.
    var delay = 0
    /// What gives it an exact palette, where that can be.
    var painter: ExactPainter?
    /// The palette of its scene.
    var table = GIFColorTable([])
    /// What is painted.
    var rect = PixelRect.empty
    /// What the frame before has left cleared.
    var blank = PixelRect.empty
    /// Whether its rectangle is cleared before the next frame.
    var clearsAfter = false
    /// What of it became transparent that was not.
    var cleared = PixelRect.empty
    /// Its compressed indices.
    var codes: [UInt8] = []

    init(_ size: PixelSize) throws(MediaError) {
        pixels = try PixelMemory(size)
        symbols = try PixelMemory(size)
    }

    /// Forgets what it was about before.
    func begin(delay: Int) {
        self.delay = delay
        (rect, blank, cleared) = (.empty, .empty, .empty)
        clearsAfter = false
        codes = []
    }

    /// Paints what the frame before has cleared, whatever was to be kept there.
    func paintBlank(stride: Int) {
        for y in blank.y..<blank.bottom {
            for place in (y * stride + blank.x)..<(y * stride + blank.right)
            where symbols.values[place] & GIFSymbol.clear == 0 {
                symbols.values[place] &= 0xFF
            }
        }
    }
}
