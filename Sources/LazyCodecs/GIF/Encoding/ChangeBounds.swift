internal import LazyMedia

/// The bounding box of pixels.
struct ChangeBounds {
    var left = Int.max
    var right = -1
    var top = Int.max
    var bottom = -1

    /// Adds a pixel; rows come from top to bottom.
    @inline(__always)
    mutating func add(_ x: Int, _ y: Int) {
        if x < left { left = x }
        if x > right { right = x }
        if top == .max { top = y }
        bottom = y
    }

    var rect: PixelRect {
        guard right >= 0 else { return .empty }
        return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }
}
