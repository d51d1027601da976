internal import LazyMedia

/// What is done to the pixels of a picture of its final size, in this order.
package struct PictureFilter: Hashable, Sendable {
    /// The standard deviation of a blur in pixels; 0 for none.
    package var blur = 0.0
    /// The standard deviation of the details that are sharpened; 0 for none.
    package var sharpen = 0.0
    /// The side of squares of one color; 0 and 1 for none.
    package var pixelate = 0

    /// Makes a filter that changes nothing.
    package init() {}

    /// Whether pictures stay as they are.
    package var isIdentity: Bool { blur <= 0 && sharpen <= 0 && pixelate <= 1 }

    /// The largest deviation; beyond it nothing is left to be seen.
    private static let most = 1000.0

    /// The filtered picture.
    func applied(to bitmap: Bitmap) throws(MediaError) -> Bitmap {
        var bitmap = bitmap
        if blur > 0 { bitmap = try bitmap.blurred(deviation: min(blur, Self.most)) }
        if sharpen > 0 { bitmap = try bitmap.sharpened(deviation: min(sharpen, Self.most)) }
        if pixelate > 1 { bitmap = try bitmap.pixelated(side: pixelate) }
        return bitmap
    }
}

extension Bitmap {
    fileprivate func blurred(deviation: Double) throws(MediaError) -> Bitmap {
        let boxes = BoxBlur(deviation: deviation)
        guard boxes.isNeeded else { return self }
        let size = size
        // Premultiplied colors need 16 bits: twice the bytes.
        let between = try Bitmap(
            size: PixelSize(width: size.width * 2, height: size.height), isOpaque: false
        ) { lines in
            guard let to = lines.bindMemory(to: SIMD4<UInt16>.self).baseAddress else { return }
            withBytes { input in
                guard let from = input.bindMemory(to: Pixel.self).baseAddress else { return }
                boxes.blurRows(from, size, into: to)
            }
        }
        return try Bitmap(size: size, isOpaque: isOpaque) { output in
            guard let to = output.bindMemory(to: Pixel.self).baseAddress else { return }
            between.withBytes { lines in
                guard let from = lines.bindMemory(to: SIMD4<UInt16>.self).baseAddress else {
                    return
                }
                boxes.blurColumns(from, size, into: to)
            }
        }
    }

    /// Adds to each pixel its difference from its surroundings.
    fileprivate func sharpened(deviation: Double) throws(MediaError) -> Bitmap {
        let soft = try blurred(deviation: deviation)
        return try Bitmap(size: size, isOpaque: isOpaque) { output in
            let result = output.bindMemory(to: Pixel.self)
            withBytes { own in
                soft.withBytes { soft in
                    let (own, soft) = (
                        own.bindMemory(to: Pixel.self), soft.bindMemory(to: Pixel.self)
                    )
                    for place in result.indices {
                        let (one, other) = (own[place], soft[place])
                        func lane(_ lane: Int) -> UInt8 {
                            UInt8(clamping: 2 * Int(one[lane]) - Int(other[lane]))
                        }
                        result[place] = Pixel(lane(0), lane(1), lane(2), one.w)
                    }
                }
            }
        }
    }

    /// Squares from the upper left corner, each of its mean color.
    fileprivate func pixelated(side: Int) throws(MediaError) -> Bitmap {
        let size = size
        return try Bitmap(size: size, isOpaque: isOpaque) { output in
            let result = output.bindMemory(to: Pixel.self)
            withBytes { bytes in
                let pixels = bytes.bindMemory(to: Pixel.self)
                for top in Swift.stride(from: 0, to: size.height, by: side) {
                    for left in Swift.stride(from: 0, to: size.width, by: side) {
                        let rows = top..<min(top + side, size.height)
                        let columns = left..<min(left + side, size.width)
                        let mean = Self.mean(pixels, rows, columns, size.width)
                        for row in rows {
                            for column in columns { result[row * size.width + column] = mean }
                        }
                    }
                }
            }
        }
    }

    /// The mean of a part, in which transparent pixels have no color.
    private static func mean(
        _ pixels: UnsafeBufferPointer<Pixel>, _ rows: Range<Int>, _ columns: Range<Int>,
        _ width: Int
    ) -> Pixel {
        var (red, green, blue, alpha) = (0, 0, 0, 0)
        for row in rows {
            for column in columns {
                let pixel = pixels[row * width + column]
                let share = Int(pixel.w)
                red += Int(pixel.x) * share
                green += Int(pixel.y) * share
                blue += Int(pixel.z) * share
                alpha += share
            }
        }
        guard alpha > 0 else { return .zero }
        func lane(_ sum: Int) -> UInt8 { UInt8(clamping: (sum + alpha / 2) / alpha) }
        let count = rows.count * columns.count
        return Pixel(
            lane(red), lane(green), lane(blue), UInt8(clamping: (alpha + count / 2) / count))
    }
}

/// Media whose pictures are filtered.
struct FilteredMedia: MappedMedia {
    let base: any OpenedMedia
    let filter: PictureFilter

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        var inner = options
        inner.size = nil
        return PictureReader(
            base: try base.makeReader(inner), of: base.info.size,
            at: options.size ?? base.info.size
        ) { [filter] (bitmap) throws(MediaError) in try filter.applied(to: bitmap) }
    }

    /// Nil: a filter follows a scale that is made for the frames, and the embedded picture has another shape.
    func embeddedPoster(_ options: ReaderOptions) -> Bitmap? { nil }
}
