internal import CFFmpeg
internal import LazyMedia

/// Converts frames to an encoder's pixel format.
///
/// Odd sizes grow by one column or row, a copy of the last. RGBA becomes YUV of BT.709, limited range;
/// planes are kept, except that full range becomes limited.
final class PictureFiller {
    /// The meaning of the output's samples.
    struct Colors: Equatable {
        /// The matrix of YUV, or nil for RGB.
        var matrix: PlanarPicture.Matrix?
        /// Whether chroma is sited at the left, as in most video, or between the columns.
        var isChromaLeft = false
    }

    private let source: PixelSize
    private let frame: PictureFrame
    private let format: AVPixelFormat
    private let background: PixelColor
    /// The color tags of the frames.
    let colors: Colors
    private var scaler: PictureScaler?
    private var scratch = ScratchRows()

    /// Makes a converter for frames like the first one.
    init(_ first: Frame, _ choice: EncoderChoice, background: PixelColor) throws(MediaError) {
        source = first.bitmap.size
        format = choice.format
        self.background = background
        frame = try PictureFrame(source.even, choice.format)
        let matrix = first.planes?.matrix
        if format == AV_PIX_FMT_GBRP {
            colors = Colors(matrix: nil)
        } else if format == AV_PIX_FMT_YUV420P, let matrix, matrix != .bt2020 {
            colors = Colors(matrix: matrix, isChromaLeft: true)
        } else {
            colors = Colors(matrix: .bt709)
        }
    }

    /// Fills the frame; it is valid until the next call.
    func fill(_ picture: Frame) throws(MediaError) -> PictureFrame {
        try frame.prepare()
        if let planes = picture.planes, colors.isChromaLeft, planes.matrix == colors.matrix {
            try copy(planes)
        } else if format == AV_PIX_FMT_GBRP {
            try separate(picture.bitmap)
        } else {
            try convert(picture.bitmap)
        }
        return frame
    }

    // MARK: - Planes

    private func copy(_ planes: PlanarPicture) throws(MediaError) {
        let layout = planes.layout
        let places = [
            (0, source.width, source.height, frame.size.width, frame.size.height),
            (layout.u, layout.chromaWidth, layout.chromaHeight, 0, 0),
            (layout.v, layout.chromaWidth, layout.chromaHeight, 0, 0),
        ]
        for (number, (start, width, height, wholeWidth, wholeHeight)) in places.enumerated() {
            let (target, stride) = try frame.plane(number)
            planes.withBytes { bytes in
                guard let from = bytes.baseAddress else { return }
                for row in 0..<height {
                    UnsafeMutableRawPointer(target + row * stride).copyMemory(
                        from: from + start + row * width, byteCount: width)
                }
            }
            if planes.isFullRange {
                let table = number == 0 ? Self.limitedLuma : Self.limitedChroma
                Self.apply(table, to: target, stride, width, height)
            }
            if wholeWidth > width {
                for row in 0..<height {
                    target[row * stride + width] = target[row * stride + width - 1]
                }
            }
            if wholeHeight > height {
                (target + height * stride).update(
                    from: target + (height - 1) * stride, count: wholeWidth)
            }
        }
    }

    private static func apply(
        _ table: [UInt8], to rows: UnsafeMutablePointer<UInt8>, _ stride: Int, _ width: Int,
        _ height: Int
    ) {
        table.withUnsafeBufferPointer { table in
            for y in 0..<height {
                let row = rows + y * stride
                for x in 0..<width { row[x] = table[Int(row[x])] }
            }
        }
    }

    private static let limitedLuma = (0..<256).map { (value: Int) -> UInt8 in
        UInt8(16 + (value * 219 + 127) / 255)
    }
    private static let limitedChroma = (0..<256).map { (value: Int) -> UInt8 in
        let scaled = Double(value - 128) * 224 / 255
        return UInt8(128 + Int(scaled.rounded()))
    }

    // MARK: - RGBA

    private func convert(_ bitmap: Bitmap) throws(MediaError) {
        let scaler = try rgbScaler()
        let isFlattening = format == AV_PIX_FMT_YUV420P && !bitmap.isOpaque
        let isWhole = source == frame.size
        try bitmap.withBytes { (bytes) throws(MediaError) in
            guard let rows = bytes.baseAddress else { return }
            if isWhole, !isFlattening {
                return try fill(scaler, rows, stride: bitmap.stride)
            }
            let stride = frame.size.width * 4
            let room = try scratch.room(byteCount: frame.size.rgbaByteCount)
            for y in 0..<source.height {
                let (from, to) = (rows + y * bitmap.stride, room + y * stride)
                if isFlattening {
                    background.blend(from, into: to, source.width)
                } else {
                    to.copyMemory(from: from, byteCount: source.width * 4)
                }
            }
            frame.size.repeatEdges(of: room, source)
            try fill(scaler, room, stride: stride)
        }
    }

    private func fill(
        _ scaler: PictureScaler, _ rows: UnsafeRawPointer, stride: Int
    ) throws(MediaError) {
        try check(
            lz_sws_fill(
                scaler.context, rows.assumingMemoryBound(to: UInt8.self), CInt(stride),
                CInt(frame.size.height), frame.pointer), "convert a picture")
    }

    private func rgbScaler() throws(MediaError) -> PictureScaler {
        if let scaler { return scaler }
        let settings = PictureScaler.settings(
            from: frame.size, AV_PIX_FMT_RGBA.rawValue, to: frame.size, format)
        let scaler = try PictureScaler(settings)
        _ = lz_sws_set_target_colors(
            scaler.context, colors.matrix == .bt601 ? SWS_CS_DEFAULT : SWS_CS_ITU709)
        self.scaler = scaler
        return scaler
    }

    /// Writes green, blue and red planes, the input of lossless VP9.
    private func separate(_ bitmap: Bitmap) throws(MediaError) {
        let (green, strideG) = try frame.plane(0)
        let (blue, strideB) = try frame.plane(1)
        let (red, strideR) = try frame.plane(2)
        let (source, whole) = (source, frame.size)
        bitmap.withBytes { bytes in
            guard let rows = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for y in 0..<whole.height {
                let row = rows + min(y, source.height - 1) * source.width * 4
                for x in 0..<whole.width {
                    let pixel = row + min(x, source.width - 1) * 4
                    red[y * strideR + x] = pixel[0]
                    green[y * strideG + x] = pixel[1]
                    blue[y * strideB + x] = pixel[2]
                }
            }
        }
    }
}

extension PixelSize {
    /// Copies the last column and row of a smaller picture into the added ones.
    fileprivate func repeatEdges(of rows: UnsafeMutableRawPointer, _ smaller: PixelSize) {
        let pixels = rows.assumingMemoryBound(to: UInt32.self)
        if smaller.width < width {
            for y in 0..<smaller.height {
                pixels[y * width + smaller.width] = pixels[y * width + smaller.width - 1]
            }
        }
        if smaller.height < height {
            (pixels + smaller.height * width).update(
                from: pixels + (smaller.height - 1) * width, count: width)
        }
    }
}

extension PixelColor {
    /// Composites a row of RGBA over this color, which counts as opaque.
    fileprivate func blend(
        _ row: UnsafeRawPointer, into target: UnsafeMutableRawPointer, _ width: Int
    ) {
        let from = row.assumingMemoryBound(to: UInt8.self)
        let to = target.assumingMemoryBound(to: UInt8.self)
        let under = (Int32(red), Int32(green), Int32(blue))
        for place in stride(from: 0, to: width * 4, by: 4) {
            let alpha = Int32(from[place + 3])
            to[place] = Self.mix(from[place], under.0, alpha)
            to[place + 1] = Self.mix(from[place + 1], under.1, alpha)
            to[place + 2] = Self.mix(from[place + 2], under.2, alpha)
            to[place + 3] = 255
        }
    }

    @inline(__always)
    private static func mix(_ over: UInt8, _ under: Int32, _ alpha: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: (Int32(over) * alpha + under * (255 - alpha) + 127) / 255)
    }
}
