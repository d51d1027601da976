internal import LazyMedia

/// The decompression of one image into color indices.
///
/// Unchecked: the reader's thread loads the data, one thread decompresses it, then the reader's
/// thread reads the result; `GIFWorkers` orders the three.
final class GIFImageJob: @unchecked Sendable {
    /// The job's state, accessed only by `GIFWorkers` under its mutex.
    enum State {
        case idle
        case waiting
        case running
        case done
    }
    var state = State.idle
    /// Set when the result is no longer needed.
    private(set) var abandonment = CancellationFlag()
    private(set) var index = 0
    private(set) var image = GIFImage()
    private(set) var palette = GIFPalette()
    private(set) var ending = LZWDecoder.Ending.short
    private(set) var raster: GIFRaster
    private var codes = GIFCodeBytes()
    private var decoder = LZWDecoder()
    /// giflib's error where the record is incomplete.
    private(set) var damage: MediaError?

    init() throws(MediaError) { raster = try GIFRaster() }

    /// Reads the compressed data of an image and makes room for its indices.
    func load(
        _ image: GIFImage, index: Int, from file: inout GIFFile, limits: DecodingLimits
    ) throws(MediaError) {
        self.index = index
        self.image = image
        if abandonment.isCancelled { abandonment = CancellationFlag() }
        if let size = PixelSize(checking: image.rect.width, image.rect.height) {
            try limits.check(canvas: size)
        }
        (palette, damage) = file.readImage(image, into: &codes)
        try raster.removeAll(reserving: image.rect.pixelCount)
    }

    /// Decompresses; may run on any thread.
    func run(_ cancellation: CancellationFlag) {
        ending = codes.withBytes { bytes in
            decoder.decompress(
                bytes, minimumCodeSize: image.minimumCodeSize, into: &raster,
                limit: image.rect.pixelCount
            ) { cancellation.isCancelled || abandonment.isCancelled }
        }
    }

    /// Draws the indices.
    func draw(on canvas: LayeredCanvas) throws(MediaError) {
        try canvas.draw(image, raster, palette)
    }

    /// Whether all indices were decoded.
    var isWhole: Bool { ending == .complete }

    /// Why the image may not be shown, or nil.
    ///
    /// A complete image is shown whatever follows it; one that ends early but properly is shown
    /// without the rest.
    var fault: MediaError? {
        switch ending {
        case .complete: nil
        case .short: damage
        case .badCode:
            MediaError(.malformed, "Image \(index) of the GIF holds a code that means nothing.")
        case .cancelled: .cancelled
        }
    }
}
