internal import Glibc
internal import LazyMedia

/// What an animated PNG shows: frames are laid on it, and disposed of, in order.
struct APNGCanvas: ~Copyable {
    private let size: PixelSize
    private let rows: UnsafeMutableRawBufferPointer
    /// What stood under the last frame, where it has to come back.
    private var kept: [UInt32] = []
    private var last: APNGStructure.Image?

    /// Makes an empty canvas.
    init(_ size: PixelSize) throws(MediaError) {
        self.size = size
        guard let memory = calloc(size.pixelCount, 4) else {
            throw MediaError(.environment, "There is no memory for a canvas of \(size).")
        }
        rows = UnsafeMutableRawBufferPointer(start: memory, count: size.rgbaByteCount)
    }

    deinit { free(rows.baseAddress) }

    /// Forgets all, as before the first frame.
    mutating func clear() {
        rows.initializeMemory(as: UInt8.self, repeating: 0)
        last = nil
    }

    /// Disposes of the frame before, and lays this one's pixels on the canvas.
    mutating func draw(_ pixels: UnsafeRawBufferPointer, _ image: APNGStructure.Image) {
        dispose()
        if image.disposal == .previous { keep(image) }
        last = image
        guard let from = pixels.bindMemory(to: UInt32.self).baseAddress,
            let to = rows.bindMemory(to: UInt32.self).baseAddress
        else { return }
        for y in 0..<image.size.height {
            let source = from + y * image.size.width
            let target = to + (image.y + y) * size.width + image.x
            if image.isBlended {
                Self.blend(source, over: target, count: image.size.width)
            } else {
                target.update(from: source, count: image.size.width)
            }
        }
    }

    /// Whether a frame's pixels are all that is seen once it is drawn.
    ///
    /// `isEmpty` says that nothing has been drawn yet.
    func isReplaced(by image: APNGStructure.Image, isEmpty: Bool) -> Bool {
        image.x == 0 && image.y == 0 && image.size == size && (isEmpty || !image.isBlended)
    }

    /// Disposes of the frame before, and has this one's pixels written where they are shown.
    ///
    /// Where that fails it is not defined what is shown.
    mutating func replace<Result>(
        with image: APNGStructure.Image,
        writingRows body: (UnsafeMutableRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        dispose()
        if image.disposal == .previous { keep(image) }
        last = image
        return try body(rows)
    }

    /// Lends what is shown.
    func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result { try body(UnsafeRawBufferPointer(rows)) }

    private mutating func dispose() {
        guard let image = last, image.disposal != .none,
            let target = rows.bindMemory(to: UInt32.self).baseAddress
        else { return }
        for y in 0..<image.size.height {
            let row = target + (image.y + y) * size.width + image.x
            let width = image.size.width
            if image.disposal == .background {
                row.update(repeating: 0, count: width)
            } else {
                kept.withUnsafeBufferPointer { kept in
                    guard let from = kept.baseAddress else { return }
                    row.update(from: from + y * width, count: width)
                }
            }
        }
        last = nil
    }

    private mutating func keep(_ image: APNGStructure.Image) {
        kept.removeAll(keepingCapacity: true)
        let pixels = UnsafeRawBufferPointer(rows).bindMemory(to: UInt32.self)
        for y in 0..<image.size.height {
            let start = (image.y + y) * size.width + image.x
            kept.append(contentsOf: pixels[start..<(start + image.size.width)])
        }
    }

    /// Straight alpha over straight alpha, to the nearest (PNG specification, 3rd ed., 11.3.6.2).
    private static func blend(
        _ source: UnsafePointer<UInt32>, over target: UnsafeMutablePointer<UInt32>, count: Int
    ) {
        for x in 0..<count {
            let above = source[x]
            let alpha = above >> 24
            if alpha == 255 {
                target[x] = above
            } else if alpha > 0 {
                target[x] = mixed(above, alpha, target[x])
            }
        }
    }

    private static func mixed(_ above: UInt32, _ alpha: UInt32, _ below: UInt32) -> UInt32 {
        let under = (below >> 24) * (255 - alpha)
        let total = alpha * 255 + under
        var pixel = ((total + 127) / 255) << 24
        for shift in stride(from: UInt32(0), to: 24, by: 8) {
            let sum = (above >> shift & 255) * alpha * 255 + (below >> shift & 255) * under
            pixel |= ((sum + total / 2) / total) << shift
        }
        return pixel
    }
}
