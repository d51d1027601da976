internal import LazyColor
internal import LazyMedia

/// Reads the one picture of a PNG.
final class PNGReader: ComposingReader {
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
        let isDeep = header.bitDepth == 16 && colors.converter != nil
        let target = header.orientation.turned(options.size ?? media.info.size)
        let scaled =
            header.isInterlaced || target.height >= header.size.height
            ? try whole(isDeep).scaled(to: target) : try shrunk(to: target, isDeep)
        return try (isDeep ? scaled : colors.converted(scaled)).turned(header.orientation)
    }

    /// All pixels at their size.
    private func whole(_ isDeep: Bool) throws(MediaError) -> Bitmap {
        let header = media.header
        var pixels = PNGPixels()
        let bitmap = try Bitmap(size: header.size, isOpaque: !header.hasAlpha) {
            (rgba) throws(MediaError) in
            pixels = try isDeep ? deepPixels(into: rgba) : plainPixels(into: rgba)
        }
        return noting(pixels, in: bitmap)
    }

    /// A smaller picture, for which no more than a row is kept of this one.
    private func shrunk(to target: PixelSize, _ isDeep: Bool) throws(MediaError) -> Bitmap {
        let header = media.header
        let scaler = BitmapScaler(from: header.size, to: target)
        var pixels = PNGPixels()
        let bitmap = try Bitmap(size: target, isOpaque: !header.hasAlpha) {
            (rgba) throws(MediaError) in
            guard let rows = RowScaler(scaler, isOpaque: !header.hasAlpha, into: rgba) else {
                return
            }
            defer { rows.finish() }
            pixels = try isDeep ? deepPixels(rows) : plainPixels(rows)
        }
        return noting(pixels, in: bitmap)
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
        try options.limits.remaining(beside: media.bytes.count).check(canvases: 4, of: header.size)
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

    private func plainPixels(
        into rgba: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> PNGPixels {
        try PNGPixels(
            reading: media.bytes, size: media.header.size, into: rgba,
            cancellation: cursor.options.cancellation)
    }

    private func plainPixels(_ rows: RowScaler) throws(MediaError) -> PNGPixels {
        try PNGPixels(
            reading: media.bytes, size: media.header.size,
            cancellation: cursor.options.cancellation
        ) { rows.add($0) }
    }

    /// Reads samples of 16 bits and converts their colors, which 8 bits would show in bands.
    private func deepPixels(
        into rgba: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> PNGPixels {
        let size = media.header.size
        try cursor.options.limits.remaining(beside: media.bytes.count).check(canvases: 3, of: size)
        let deep = UnsafeMutableRawBufferPointer.allocate(
            byteCount: size.rgbaByteCount * 2, alignment: 64)
        defer { deep.deallocate() }
        let pixels = try PNGPixels(
            reading: media.bytes, size: size, into: deep, isDeep: true,
            cancellation: cursor.options.cancellation)
        guard let converter = colors.converter,
            let from = deep.bindMemory(to: UInt16.self).baseAddress,
            let to = rgba.bindMemory(to: UInt32.self).baseAddress
        else { return pixels }
        for row in 0..<size.height {
            converter.convert(
                deep: from + row * size.width * 4, into: to + row * size.width, count: size.width)
        }
        return pixels
    }

    private func deepPixels(_ rows: RowScaler) throws(MediaError) -> PNGPixels {
        let width = media.header.size.width
        guard let converter = colors.converter else { return try plainPixels(rows) }
        let line = UnsafeMutablePointer<UInt32>.allocate(capacity: width)
        defer { line.deallocate() }
        return try PNGPixels(
            reading: media.bytes, size: media.header.size, isDeep: true,
            cancellation: cursor.options.cancellation
        ) { row in
            converter.convert(
                deep: row.assumingMemoryBound(to: UInt16.self), into: line, count: width)
            rows.add(line)
        }
    }
}
