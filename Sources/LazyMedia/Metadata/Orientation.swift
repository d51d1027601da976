/// How a coded picture is brought upright: mirrored left to right or not, then turned clockwise.
package struct Orientation: Hashable, Sendable {
    /// Quarter turns clockwise, 0 to 3.
    package var quarterTurns = 0
    /// Whether it is mirrored left to right first.
    package var isMirrored = false

    /// As it is.
    package static let upright = Orientation()

    /// Makes an orientation of quarter turns.
    package init(quarterTurns: Int = 0, isMirrored: Bool = false) {
        self.quarterTurns = quarterTurns
        self.isMirrored = isMirrored
    }

    /// The orientation of a display matrix (ISO 14496-12, 6.2.2): a b u, c d v, x y w.
    ///
    /// A point goes to (ax + cy, bx + dy). Turns by other than quarters are taken as none, as the
    /// `ffmpeg` command does not make a clip larger either.
    package init(displayMatrix m: [Int32]) {
        let (a, b, c, d) = (m[0], m[1], m[3], m[4])
        if b == 0, c == 0, a != 0, d != 0 {
            // (-1, 1) mirrors; (1, -1) is a mirror and a half turn; (-1, -1) a half turn.
            self.init(quarterTurns: d < 0 ? 2 : 0, isMirrored: (a < 0) != (d < 0))
        } else if a == 0, d == 0, b != 0, c != 0 {
            // Clockwise a quarter: x' = -y, y' = x.
            let isMirrored = (b < 0) == (c < 0)
            self.init(
                quarterTurns: b > 0 ? (isMirrored ? 3 : 1) : (isMirrored ? 1 : 3),
                isMirrored: isMirrored)
        } else {
            self.init()
        }
    }

    /// The orientation of an EXIF tag (CIPA DC-008, 4.6.4 A), 1 to 8; anything else is upright.
    package init(exif tag: Int) {
        switch tag {
        case 2: self.init(isMirrored: true)
        case 3: self.init(quarterTurns: 2)
        case 4: self.init(quarterTurns: 2, isMirrored: true)
        case 5: self.init(quarterTurns: 3, isMirrored: true)
        case 6: self.init(quarterTurns: 1)
        case 7: self.init(quarterTurns: 1, isMirrored: true)
        case 8: self.init(quarterTurns: 3)
        default: self.init()
        }
    }

    /// Whether width and height change places.
    package var isTransposing: Bool { quarterTurns % 2 == 1 }

    /// The size of the upright picture, or from it the size before; both are the same exchange.
    package func turned(_ size: PixelSize) -> PixelSize { isTransposing ? size.transposed : size }

    /// Copies rows of RGBA8 upright into rows without padding.
    ///
    /// `size` is the size before. Walks tiles, so that a quarter turn stays in the cache.
    package func copy(
        _ rows: UnsafeRawPointer, stride: Int, size: PixelSize,
        into output: UnsafeMutableRawBufferPointer
    ) {
        guard let target = output.baseAddress else { return }
        let upright = turned(size)
        let (origin, right, down) = steps(size, stride: stride)
        let tile = 32
        for top in Swift.stride(from: 0, to: upright.height, by: tile) {
            for left in Swift.stride(from: 0, to: upright.width, by: tile) {
                for y in top..<min(top + tile, upright.height) {
                    var from = rows + origin + y * down + left * right
                    var to = target + (y * upright.width + left) * 4
                    for _ in left..<min(left + tile, upright.width) {
                        to.storeBytes(of: from.loadUnaligned(as: UInt32.self), as: UInt32.self)
                        from += right
                        to += 4
                    }
                }
            }
        }
    }

    /// Where the upright picture's first pixel lies in the source, and its steps to the right and down.
    private func steps(_ size: PixelSize, stride: Int) -> (origin: Int, right: Int, down: Int) {
        let (lastColumn, lastRow) = ((size.width - 1) * 4, (size.height - 1) * stride)
        // Without a mirror: how the source is walked for each turn.
        let plain: (x: Int, y: Int, right: (x: Int, y: Int), down: (x: Int, y: Int)) =
            switch quarterTurns {
            case 1: (0, lastRow, (0, -stride), (4, 0))
            case 2: (lastColumn, lastRow, (-4, 0), (0, -stride))
            case 3: (lastColumn, 0, (0, stride), (-4, 0))
            default: (0, 0, (4, 0), (0, stride))
            }
        // The mirror comes first: columns of the source are counted from the other end.
        let sign = isMirrored ? -1 : 1
        let x = isMirrored ? lastColumn - plain.x : plain.x
        return (
            x + plain.y, sign * plain.right.x + plain.right.y, sign * plain.down.x + plain.down.y
        )
    }
}
