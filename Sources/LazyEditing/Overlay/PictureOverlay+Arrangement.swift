internal import LazyMedia

// Sizes and places as imgproxy computes those of watermarks.
extension PictureOverlay.Arrangement {
    /// The size of a picture on others of a size; `factor` is theirs to the whole.
    func size(of picture: PixelSize, on whole: PixelSize, factor: Double) -> PixelSize {
        guard share > 0 else {
            return factor == 1 ? picture : Self.scaled(picture, by: factor)
        }
        let box = Self.scaled(whole, by: min(share, 1024))
        let fitting = min(
            Double(box.width) / Double(picture.width), Double(box.height) / Double(picture.height))
        return Self.scaled(picture, by: fitting)
    }

    /// At least one pixel, and no more than a bitmap may have.
    private static func scaled(_ size: PixelSize, by factor: Double) -> PixelSize {
        func side(_ length: Int) -> Int {
            Int(min(max((Double(length) * factor).rounded(), 1), 16_384))
        }
        return PixelSize(width: side(size.width), height: side(size.height))
    }

    /// The upper left corner, which may be outside; of copies that of all together.
    func origin(
        of picture: PixelSize, on whole: PixelSize, factor: Double
    ) -> (x: Int, y: Int) {
        guard !isRepeated else { return (0, 0) }
        return anchor.origin(of: picture, on: whole, density: density * factor)
    }

    /// Copies with their space around them over a size, one of them in the middle.
    func repeated(
        _ picture: Bitmap, over whole: PixelSize, factor: Double
    ) throws(MediaError) -> Bitmap {
        let density = density * factor
        let (across, down) = (
            Line(
                picture.size.width, space: Self.space(anchor.x, whole.width, density),
                over: whole.width),
            Line(
                picture.size.height, space: Self.space(anchor.y, whole.height, density),
                over: whole.height)
        )
        return try Bitmap(size: whole, isOpaque: false) { rows in
            rows.initializeMemory(as: UInt8.self, repeating: 0)
            guard let pixels = rows.bindMemory(to: Pixel.self).baseAddress else { return }
            for y in down.starts {
                for x in across.starts { picture.draw(over: pixels, of: whole, x: x, y: y) }
            }
        }
    }

    /// The pixels between two copies, at least none.
    private static func space(_ offset: Double, _ whole: Int, _ density: Double) -> Int {
        let pixels = abs(offset) >= 1 ? offset * density : offset * Double(whole)
        return Int(min(max(pixels.rounded(.toNearestOrEven), 0), 0x1p20))
    }

    /// Where copies begin on a line.
    private struct Line {
        let starts: [Int]

        init(_ length: Int, space: Int, over whole: Int) {
            let step = length + space
            // An odd number of them, so that one is in the middle.
            let count = (whole + step - 1) / step | 1
            let begin = space / 2 - (count * step - whole) / 2
            starts = (0..<count).map { begin + $0 * step }
        }
    }
}
