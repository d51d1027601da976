/// The transformation that makes a coded picture upright: an optional mirroring, then a rotation.
package struct Orientation: Hashable, Sendable {
    /// Quarter turns clockwise, 0 to 3.
    package var quarterTurns = 0
    /// Whether it is mirrored left to right first.
    package var isMirrored = false

    /// No transformation.
    package static let upright = Orientation()

    /// Makes an orientation of quarter turns.
    package init(quarterTurns: Int = 0, isMirrored: Bool = false) {
        self.quarterTurns = quarterTurns
        self.isMirrored = isMirrored
    }

    /// The orientation of a display matrix (ISO 14496-12, 6.2.2): a b u, c d v, x y w.
    ///
    /// A point maps to (ax + cy, bx + dy). Rotations by other than quarter turns are ignored, as the
    /// `ffmpeg` command keeps the size then, too.
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

    /// Whether width and height are swapped.
    package var isTransposing: Bool { quarterTurns % 2 == 1 }

    /// The size after the transformation, or the size before it; both are the same swap.
    package func turned(_ size: PixelSize) -> PixelSize { isTransposing ? size.transposed : size }

    /// Copies rows of RGBA8 into upright rows without padding.
    ///
    /// `size` is the size before. Works in tiles, so that a quarter turn stays in the cache.
    package func copy(
        _ rows: UnsafeRawPointer, stride: Int, size: PixelSize,
        into output: UnsafeMutableRawBufferPointer
    ) {
        copy(rows, of: UInt32.self, stride: stride, size: size, into: output)
    }

    /// Copies rows of RGBA16 into upright rows without padding.
    package func copy(
        deep rows: UnsafeRawPointer, stride: Int, size: PixelSize,
        into output: UnsafeMutableRawBufferPointer
    ) {
        copy(rows, of: UInt64.self, stride: stride, size: size, into: output)
    }

    @inline(__always)
    private func copy<Pixel: FixedWidthInteger>(
        _ rows: UnsafeRawPointer, of pixel: Pixel.Type, stride: Int, size: PixelSize,
        into output: UnsafeMutableRawBufferPointer
    ) {
        guard let target = output.baseAddress else { return }
        let bytes = MemoryLayout<Pixel>.size
        let upright = turned(size)
        let (origin, right, down) = steps(size, stride: stride, pixelBytes: bytes)
        if right == bytes {
            let rowBytes = upright.width * bytes
            for y in 0..<upright.height {
                (target + y * rowBytes).copyMemory(
                    from: rows + origin + y * down, byteCount: rowBytes)
            }
            return
        }
        let tile = 32
        for top in Swift.stride(from: 0, to: upright.height, by: tile) {
            for left in Swift.stride(from: 0, to: upright.width, by: tile) {
                for y in top..<min(top + tile, upright.height) {
                    var from = rows + origin + y * down + left * right
                    var to = target + (y * upright.width + left) * bytes
                    for _ in left..<min(left + tile, upright.width) {
                        to.storeBytes(of: from.loadUnaligned(as: Pixel.self), as: Pixel.self)
                        from += right
                        to += bytes
                    }
                }
            }
        }
    }

    /// The offset of the upright picture's first pixel in the source, and its steps right and down.
    private func steps(
        _ size: PixelSize, stride: Int, pixelBytes: Int
    ) -> (origin: Int, right: Int, down: Int) {
        let (lastColumn, lastRow) = ((size.width - 1) * pixelBytes, (size.height - 1) * stride)
        // Without mirroring: the steps in the source for each rotation.
        let plain: (x: Int, y: Int, right: (x: Int, y: Int), down: (x: Int, y: Int)) =
            switch quarterTurns {
            case 1: (0, lastRow, (0, -stride), (pixelBytes, 0))
            case 2: (lastColumn, lastRow, (-pixelBytes, 0), (0, -stride))
            case 3: (lastColumn, 0, (0, stride), (-pixelBytes, 0))
            default: (0, 0, (pixelBytes, 0), (0, stride))
            }
        // The mirroring comes first: columns of the source count from the other end.
        let sign = isMirrored ? -1 : 1
        let x = isMirrored ? lastColumn - plain.x : plain.x
        return (
            x + plain.y, sign * plain.right.x + plain.right.y, sign * plain.down.x + plain.down.y
        )
    }
}
