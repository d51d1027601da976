/// The canvas of an animation, on which frames are drawn and disposed of in order.
///
/// It starts transparent. It can be lent as a bitmap without copying: the next frame is then drawn on
/// a second buffer, which is updated only where it differs.
package final class LayeredCanvas {
    /// A buffer, and the rectangle in which it differs from the current one.
    private struct Layer {
        let memory: CanvasMemory
        var stale: PixelRect
    }

    /// More than a look-ahead uses; a caller that keeps more bitmaps owns their memory alone.
    private static let layerLimit = 6

    package let size: PixelSize
    /// Whether every pixel is known to be opaque.
    package internal(set) var isOpaque = false
    private var layers: [Layer] = []
    private var current = 0
    /// Whether the canvas is transparent, whatever the current buffer contains.
    private var isBlank = true
    /// Where the canvas may be non-transparent; when it is blank, where the buffer may.
    private var painted = PixelRect.empty
    /// What is disposed of before the next frame is drawn.
    var pending = (rect: PixelRect.empty, disposal: Disposal.keep)
    /// The pixels of the rectangle to be restored, and whether all were opaque.
    var saved: [UInt32] = []
    var wasOpaque = false

    /// Makes a transparent canvas; the first use allocates memory.
    package init(size: PixelSize) { self.size = size }

    /// Clears the canvas, with nothing to dispose of.
    package func reset() {
        isBlank = true
        isOpaque = false
        pending = (.empty, .keep)
    }

    /// Disposes of the previous frame, and provides a rectangle of the canvas for drawing the next one.
    ///
    /// `isCovered` promises that the whole rectangle is written, `isOpaque` that the written pixels are
    /// opaque. The closure gets the address of the rectangle's first pixel and the stride in pixels.
    package func draw<Result>(
        _ rect: PixelRect, _ disposal: Disposal = .keep, isCovered: Bool, isOpaque: Bool = false,
        _ body: (UnsafeMutablePointer<UInt32>, Int) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try prepare(toCover: isCovered && disposal != .restore ? rect : .empty)
        dispose()
        if disposal == .restore { save(rect) }
        pending = (rect, disposal)
        didChange(rect)
        if isOpaque, rect == PixelRect(size) { self.isOpaque = true }
        let width = size.width
        return try layers[current].memory.withMutableBytes { (bytes) throws(MediaError) in
            try body(Self.pixels(bytes) + rect.y * width + rect.x, width)
        }
    }

    /// Draws a frame that is disposed of by clearing, without its pixels.
    package func skipClearing(_ rect: PixelRect) throws(MediaError) {
        try prepare(toCover: .empty)
        dispose()
        pending = (rect, .clear)
    }

    /// Makes a rectangle transparent.
    package func clear(_ rect: PixelRect) throws(MediaError) {
        try prepare(toCover: rect)
        fill(rect)
        isOpaque = false
        didChange(rect)
    }

    /// Lends the canvas as a bitmap without copying.
    package func lend(isOpaque: Bool) throws(MediaError) -> Bitmap {
        try prepare(toCover: .empty)
        return layers[current].memory.lend(isOpaque: isOpaque)
    }

    /// Provides the rows for reading.
    package func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try prepare(toCover: .empty)
        return try layers[current].memory.withBytes(body)
    }

    // MARK: - Buffers

    /// Makes the current buffer writable and equal to the canvas.
    ///
    /// A rectangle that will be overwritten completely is not updated.
    private func prepare(toCover rect: PixelRect) throws(MediaError) {
        if layers.isEmpty {
            let memory = try CanvasMemory(size: size)
            layers = [Layer(memory: memory, stale: .empty)]
            painted = memory.beganCleared ? .empty : PixelRect(size)
        } else if layers[current].memory.isLent {
            try changeLayer(toCover: rect)
        }
        guard isBlank else { return }
        isBlank = false
        if !rect.covers(painted) { fill(painted) }
        didChange(painted)
        painted = .empty
    }

    private func changeLayer(toCover rect: PixelRect) throws(MediaError) {
        let previous = layers[current].memory
        current = try freeLayer()
        let stale = layers[current].stale
        layers[current].stale = .empty
        if isBlank { painted = painted.union(stale) }
        guard !isBlank, !rect.covers(stale) else { return }
        let width = size.width
        previous.withBytes { source in
            layers[current].memory.withMutableBytes { target in
                let (from, to) = (Self.pixels(source), Self.pixels(target))
                for row in stale.y..<stale.bottom {
                    let offset = row * width + stale.x
                    (to + offset).update(from: from + offset, count: stale.width)
                }
            }
        }
    }

    /// The unlent buffer that differs least, or a new one.
    private func freeLayer() throws(MediaError) -> Int {
        let free = layers.indices.filter { !layers[$0].memory.isLent }
        if let best = free.min(by: { layers[$0].stale.pixelCount < layers[$1].stale.pixelCount }) {
            return best
        }
        if layers.count == Self.layerLimit { layers.removeFirst() }
        let memory = try CanvasMemory(size: size)
        let stale = !memory.beganCleared ? PixelRect(size) : isBlank ? .empty : painted
        layers.append(Layer(memory: memory, stale: stale))
        return layers.count - 1
    }

    func didChange(_ rect: PixelRect) {
        painted = painted.union(rect)
        for index in layers.indices where index != current {
            layers[index].stale = layers[index].stale.union(rect)
        }
    }

    // A canvas has at least one pixel, so the address exists.

    private static func pixels(_ bytes: UnsafeMutableRawBufferPointer) -> UnsafeMutablePointer<
        UInt32
    > {
        bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt32.self)
    }

    private static func pixels(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<UInt32> {
        bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt32.self)
    }

    func forEachRow(
        _ rect: PixelRect, _ body: (UnsafeMutablePointer<UInt32>, Int) -> Void
    ) {
        layers[current].memory.withMutableBytes { bytes in
            let start = Self.pixels(bytes) + rect.y * size.width + rect.x
            for row in 0..<rect.height { body(start + row * size.width, row) }
        }
    }

    func fill(_ rect: PixelRect) {
        forEachRow(rect) { pixels, _ in pixels.update(repeating: 0, count: rect.width) }
    }
}
