internal import LazyMedia

/// Reads the one picture of a PNG.
final class PNGReader: ComposingReader, RowReader {
    var cursor: FrameCursor
    private let media: OpenedPNG
    private let colors: ReadingColors
    var color: ColorDescription { colors.color }

    init(_ media: OpenedPNG, _ options: ReaderOptions) {
        self.media = media
        cursor = FrameCursor([.still], options)
        let header = media.header
        colors = ReadingColors(header.color, .png, options.color, header.samples)
        if let warning = colors.warning { cursor.warn(warning) }
    }

    func picture(_ index: Int) throws(MediaError) -> Bitmap? {
        let options = cursor.options
        let header = media.header
        try cursor.spend(frame: header.size)
        // 8 bits would show conversions of 16 in bands.
        let deep = header.bitDepth == 16 ? colors.converter : nil
        let target = header.orientation.turned(options.size ?? media.info.size)
        let scaled =
            header.isInterlaced || target.height >= header.size.height
            ? try whole(deep).scaled(to: target) : try shrunk(to: target, deep)
        return try (deep == nil ? colors.converted(scaled) : scaled).turned(header.orientation)
    }

    /// All pixels at their size.
    private func whole(_ converter: ColorConverter?) throws(MediaError) -> Bitmap {
        let header = media.header
        var pixels = PNGPixels()
        let bitmap = try Bitmap(size: header.size, isOpaque: !header.hasAlpha) {
            (rgba) throws(MediaError) in
            pixels =
                if let converter {
                    try deepPixels(converter, into: rgba)
                } else {
                    try PNGPixels(
                        reading: media.bytes, size: header.size, into: rgba,
                        cancellation: cursor.options.cancellation)
                }
        }
        return noting(pixels, in: bitmap)
    }

    /// A smaller picture, for which no more than a row is kept of this one.
    private func shrunk(
        to target: PixelSize, _ converter: ColorConverter?
    ) throws(MediaError) -> Bitmap {
        let header = media.header
        var pixels = PNGPixels()
        let bitmap = try Bitmap(size: target, isOpaque: !header.hasAlpha) {
            (rgba) throws(MediaError) in
            let rows = RowScaler(
                from: header.size, to: target, isOpaque: !header.hasAlpha, into: rgba)
            defer { rows.finish() }
            let isDeep = converter != nil
            let taker = RowTaker { row in
                if let start = row.baseAddress { rows.add(start) }
            }
            pixels = try PNGPixels(
                reading: media.bytes, size: header.size, isDeep: isDeep,
                cancellation: cursor.options.cancellation,
                isDeep ? colors.converting(taker, isDeep: true) : taker)
        }
        return noting(pixels, in: bitmap)
    }

    func readRows(_ taker: RowTaker) throws(MediaError) -> Bool {
        let header = media.header
        try cursor.spend(frame: header.size)
        let isDeep = header.bitDepth == 16 && colors.converter != nil
        let pixels = try PNGPixels(
            reading: media.bytes, size: header.size, isDeep: isDeep,
            cancellation: cursor.options.cancellation, colors.converting(taker, isDeep: isDeep))
        try cursor.spendTime(without: taker.time)
        for warning in pixels.warnings { cursor.warn(warning) }
        return pixels.areWhole
    }

    private func noting(_ pixels: PNGPixels, in bitmap: Bitmap) -> Bitmap {
        for warning in pixels.warnings { cursor.warn(warning) }
        return pixels.areWhole ? bitmap : bitmap.notOpaque
    }

    func isDeep(_ index: Int) -> Bool { media.header.bitDepth == 16 }

    func deepPicture(_ index: Int) throws(MediaError) -> DeepBitmap? {
        let (options, header) = (cursor.options, media.header)
        try cursor.spend(frame: header.size)
        // The samples, and what they are scaled or turned to.
        try options.limits.remaining(beside: media.heldBytes).check(canvases: 4, of: header.size)
        var pixels = PNGPixels()
        let bitmap = try DeepBitmap(size: header.size, isOpaque: !header.hasAlpha) {
            (rows) throws(MediaError) in
            pixels = try PNGPixels(
                reading: media.bytes, size: header.size, into: rows, isDeep: true,
                cancellation: options.cancellation)
        }
        for warning in pixels.warnings { cursor.warn(warning) }
        return try (pixels.areWhole ? bitmap : bitmap.notOpaque)
            .scaled(to: header.orientation.turned(options.size ?? media.info.size))
            .turned(header.orientation)
    }

    /// Reads samples of 16 bits and converts their colors.
    private func deepPixels(
        _ converter: ColorConverter, into rgba: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> PNGPixels {
        let size = media.header.size
        try cursor.options.limits.remaining(beside: media.heldBytes).check(canvases: 3, of: size)
        let deep = UnsafeMutableRawBufferPointer.allocate(
            byteCount: size.rgbaByteCount * 2, alignment: 64)
        defer { deep.deallocate() }
        let pixels = try PNGPixels(
            reading: media.bytes, size: size, into: deep, isDeep: true,
            cancellation: cursor.options.cancellation)
        guard let from = deep.bindMemory(to: UInt16.self).baseAddress,
            let to = rgba.bindMemory(to: UInt32.self).baseAddress
        else { return pixels }
        for row in 0..<size.height {
            converter.convert(
                deep: from + row * size.width * 4, into: to + row * size.width, count: size.width)
        }
        return pixels
    }
}
