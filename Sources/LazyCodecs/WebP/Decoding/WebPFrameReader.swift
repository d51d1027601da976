internal import LazyMedia

/// Reads the composed frames of a WebP.
final class WebPFrameReader: ComposingReader {
    var cursor: FrameCursor
    private let media: OpenedWebP
    private let canvas: LayeredCanvas
    private let scaler: BitmapScaler?
    /// The decoded picture to be blended onto the canvas.
    private var overlay: [SIMD4<UInt8>] = []
    /// The frame whose predecessor is on the canvas.
    private var composable: Int?
    /// Whether lower rows of a still are missing.
    private var lacksRows = false
    private let colors: ReadingColors
    var color: ColorDescription { colors.color }
    private var options: ReaderOptions { cursor.options }

    init(_ media: OpenedWebP, _ options: ReaderOptions) {
        self.media = media
        cursor = FrameCursor(
            media.timings(options.delayRule), options, warnings: media.info.warnings)
        canvas = LayeredCanvas(size: media.size)
        scaler = options.scaler(from: media.size)
        colors = ReadingColors(media.info.color, .still, options.color)
        if let warning = colors.warning { cursor.warn(warning) }
    }

    /// The composed picture of a frame; nil where damage ends the sequence before it.
    func picture(_ target: Int) throws(MediaError) -> Bitmap? {
        guard let picture = try codedPicture(target) else { return nil }
        return try colors.converted(picture)
    }

    private func codedPicture(_ target: Int) throws(MediaError) -> Bitmap? {
        try cursor.spend(frame: media.size)
        try options.limits.check(canvas: options.size ?? media.size)
        // libwebp's picture, the canvas, and for animations the picture to blend.
        try options.limits.check(canvases: media.info.isAnimation ? 3 : 2, of: media.size)
        if let scaler, media.areIndependent, media.isOpaque, !lacksRows {
            let bitmap = try scaledPicture(target, scaler.target)
            // Missing rows are transparent, which an opaque bitmap cannot show.
            if !lacksRows { return bitmap }
        }
        guard try compose(target) else { return nil }
        let isOpaque = media.isOpaque && !lacksRows
        guard let scaler else { return try canvas.lend(isOpaque: isOpaque) }
        return try canvas.withBytes { (bytes) throws(MediaError) in
            try scaler.bitmap(of: bytes, isOpaque: isOpaque)
        }
    }

    private func compose(_ target: Int) throws(MediaError) -> Bool {
        var index = target
        while index != composable, !media.keyframes[index] { index -= 1 }
        // Whether the canvas is blank.
        var isBlank = index != composable
        composable = nil
        while index <= target {
            let before = index > 0 && !isBlank ? media.images[index - 1].header : nil
            let cleared = before.flatMap { $0.clears ? $0.rect : nil }
            if isBlank { canvas.reset() }
            if let cleared { try canvas.clear(cleared) }
            let isAlone = isBlank || media.keyframes[index]
            guard try draw(index, onBlank: isAlone, cleared: cleared) else { return false }
            isBlank = false
            index += 1
        }
        composable = index
        return true
    }

    /// Draws an image; false where damage ends the sequence.
    private func draw(
        _ index: Int, onBlank isBlank: Bool, cleared: PixelRect?
    ) throws(MediaError) -> Bool {
        let image = media.images[index]
        let rect = image.header.rect
        guard let size = PixelSize(checking: rect.width, rect.height) else { return false }
        let outcome = try media.withData(image, options) { (data) throws(MediaError) in
            guard image.isReplacing || isBlank else { return try overlay(data, size) }
            // libwebp may write only the upper rows of a still, even if all bytes are present.
            return try canvas.draw(rect, isCovered: media.info.isAnimation) {
                (start, width) throws(MediaError) in
                try WebPPixels.decode(
                    data, into: .init(start: start, stride: width * 4, size: size, isScaled: false),
                    cancellation: options.cancellation)
            }
        }
        guard try judge(outcome, index) else { return false }
        if !image.isReplacing, !isBlank { try layOverlay(rect, cleared: cleared) }
        return true
    }

    /// Decodes a picture to be blended.
    private func overlay(
        _ data: UnsafeRawBufferPointer, _ size: PixelSize
    ) throws(MediaError) -> WebPPixels.Outcome {
        if overlay.count < size.pixelCount {
            overlay = Array(repeating: .zero, count: size.pixelCount)
        }
        var outcome = Result<WebPPixels.Outcome, MediaError>.success(.damaged)
        overlay.withUnsafeMutableBytes { bytes in
            let start = bytes.baseAddress.unsafelyUnwrapped  // A picture has a pixel.
            outcome = Result { () throws(MediaError) in
                try WebPPixels.decode(
                    data,
                    into: .init(
                        start: start, stride: size.width * 4, size: size, isScaled: false),
                    cancellation: options.cancellation)
            }
        }
        return try outcome.get()
    }

    private func layOverlay(_ rect: PixelRect, cleared: PixelRect?) throws(MediaError) {
        let overlay = overlay
        try canvas.draw(rect, isCovered: false) { start, width in
            overlay.withUnsafeBufferPointer { overlay in
                let source = overlay.baseAddress.unsafelyUnwrapped
                WebPBlend.lay(source, over: start, stride: width * 4, rect, cleared: cleared)
            }
        }
    }

    /// Whether the sequence continues after an outcome.
    private func judge(_ outcome: WebPPixels.Outcome, _ index: Int) throws(MediaError) -> Bool {
        let error: MediaError
        switch outcome {
        case .whole: return true
        case .rows(let count) where !media.info.isAnimation && count > 0 && !media.bytes.isPartial:
            if cursor.warnings.isEmpty { cursor.warn(.webpEndsEarly) }
            lacksRows = true
            return true
        case .rows:
            error = MediaError(.truncated, "Frame \(index) of the WebP ends early.")
        case .damaged:
            error = MediaError(.malformed, "Frame \(index) of the WebP is damaged.")
        }
        try cursor.end(before: index, error)
        return false
    }

    // MARK: - Without a canvas

    /// A picture that needs no canvas, scaled by libwebp during decoding.
    private func scaledPicture(_ index: Int, _ size: PixelSize) throws(MediaError) -> Bitmap? {
        var isGood = false
        let bitmap = try Bitmap(size: size, isOpaque: media.isOpaque) { (rows) throws(MediaError) in
            guard let start = rows.baseAddress else { return }
            if !media.info.isAnimation {
                start.initializeMemory(as: UInt8.self, repeating: 0, count: rows.count)
            }
            let image = media.images[index]
            let outcome = try media.withData(image, options) { (data) throws(MediaError) in
                try WebPPixels.decode(
                    data,
                    into: .init(start: start, stride: size.width * 4, size: size, isScaled: true),
                    cancellation: options.cancellation)
            }
            isGood = try judge(outcome, index)
        }
        return isGood ? bitmap : nil
    }
}

extension MediaWarning {
    static let webpEndsEarly = MediaWarning(.truncated, "The WebP ends early.")
}
