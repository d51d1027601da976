internal import LazyMedia

/// A rectangle of whole pixels; empty where a side is 0.
struct GIFRect: Hashable, Sendable {
    var left = 0
    var top = 0
    var width = 0
    var height = 0

    static let empty = GIFRect()

    var right: Int { left + width }
    var bottom: Int { top + height }
    var isEmpty: Bool { width == 0 || height == 0 }
    var pixelCount: Int { width * height }

    init() {}

    init(left: Int, top: Int, width: Int, height: Int) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
    }

    /// All of a canvas.
    init(_ size: PixelSize) {
        self.init(left: 0, top: 0, width: size.width, height: size.height)
    }

    /// The part that lies on a canvas.
    func clipped(to size: PixelSize) -> GIFRect {
        let width = min(right, size.width) - left
        let height = min(bottom, size.height) - top
        guard width > 0, height > 0 else { return .empty }
        return GIFRect(left: left, top: top, width: width, height: height)
    }

    /// The smallest rectangle around both.
    func union(_ other: GIFRect) -> GIFRect {
        if isEmpty { return other }
        if other.isEmpty { return self }
        let left = min(left, other.left)
        let top = min(top, other.top)
        return GIFRect(
            left: left, top: top, width: max(right, other.right) - left,
            height: max(bottom, other.bottom) - top)
    }

    /// Whether all of another rectangle lies inside.
    func covers(_ other: GIFRect) -> Bool {
        other.isEmpty
            || (left <= other.left && top <= other.top && right >= other.right
                && bottom >= other.bottom)
    }
}
