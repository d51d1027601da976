internal import LazyMedia

/// The logical screen that images are drawn on, by the rules of the browsers.
///
/// It begins transparent; disposal 2 makes the image's rectangle transparent, 3 brings back what
/// was there. The screen can be lent as a bitmap without copying it: the next image is then drawn
/// on a second memory, which is brought up to date only where it differs.
final class GIFCanvas {
    /// One memory, and the rectangle in which it differs from the current one.
    private struct Layer {
        let memory: CanvasMemory
        var stale: GIFRect
    }

    /// More than a look-ahead keeps in flight; whoever holds more bitmaps holds them alone.
    private static let layerLimit = 6

    let size: PixelSize
    /// Whether every pixel is known to be opaque.
    private(set) var isOpaque = false
    private var layers: [Layer]
    private var current = 0
    /// Whether the screen is all transparent, whatever stands in the current memory.
    private var isBlank = true
    /// Where the screen may be other than transparent; when it is blank, where the memory may.
    private var painted: GIFRect
    private var pending: (rect: GIFRect, disposal: GIFImage.Disposal) = (.empty, .keep)
    private var saved: [UInt32] = []
    private var wasOpaque = false

    init(size: PixelSize) throws(MediaError) {
        self.size = size
        let memory = try CanvasMemory(size: size)
        layers = [Layer(memory: memory, stale: .empty)]
        painted = memory.beganCleared ? .empty : GIFRect(size)
    }

    /// Makes all of it transparent.
    func reset() {
        isBlank = true
        isOpaque = false
        pending = (.empty, .keep)
    }

    /// Disposes of the image before and draws one.
    func show(
        _ image: GIFImage, _ raster: borrowing GIFRaster, _ palette: GIFPalette
    ) throws(MediaError) {
        let rect = image.rect.clipped(to: size)
        let isWhole = raster.count == image.rect.pixelCount
        let mask = image.transparentIndex.flatMap { raster.contains($0) ? $0 : nil }
        let isCover = isWhole && mask == nil
        try prepare(toCover: isCover && image.disposal != .restore ? rect : .empty)
        dispose()
        if image.disposal == .restore { save(rect) }
        paint(image, raster, palette.transparent(at: mask), mask)
        didChange(rect)
        pending = (rect, image.disposal)
        isOpaque = isOpaque || (isCover && rect == GIFRect(size))
    }

    /// What would be left if an image were shown that disposes of itself by clearing.
    func skipClearing(_ image: GIFImage) throws(MediaError) {
        try prepare(toCover: .empty)
        dispose()
        pending = (image.rect.clipped(to: size), .clear)
    }

    /// Lends the screen as a bitmap, without copying it.
    func lend() throws(MediaError) -> Bitmap {
        try prepare(toCover: .empty)
        return layers[current].memory.lend(isOpaque: isOpaque)
    }

    /// Lends the rows for reading.
    func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try prepare(toCover: .empty)
        return try layers[current].memory.withBytes(body)
    }

    // MARK: - Memories

    /// Makes the current memory one that may be written and shows the current screen.
    ///
    /// A rectangle that is about to be painted all over need not be brought up to date.
    private func prepare(toCover rect: GIFRect) throws(MediaError) {
        if layers[current].memory.isLent { try changeLayer(toCover: rect) }
        guard isBlank else { return }
        isBlank = false
        if !rect.covers(painted) { fill(painted) }
        didChange(painted)
        painted = .empty
    }

    private func changeLayer(toCover rect: GIFRect) throws(MediaError) {
        let previous = layers[current].memory
        current = try freeLayer()
        let stale = layers[current].stale
        layers[current].stale = .empty
        if isBlank { painted = painted.union(stale) }
        guard !isBlank, !rect.covers(stale) else { return }
        let width = size.width
        previous.withBytes { source in
            pixels { target in
                for row in stale.top..<stale.bottom {
                    let offset = (row * width + stale.left) * 4
                    UnsafeMutableRawPointer(target).advanced(by: offset).copyMemory(
                        from: source.baseAddress.unsafelyUnwrapped + offset,
                        byteCount: stale.width * 4)
                }
            }
        }
    }

    /// The memory that nobody holds and that differs least, or a new one.
    private func freeLayer() throws(MediaError) -> Int {
        let free = layers.indices.filter { !layers[$0].memory.isLent }
        if let best = free.min(by: { layers[$0].stale.pixelCount < layers[$1].stale.pixelCount }) {
            return best
        }
        if layers.count == Self.layerLimit {
            layers.removeFirst()
        }
        let memory = try CanvasMemory(size: size)
        let stale = !memory.beganCleared ? GIFRect(size) : isBlank ? .empty : painted
        layers.append(Layer(memory: memory, stale: stale))
        return layers.count - 1
    }

    private func didChange(_ rect: GIFRect) {
        painted = painted.union(rect)
        for index in layers.indices where index != current {
            layers[index].stale = layers[index].stale.union(rect)
        }
    }

    private func pixels(_ body: (UnsafeMutablePointer<UInt32>) -> Void) {
        layers[current].memory.withMutableBytes { bytes in
            // A canvas has at least one pixel, so that there is an address.
            body(bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt32.self))
        }
    }

    // MARK: - Drawing

    private func dispose() {
        let rect = pending.rect
        let disposal = pending.disposal
        pending = (.empty, .keep)
        guard !rect.isEmpty, disposal != .keep else { return }
        if disposal == .clear {
            fill(rect)
            isOpaque = false
        } else {
            restore(rect)
            isOpaque = wasOpaque
        }
        didChange(rect)
    }

    private func fill(_ rect: GIFRect) {
        let width = size.width
        pixels { pixels in
            for row in rect.top..<rect.bottom {
                (pixels + row * width + rect.left).update(repeating: 0, count: rect.width)
            }
        }
    }

    private func save(_ rect: GIFRect) {
        wasOpaque = isOpaque
        if saved.count < rect.pixelCount { saved = Array(repeating: 0, count: rect.pixelCount) }
        let width = size.width
        saved.withUnsafeMutableBufferPointer { saved in
            guard let target = saved.baseAddress else { return }
            pixels { pixels in
                for row in 0..<rect.height {
                    (target + row * rect.width).update(
                        from: pixels + (rect.top + row) * width + rect.left, count: rect.width)
                }
            }
        }
    }

    private func restore(_ rect: GIFRect) {
        let width = size.width
        saved.withUnsafeBufferPointer { saved in
            guard let source = saved.baseAddress else { return }
            pixels { pixels in
                for row in 0..<rect.height {
                    (pixels + (rect.top + row) * width + rect.left).update(
                        from: source + row * rect.width, count: rect.width)
                }
            }
        }
    }

    private func paint(
        _ image: GIFImage, _ raster: borrowing GIFRaster, _ palette: GIFPalette, _ mask: UInt8?
    ) {
        let rect = image.rect.clipped(to: size)
        guard !rect.isEmpty else { return }
        let indices = raster.indices
        let count = raster.count
        let width = size.width
        var lines = GIFLines(height: image.rect.height, isInterlaced: image.isInterlaced)
        palette.pixels.withUnsafeBufferPointer { colors in
            let colors = colors.baseAddress.unsafelyUnwrapped  // There are always 256.
            pixels { pixels in
                var start = 0
                while start < count, let line = lines.next() {
                    defer { start += image.rect.width }
                    guard line < rect.height else { continue }
                    let pixels = pixels + (rect.top + line) * width + rect.left
                    let length = min(rect.width, count - start)
                    if let mask {
                        GIFLinePainter.paint(
                            indices + start, count: length, colors: colors, transparent: mask,
                            onto: pixels)
                    } else {
                        GIFLinePainter.paint(
                            indices + start, count: length, colors: colors, onto: pixels)
                    }
                }
            }
        }
    }
}
