import Testing

@testable import LazyMedia

@Suite struct OrientationTests {
    /// A picture of 3 × 2 whose pixels are 1 to 6, row by row.
    private static let size = PixelSize(width: 3, height: 2)

    private func upright(_ orientation: Orientation) -> [UInt32] {
        // Two pixels of padding at the end of each row.
        let rows: [UInt32] = [1, 2, 3, 0, 0, 4, 5, 6, 0, 0]
        var result = [UInt32](repeating: 0, count: 6)
        result.withUnsafeMutableBytes { output in
            rows.withUnsafeBytes { input in
                guard let start = input.baseAddress else { return }
                orientation.copy(start, stride: 20, size: Self.size, into: output)
            }
        }
        return result
    }

    /// EXIF tag, pixels after it (CIPA DC-008, figure of the tag).
    @Test(arguments: [
        (1, [1, 2, 3, 4, 5, 6]), (2, [3, 2, 1, 6, 5, 4]), (3, [6, 5, 4, 3, 2, 1]),
        (4, [4, 5, 6, 1, 2, 3]), (5, [1, 4, 2, 5, 3, 6]), (6, [4, 1, 5, 2, 6, 3]),
        (7, [6, 3, 5, 2, 4, 1]), (8, [3, 6, 2, 5, 1, 4]), (0, [1, 2, 3, 4, 5, 6]),
        (9, [1, 2, 3, 4, 5, 6]),
    ]) func `each EXIF tag makes the picture upright`(tag: Int, pixels: [UInt32]) {
        #expect(upright(Orientation(exif: tag)) == pixels)
    }

    /// a, b, c, d of a display matrix, and the EXIF tag that says the same.
    @Test(arguments: [
        ([1, 0, 0, 1], 1), ([-1, 0, 0, 1], 2), ([-1, 0, 0, -1], 3), ([1, 0, 0, -1], 4),
        ([0, 1, 1, 0], 5), ([0, 1, -1, 0], 6), ([0, -1, -1, 0], 7), ([0, -1, 1, 0], 8),
        ([1, 1, -1, 1], 1),
    ]) func `each display matrix is one of eight orientations`(corners: [Int32], tag: Int) {
        let unit: Int32 = 1 << 16
        let matrix = [
            corners[0] * unit, corners[1] * unit, 0, corners[2] * unit, corners[3] * unit, 0, 0, 0,
            1 << 30,
        ]
        #expect(Orientation(displayMatrix: matrix) == Orientation(exif: tag))
    }

    @Test func `large pictures are rotated in all tiles`() {
        let size = PixelSize(width: 70, height: 40)
        let rows = (0..<UInt32(size.pixelCount)).map { $0 }
        var result = [UInt32](repeating: 0, count: size.pixelCount)
        result.withUnsafeMutableBytes { output in
            rows.withUnsafeBytes { input in
                guard let start = input.baseAddress else { return }
                Orientation(quarterTurns: 1).copy(start, stride: 280, size: size, into: output)
            }
        }
        for y in 0..<70 {
            for x in 0..<40 where result[y * 40 + x] != rows[(39 - x) * 70 + y] {
                Issue.record("pixel \(x), \(y)")
                return
            }
        }
    }

    /// The start of a JPEG: EXIF of either byte order, after another segment.
    @Test(arguments: [true, false]) func `the orientation is found in a JPEG's EXIF`(isLittle: Bool)
    {
        let entry: [UInt8] =
            isLittle
            ? [0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0] : [1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
        let head: [UInt8] =
            isLittle
            ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0] : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1]
        let body = Array("Exif".utf8) + [0, 0] + head + entry
        let jpeg: [UInt8] =
            [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xFF, 0xE1, 0, UInt8(body.count + 2)]
            + body + [0xFF, 0xDA]
        for length in 0..<jpeg.count {
            _ = jpeg[..<length].withUnsafeBytes { EXIF.orientation(jpeg: $0) }
        }
        #expect(jpeg.withUnsafeBytes { EXIF.orientation(jpeg: $0) } == 6)
    }
}
