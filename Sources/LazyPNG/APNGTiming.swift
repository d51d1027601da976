internal import LazyMedia

/// How long a frame is shown, as `fcTL` says it: seconds as a fraction of two 16-bit numbers.
struct APNGDelay: Equatable {
    let numerator: UInt16
    let denominator: UInt16

    /// The delay of a time: exact where both numbers have room, else the nearest there is.
    init(_ time: MediaTime) {
        let (product, overflow) = time.ticks.multipliedReportingOverflow(by: time.base.numerator)
        guard product > 0, !overflow else {
            (numerator, denominator) = (overflow && time.ticks > 0 ? .max : 0, overflow ? 1 : 1000)
            return
        }
        (numerator, denominator) = Self.nearest(product, time.base.denominator)
    }

    /// The convergents of the continued fraction, up to the last one that has room.
    private static func nearest(_ top: Int64, _ bottom: Int64) -> (UInt16, UInt16) {
        var (top, bottom) = (top, bottom)
        var last: (Int64, Int64) = (0, 1)
        var best: (Int64, Int64) = (1, 0)
        while bottom > 0 {
            let (whole, rest) = top.quotientAndRemainder(dividingBy: bottom)
            guard whole <= Int64(UInt16.max) else { break }
            let next = (whole * best.0 + last.0, whole * best.1 + last.1)
            guard next.0 <= Int64(UInt16.max), next.1 <= Int64(UInt16.max) else { break }
            (last, best) = (best, next)
            (top, bottom) = (bottom, rest)
        }
        // Longer than a fraction can say (18 hours), or shorter.
        guard best.1 > 0 else { return (.max, 1) }
        return best.0 == 0 ? (1, .max) : (UInt16(best.0), UInt16(best.1))
    }
}

/// A part of the canvas.
struct APNGRect: Equatable {
    var x = 0
    var y = 0
    var width: Int
    var height: Int

    init(_ size: PixelSize) { (width, height) = (size.width, size.height) }

    /// What differs between two pictures of one size; one pixel where nothing does.
    init(from old: Bitmap, to new: Bitmap) {
        let size = new.size
        var (left, right, top, bottom) = (size.width, -1, size.height, -1)
        old.withBytes { old in
            new.withBytes { new in
                let a = old.bindMemory(to: UInt32.self)
                let b = new.bindMemory(to: UInt32.self)
                for y in 0..<size.height {
                    let row = y * size.width
                    var first = 0
                    while first < size.width, a[row + first] == b[row + first] { first += 1 }
                    guard first < size.width else { continue }
                    var last = size.width - 1
                    while last > right, a[row + last] == b[row + last] { last -= 1 }
                    (left, right) = (min(left, first), max(right, last, first))
                    (top, bottom) = (min(top, y), y)
                }
            }
        }
        if right < 0 { (left, right, top, bottom) = (0, 0, 0, 0) }
        (x, y, width, height) = (left, top, right - left + 1, bottom - top + 1)
    }
}
