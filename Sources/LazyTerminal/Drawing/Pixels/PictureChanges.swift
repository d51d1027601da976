internal import LazyMedia

/// Where two pictures of one size differ.
struct PictureChanges {
    /// The smallest rectangle with all pixels that differ.
    private(set) var rect = PixelRect.empty
    /// The number of pixels that differ.
    private(set) var count = 0
    /// Whether all of these are opaque in the later picture.
    private(set) var isOpaque = true

    init(_ before: Bitmap, _ after: Bitmap) {
        let width = after.size.width
        before.withBytes { old in
            after.withBytes { new in
                let old = old.assumingMemoryBound(to: UInt32.self)
                let new = new.assumingMemoryBound(to: UInt32.self)
                for row in 0..<after.size.height {
                    compare(
                        UnsafeBufferPointer(rebasing: old[row * width..<(row + 1) * width]),
                        UnsafeBufferPointer(rebasing: new[row * width..<(row + 1) * width]), row)
                }
            }
        }
    }

    /// Gives an empty rectangle one pixel, as a picture needs.
    mutating func coverSomething() {
        if rect.isEmpty { rect = PixelRect(x: 0, y: 0, width: 1, height: 1) }
    }

    private mutating func compare(
        _ old: UnsafeBufferPointer<UInt32>, _ new: UnsafeBufferPointer<UInt32>, _ row: Int
    ) {
        guard let first = old.indices.first(where: { old[$0] != new[$0] }) else { return }
        var last = first
        var number = 0
        var alpha: UInt32 = 0xFF00_0000
        for x in first..<old.count where old[x] != new[x] {
            number += 1
            last = x
            alpha &= new[x]
        }
        count += number
        if alpha != 0xFF00_0000 { isOpaque = false }
        rect = rect.union(PixelRect(x: first, y: row, width: last + 1 - first, height: 1))
    }

    /// The rectangle of the later picture; where possible, what did not change is transparent.
    func picture(_ before: Bitmap, _ after: Bitmap) throws(MediaError) -> Bitmap {
        let (rect, stride, isMasked) = (rect, after.size.width, isOpaque)
        let size = PixelSize(width: rect.width, height: rect.height)
        return try Bitmap(size: size, isOpaque: false) { rows in
            let output = rows.assumingMemoryBound(to: UInt32.self)
            before.withBytes { old in
                after.withBytes { new in
                    let old = old.assumingMemoryBound(to: UInt32.self)
                    let new = new.assumingMemoryBound(to: UInt32.self)
                    for row in 0..<rect.height {
                        let place = (rect.y + row) * stride + rect.x
                        for x in 0..<rect.width {
                            let isSame = isMasked && old[place + x] == new[place + x]
                            output[row * rect.width + x] = isSame ? 0 : new[place + x]
                        }
                    }
                }
            }
        }
    }
}
