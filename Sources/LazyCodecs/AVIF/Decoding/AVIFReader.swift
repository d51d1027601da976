internal import LazyMedia

/// Reads the frames of an AVIF.
final class AVIFReader: ComposingReader {
    var cursor: FrameCursor
    private let media: OpenedAVIF
    private let handle: AVIFDecoderHandle
    private let scaler: BitmapScaler?
    /// Pixels before cropping, rotation and scaling.
    private var coded: [UInt32] = []
    private var upright: [UInt32] = []
    /// The last frame that libavif decoded, or -1.
    private var decoded = -1
    private var colors: ReadingColors?
    var color: ColorDescription { colors?.color ?? .sRGB }

    init(_ media: OpenedAVIF, _ options: ReaderOptions) throws(MediaError) {
        self.media = media
        cursor = FrameCursor(media.timings(options.delayRule), options)
        try options.limits.check(canvas: media.shape.coded)
        handle = try AVIFDecoderHandle(
            media.bytes, replacing: media.replaced, limits: options.limits,
            threads: options.threads, cancellation: options.cancellation)
        scaler = options.scaler(from: media.shape.shown)
    }

    func picture(_ index: Int) throws(MediaError) -> Bitmap? {
        try decode(index) { () throws(MediaError) in try shown() }
    }

    func isDeep(_ index: Int) -> Bool { media.info.bitDepth ?? 8 > 8 }

    func deepPicture(_ index: Int) throws(MediaError) -> DeepBitmap? {
        try decode(index) { () throws(MediaError) in try deepShown() }
    }

    private func decode<Picture>(
        _ index: Int, _ shown: () throws(MediaError) -> Picture
    ) throws(MediaError) -> Picture? {
        do throws(MediaError) {
            try reach(index)
            return try shown()
        } catch {
            try cursor.end(before: index, error)
            return nil
        }
    }

    /// Decodes up to a frame, from the keyframe before it where that is nearer.
    private func reach(_ wanted: Int) throws(MediaError) {
        if decoded == wanted { return }
        let key = cursor.timings[...wanted].lastIndex(where: \.isKeyframe) ?? 0
        var index = decoded >= 0 && decoded < wanted && key <= decoded ? decoded + 1 : key
        decoded = -1
        while index <= wanted {
            try cursor.options.cancellation.check()
            try cursor.spend(frame: media.shape.coded)
            try handle.decode(index)
            index += 1
        }
        decoded = wanted
    }

    /// What the container leaves open, the decoded picture tells.
    private func findColors() -> ReadingColors {
        if let colors { return colors }
        let found = ReadingColors(
            handle.color(media.tables), .still, cursor.options.color,
            handle.isGray ? .gray : .rgb)
        colors = found
        if let warning = found.warning { cursor.warn(warning) }
        return found
    }

    private func deepShown() throws(MediaError) -> DeepBitmap {
        let shape = media.shape
        _ = findColors()
        // The samples, and what they are cropped, turned or scaled to.
        try cursor.options.limits.check(canvases: 6, of: shape.coded)
        let whole = try DeepBitmap(size: shape.coded, isOpaque: !media.info.hasAlpha) {
            (rows) throws(MediaError) in
            try handle.convert(deep: rows, size: shape.coded)
        }
        return try whole.cropped(to: shape.crop).turned(shape.orientation)
            .scaled(to: cursor.options.size ?? shape.shown)
    }

    private func shown() throws(MediaError) -> Bitmap {
        let shape = media.shape
        let isOpaque = !media.info.hasAlpha
        let colors = findColors()
        if shape.isPlain, scaler == nil {
            return try Bitmap(size: shape.coded, isOpaque: isOpaque) { (rows) throws(MediaError) in
                try handle.convert(into: rows, size: shape.coded, by: colors.converter)
            }
        }
        try convert(by: colors.converter)
        guard let scaler else {
            return try Bitmap(size: shape.shown, isOpaque: isOpaque) { rows in turn(into: rows) }
        }
        if !shape.isPlain {
            if upright.isEmpty { upright = Array(repeating: 0, count: shape.shown.pixelCount) }
            var pixels = upright
            upright = []
            pixels.withUnsafeMutableBytes { turn(into: $0) }
            upright = pixels
        }
        let rows = shape.isPlain ? coded : upright
        let scaled = rows.withUnsafeBytes { rows in
            Result { () throws(MediaError) in try scaler.bitmap(of: rows, isOpaque: isOpaque) }
        }
        return try scaled.get()
    }

    private func convert(by converter: ColorConverter?) throws(MediaError) {
        if coded.isEmpty { coded = Array(repeating: 0, count: media.shape.coded.pixelCount) }
        let size = media.shape.coded
        let result = coded.withUnsafeMutableBytes { rows in
            Result { () throws(MediaError) in
                try handle.convert(into: rows, size: size, by: converter)
            }
        }
        try result.get()
    }

    private func turn(into rows: UnsafeMutableRawBufferPointer) {
        let shape = media.shape
        coded.withUnsafeBytes { coded in
            guard let start = coded.baseAddress else { return }
            let stride = shape.coded.width * 4
            shape.orientation.copy(
                start + shape.crop.y * stride + shape.crop.x * 4, stride: stride,
                size: PixelSize(width: shape.crop.width, height: shape.crop.height), into: rows)
        }
    }
}
