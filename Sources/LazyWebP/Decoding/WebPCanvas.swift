internal import LazyMedia

/// The canvas that frames are drawn on, by the rules of the browsers.
///
/// It begins transparent, and a frame that is cleared leaves its rectangle transparent: the
/// background in the file is not looked at. The canvas can be lent as a bitmap without copying it;
/// the next frame is then drawn on a second memory, brought up to date only where it differs.
final class WebPCanvas {
    /// One memory, and the rectangle in which it differs from the current one.
    private struct Layer {
        let memory: CanvasMemory
        var stale: PixelRect?
    }

    /// More than a look-ahead keeps in flight; whoever holds more bitmaps holds them alone.
    private static let layerLimit = 6

    let size: PixelSize
    private var layers: [Layer] = []
    private var current = 0
    private var whole: PixelRect { PixelRect(x: 0, y: 0, width: size.width, height: size.height) }

    init(size: PixelSize) { self.size = size }

    /// Lends the rows for writing into a rectangle; the rest stays as it was.
    ///
    /// `isCovered` promises that all of the rectangle is written. The closure gets the address of
    /// the rectangle's first pixel and the bytes of a row of the canvas.
    func change<Result>(
        _ rect: PixelRect, isCovered: Bool,
        _ body: (UnsafeMutableRawPointer, Int) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try prepare(toCover: isCovered ? rect : nil)
        for index in layers.indices where index != current {
            layers[index].stale = layers[index].stale.union(rect)
        }
        let stride = size.width * 4
        return try layers[current].memory.withMutableBytes { bytes throws(MediaError) in
            // A canvas has at least one pixel, so that there is an address.
            let start = bytes.baseAddress.unsafelyUnwrapped
            return try body(start + rect.y * stride + rect.x * 4, stride)
        }
    }

    /// Makes a rectangle transparent.
    func clear(_ rect: PixelRect) throws(MediaError) {
        try change(rect, isCovered: true) { start, stride in
            for row in 0..<rect.height {
                let row = start + row * stride
                row.initializeMemory(as: UInt8.self, repeating: 0, count: rect.width * 4)
            }
        }
    }

    /// Makes all of it transparent.
    func reset() throws(MediaError) { try clear(whole) }

    /// Lends the canvas as a bitmap, without copying it.
    func lend(isOpaque: Bool) throws(MediaError) -> Bitmap {
        try prepare(toCover: nil)
        return layers[current].memory.lend(isOpaque: isOpaque)
    }

    /// Lends the rows for reading.
    func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try prepare(toCover: nil)
        return try layers[current].memory.withBytes(body)
    }

    /// Makes the current memory one that may be written and shows the canvas.
    private func prepare(toCover rect: PixelRect?) throws(MediaError) {
        guard !layers.isEmpty else {
            layers = [Layer(memory: try CanvasMemory(size: size), stale: nil)]
            if rect != whole { try reset() }
            return
        }
        guard layers[current].memory.isLent else { return }
        let previous = layers[current].memory
        current = try freeLayer()
        guard let stale = layers[current].stale else { return }
        layers[current].stale = nil
        if let rect, rect.covers(stale) { return }
        copy(stale, from: previous)
    }

    /// The memory that nobody holds and that differs least, or a new one.
    private func freeLayer() throws(MediaError) -> Int {
        let free = layers.indices.filter { !layers[$0].memory.isLent }
        if let best = free.min(by: { layers[$0].stale.pixelCount < layers[$1].stale.pixelCount }) {
            return best
        }
        if layers.count == Self.layerLimit { layers.removeFirst() }
        layers.append(Layer(memory: try CanvasMemory(size: size), stale: whole))
        return layers.count - 1
    }

    private func copy(_ rect: PixelRect, from previous: CanvasMemory) {
        let stride = size.width * 4
        previous.withBytes { source in
            layers[current].memory.withMutableBytes { target in
                let (from, to) = (
                    source.baseAddress.unsafelyUnwrapped, target.baseAddress.unsafelyUnwrapped
                )
                for row in rect.y..<rect.y + rect.height {
                    let offset = row * stride + rect.x * 4
                    (to + offset).copyMemory(from: from + offset, byteCount: rect.width * 4)
                }
            }
        }
    }
}

extension PixelRect? {
    /// The smallest rectangle that holds both.
    func union(_ other: PixelRect) -> PixelRect {
        guard let self else { return other }
        return self.union(other)
    }

    var pixelCount: Int { map { $0.width * $0.height } ?? 0 }
}

extension PixelRect {
    /// The smallest rectangle that holds both.
    func union(_ other: PixelRect) -> PixelRect {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return PixelRect(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }

    /// Whether another lies inside.
    func covers(_ other: PixelRect) -> Bool { union(other) == self }
}
