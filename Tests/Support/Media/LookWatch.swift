public import LazyMedia

/// Counts how many bitmaps were looked at.
public final class LookWatch: Sendable {
    private let looks = Locked(0)

    /// Makes a watch that has seen nothing.
    public init() {}

    /// How many bitmaps have had their rows made.
    public var count: Int { looks.withLock { $0 } }

    /// A bitmap whose rows are another's, once somebody looks.
    public func late(_ bitmap: Bitmap) throws(MediaError) -> Bitmap {
        return try Bitmap.deferred(
            size: bitmap.size, isOpaque: bitmap.isOpaque,
            writingRows: { rows in
                self.looks.withLock { $0 += 1 }
                bitmap.withBytes { rows.copyMemory(from: $0) }
            })
    }

    /// The same frame with such a bitmap.
    public func late(_ frame: Frame) throws(MediaError) -> Frame {
        Frame(
            bitmap: try late(frame.bitmap), timing: frame.timing, play: frame.play,
            planes: frame.planes)
    }
}
