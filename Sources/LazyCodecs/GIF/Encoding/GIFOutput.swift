internal import LazyMedia

/// Writes the images of one file in order.
///
/// The first one waits for the second: a file of one image has no loop.
final class GIFOutput {
    private struct Image {
        let rect: PixelRect
        let control: GIFControl
        let table: GIFColorTable
        let codes: [UInt8]
    }

    private let stream: GIFStream
    private let size: PixelSize
    private let shared: GIFColorTable?
    private let repeats: Int?
    private var first: Image?
    private var hasBegun = false
    /// The images so far.
    private(set) var imageCount = 0

    /// Opens a file; `shared` is the palette that images have unless they have their own.
    init(
        _ size: PixelSize, _ shared: GIFColorTable?, _ loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        stream = try GIFStream(to: write)
        self.size = size
        self.shared = shared
        repeats = Self.repeats(loop)
    }

    /// The number in the loop extension: plays after the first one, at most as many as fit, 0 for forever; nil for
    /// one play.
    static func repeats(_ loop: LoopCount) -> Int? {
        guard let plays = loop.plays else { return 0 }
        return plays <= 1 ? nil : min(plays, GIFRewriter.mostPlays) - 1
    }

    /// Writes a compressed frame.
    func put(_ job: GIFFrameJob) throws(MediaError) {
        let parts = GIFDelays.parts(job.delay)
        let control = GIFControl(
            delay: parts[0], clearsAfter: job.clearsAfter && parts.count == 1,
            transparent: job.table.transparent)
        try put(Image(rect: job.rect, control: control, table: job.table, codes: job.codes))
        for (place, delay) in parts.enumerated().dropFirst() {
            let clears = job.clearsAfter && place == parts.count - 1
            try put(
                Self.pause(
                    delay, clears ? job.rect : PixelRect(x: 0, y: 0, width: 1, height: 1),
                    clears: clears))
        }
    }

    /// Writes the end.
    func finish() throws(MediaError) {
        if !hasBegun { try begin(repeats: nil) }
        try stream.finish()
    }

    private func put(_ image: Image) throws(MediaError) {
        imageCount += 1
        guard hasBegun || first != nil else {
            first = image
            return
        }
        if !hasBegun { try begin(repeats: repeats) }
        try write(image)
    }

    private func begin(repeats: Int?) throws(MediaError) {
        hasBegun = true
        try stream.begin(size, shared, repeats: repeats)
        if let first { try write(first) }
        first = nil
    }

    private func write(_ image: Image) throws(MediaError) {
        let own: GIFColorTable? = image.table == shared ? nil : image.table
        try stream.put(image.rect, image.control, palette: own, codes: image.codes)
    }

    /// A transparent image that lengthens the previous one.
    private static func pause(_ delay: Int, _ rect: PixelRect, clears: Bool) -> Image {
        let table = GIFColorTable([0xFF00_0000])
        let control = GIFControl(delay: delay, clearsAfter: clears, transparent: table.transparent)
        let symbols = [UInt16](repeating: GIFSymbol.clear, count: rect.pixelCount)
        var encoder = LZWEncoder()
        let own = PixelRect(x: 0, y: 0, width: rect.width, height: rect.height)
        let codes = symbols.withUnsafeBufferPointer { symbols in
            symbols.baseAddress.map { encoder.compress($0, stride: rect.width, own, table) } ?? []
        }
        return Image(rect: rect, control: control, table: table, codes: codes)
    }
}
