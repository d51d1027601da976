internal import LazyMedia

/// The kind of a picture: flat art or natural.
enum WebPContent: Hashable, Sendable {
    /// Text, line art, screens: pixels change only at edges. Lossless is smaller.
    case flat
    /// Film, dithered film, noise. Lossy is smaller.
    case natural
    /// Undecided.
    case unclear

    /// Looks at every pixel once.
    ///
    /// Counts blocks of 16 by 16, so that black bars do not matter: of the blocks with any change,
    /// how many are busy throughout.
    init(_ bitmap: Bitmap) {
        let (busy, changing) = Self.blocks(bitmap)
        self =
            if busy * 4 < changing || changing == 0 {
                .flat
            } else if busy * 5 > changing * 3 { .natural } else { .unclear }
    }

    private static let side = 16

    /// The blocks with a pixel unlike both the one to the left and the one above, and among them
    /// those where at least every second one is.
    private static func blocks(_ bitmap: Bitmap) -> (busy: Int, changing: Int) {
        let (width, height) = (bitmap.size.width, bitmap.size.height)
        var (busy, changing) = (0, 0)
        bitmap.withBytes { bytes in
            guard let start = bytes.bindMemory(to: UInt32.self).baseAddress else { return }
            for top in stride(from: 0, to: height, by: side) {
                for left in stride(from: 0, to: width, by: side) {
                    let (right, bottom) = (min(left + side, width), min(top + side, height))
                    let count = unlike(
                        start, width, max(1, left)..<max(1, right), max(1, top)..<max(1, bottom))
                    if count > 0 { changing += 1 }
                    if count * 2 >= (right - left) * (bottom - top) { busy += 1 }
                }
            }
        }
        return (busy, changing)
    }

    private static func unlike(
        _ start: UnsafePointer<UInt32>, _ width: Int, _ columns: Range<Int>, _ rows: Range<Int>
    ) -> Int {
        var count: Int32 = 0
        for y in rows {
            let row = start + y * width
            let above = row - width
            for x in columns {
                count &+= row[x] != row[x - 1] && row[x] != above[x] ? 1 : 0
            }
        }
        return Int(count)
    }
}
