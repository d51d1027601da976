internal import LazyMedia

/// One image on its way from compressed data to color indices.
///
/// Unchecked: the reader's thread fills in the data, then hands the job to one thread that
/// decompresses it, and reads the result after that; `GIFWorkers` orders the three.
final class GIFImageJob: @unchecked Sendable {
    /// Where the job is; touched only by `GIFWorkers` under its lock.
    enum State {
        case idle
        case waiting
        case running
        case done
    }
    var state = State.idle
    /// Set where the result is no longer wanted.
    private(set) var abandonment = CancellationFlag()
    private(set) var index = 0
    private(set) var image = GIFImage()
    private(set) var palette = GIFPalette()
    private(set) var ending = LZWDecoder.Ending.short
    private(set) var raster: GIFRaster
    private var codes = GIFCodeBytes()
    private var decoder = LZWDecoder()
    /// What giflib said about the record, where it is not whole.
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

    /// Whether every index is there.
    var isWhole: Bool { ending == .complete }

    /// Why the image may not be shown, or nil.
    ///
    /// One whose pixels are all there is shown whatever follows them; one that ends in good order
    /// but early is shown with the rest left out.
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
