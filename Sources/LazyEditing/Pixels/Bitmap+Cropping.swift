public import LazyMedia

extension Bitmap {
    /// A part of the picture; the rectangle must lie inside it.
    public func cropped(to part: PixelRect) throws(MediaError) -> Bitmap {
        precondition(part.clipped(to: size) == part, "outside the picture")
        let target = PixelSize(width: part.width, height: part.height)
        guard target != size else { return self }
        return try Bitmap(size: target, isOpaque: isOpaque) { (output) throws(MediaError) in
            write(part, into: output)
        }
    }

    /// The same part, copied on first access; it keeps the whole picture until then.
    func croppedDeferred(to part: PixelRect) throws(MediaError) -> Bitmap {
        precondition(part.clipped(to: size) == part, "outside the picture")
        let target = PixelSize(width: part.width, height: part.height)
        guard target != size else { return self }
        return try Bitmap.deferred(
            size: target, isOpaque: isOpaque, writingRows: { write(part, into: $0) })
    }

    private func write(_ part: PixelRect, into output: UnsafeMutableRawBufferPointer) {
        withBytes { input in
            output.copyRows(
                part.height, of: part.width * 4, at: 0, from: input,
                at: part.y * stride + part.x * 4, stride: stride)
        }
    }
}

extension PlanarPicture {
    /// A part of the picture that starts at even pixels.
    func cropped(to part: PixelRect) throws(MediaError) -> PlanarPicture {
        precondition(part.clipped(to: size) == part, "outside the picture")
        precondition(part.x % 2 == 0 && part.y % 2 == 0, "between two chroma samples")
        let target = PixelSize(width: part.width, height: part.height)
        guard target != size else { return self }
        let (from, to, width) = (layout, Layout(target), size.width)
        return try PlanarPicture(size: target, matrix: matrix, isFullRange: isFullRange) {
            (output) throws(MediaError) in
            withBytes { input in
                output.copyRows(
                    part.height, of: part.width, at: 0, from: input, at: part.y * width + part.x,
                    stride: width)
                let chroma = part.y / 2 * from.chromaWidth + part.x / 2
                for (source, place) in [(from.u, to.u), (from.v, to.v)] {
                    output.copyRows(
                        to.chromaHeight, of: to.chromaWidth, at: place, from: input,
                        at: source + chroma, stride: from.chromaWidth)
                }
            }
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Copies parts of rows without padding.
    fileprivate func copyRows(
        _ count: Int, of length: Int, at place: Int, from rows: UnsafeRawBufferPointer,
        at start: Int, stride: Int
    ) {
        for row in 0..<count {
            let from = start + row * stride
            let to = place + row * length
            UnsafeMutableRawBufferPointer(rebasing: self[to..<(to + length)])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: rows[from..<(from + length)]))
        }
    }
}
