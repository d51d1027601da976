internal import LazyMedia

extension Bitmap {
    /// The part that a view shows, turned, at a size.
    func shown(_ view: PictureView, at wanted: PixelSize) throws(MediaError) -> Bitmap {
        if view.isPlain(size) { return try scaled(to: wanted) }
        let cropped = PixelSize(width: view.crop.width, height: view.crop.height)
        let target = view.orientation.turned(wanted)
        let offset = view.crop.y * stride + view.crop.x * 4
        if target == cropped {
            return try Bitmap(size: wanted, isOpaque: isOpaque) { upright in
                withBytes { rows in
                    guard let start = rows.baseAddress else { return }
                    view.orientation.copy(
                        start + offset, stride: stride, size: cropped, into: upright)
                }
            }
        }
        let scaler = BitmapScaler(from: cropped, to: target)
        let small = try Bitmap(size: target, isOpaque: isOpaque) { output in
            withBytes { rows in
                scaler.scale(
                    .init(rebasing: rows[offset...]), stride: stride, isOpaque: isOpaque,
                    into: output)
            }
        }
        guard view.orientation != .upright else { return small }
        return try Bitmap(size: wanted, isOpaque: isOpaque) { upright in
            small.withBytes { rows in
                guard let start = rows.baseAddress else { return }
                view.orientation.copy(start, stride: small.stride, size: target, into: upright)
            }
        }
    }

    /// The same colors with alpha from the red of another picture, which is stretched to the same size.
    func masked(by mask: Bitmap, isPremultiplied: Bool) throws(MediaError) -> Bitmap {
        let mask = try mask.scaled(to: size)
        return try Bitmap(size: size, isOpaque: false) { output in
            let target = output.bindMemory(to: SIMD4<UInt8>.self)
            withBytes { colors in
                mask.withBytes { levels in
                    for index in 0..<size.pixelCount {
                        var pixel = colors.load(
                            fromByteOffset: index * 4, as: SIMD4<UInt8>.self)
                        // What could not be decoded stays transparent.
                        pixel.w = min(pixel.w, levels[index * 4])
                        target[index] = isPremultiplied ? pixel.straight : pixel
                    }
                }
            }
        }
    }

    /// Draws into rows of a canvas, over what is there where it is blended; parts outside are cut.
    func draw(
        at origin: (x: Int, y: Int), into rows: UnsafeMutableRawBufferPointer,
        _ canvas: PixelSize, isBlended: Bool
    ) {
        let whole = PixelRect(x: origin.x, y: origin.y, width: size.width, height: size.height)
        guard let rect = whole.clipped(to: canvas) else { return }
        let target = rows.bindMemory(to: SIMD4<UInt8>.self)
        withBytes { bytes in
            let source = bytes.bindMemory(to: SIMD4<UInt8>.self)
            for y in rect.y..<rect.bottom {
                let from = (y - origin.y) * size.width - origin.x
                for x in rect.x..<rect.right {
                    let pixel = source[from + x]
                    let place = y * canvas.width + x
                    target[place] =
                        isBlended && pixel.w < 255
                        ? Self.over(pixel, target[place]) : pixel
                }
            }
        }
    }

    /// One pixel with straight alpha over another (Porter and Duff).
    private static func over(_ top: SIMD4<UInt8>, _ bottom: SIMD4<UInt8>) -> SIMD4<UInt8> {
        guard top.w > 0 else { return bottom }
        let front = Int(top.w) * 255
        let back = Int(bottom.w) * (255 - Int(top.w))
        let sum = front + back
        func level(_ a: UInt8, _ b: UInt8) -> UInt8 {
            UInt8((Int(a) * front + Int(b) * back + sum / 2) / sum)
        }
        return SIMD4(
            level(top.x, bottom.x), level(top.y, bottom.y), level(top.z, bottom.z),
            UInt8((sum + 127) / 255))
    }
}

extension SIMD4 where Scalar: FixedWidthInteger & UnsignedInteger {
    /// RGBA with straight alpha, of RGBA with premultiplied alpha.
    var straight: Self {
        let (alpha, most) = (Int(w), Int(Scalar.max))
        guard alpha > 0 else { return .zero }
        guard alpha < most else { return self }
        func level(_ value: Scalar) -> Scalar {
            Scalar(Swift.min(most, (Int(value) * most + alpha / 2) / alpha))
        }
        return Self(level(x), level(y), level(z), w)
    }
}
