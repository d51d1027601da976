internal import CKernels
internal import LazyMedia

/// Reads the composed frames of an animated PNG.
final class APNGReader: ComposingReader {
    var cursor: FrameCursor
    private let media: OpenedAPNG
    private let scaler: BitmapScaler?
    private let canvas: LayeredCanvas
    private let colors: ReadingColors
    var color: ColorDescription { colors.color }
    private var pixels: [UInt32] = []
    /// The canvas of 16 bits a sample, where the options keep them; the other one is then unused.
    private var deepCanvas: DeepCanvas?
    private var deepPixels: [SIMD4<UInt16>] = []
    /// The frame that is on the canvas, or -1.
    private var shown = -1

    init(_ media: OpenedAPNG, _ options: ReaderOptions) throws(MediaError) {
        self.media = media
        cursor = FrameCursor(media.timings(options.delayRule), options)
        let size = media.structure.canvas
        // The canvas, the decoded frame, and the returned picture.
        try options.limits.remaining(beside: media.bytes.count).check(canvases: 3, of: size)
        canvas = LayeredCanvas(size: size)
        let header = media.structure.header
        colors = ReadingColors(header.color, .png, options.color, header.samples)
        var coded = options
        coded.size = options.size.map(header.orientation.turned)
        scaler = coded.scaler(from: size)
        if let warning = colors.warning { cursor.warn(warning) }
        if options.keepsDepth, header.bitDepth == 16 {
            // Of 16 bits: the canvas, what is restored of it, the frame, the picture, and the turned one.
            try options.limits.remaining(beside: media.bytes.count).check(canvases: 11, of: size)
            deepCanvas = DeepCanvas(size: size)
        }
    }

    func picture(_ index: Int) throws(MediaError) -> Bitmap? {
        if shown != index {
            guard try compose(index) else { return nil }
        }
        return try colors.converted(canvasPicture()).turned(media.structure.header.orientation)
    }

    func isDeep(_ index: Int) -> Bool { deepCanvas != nil }

    func deepPicture(_ index: Int) throws(MediaError) -> DeepBitmap? {
        if shown != index {
            guard try compose(index) else { return nil }
        }
        let isOpaque = !media.info.hasAlpha && cursor.end == cursor.timings.count
        let orientation = media.structure.header.orientation
        let size = orientation.turned(cursor.options.size ?? media.info.size)
        return try deepCanvas?.bitmap(isOpaque: isOpaque).scaled(to: size).turned(orientation)
    }

    private func canvasPicture() throws(MediaError) -> Bitmap {
        let isOpaque = !media.info.hasAlpha && cursor.end == cursor.timings.count
        guard let scaler else { return try canvas.lend(isOpaque: isOpaque) }
        return try canvas.withBytes { (shown) throws(MediaError) in
            try scaler.bitmap(of: shown, isOpaque: isOpaque)
        }
    }

    /// Composes a frame on the canvas; false where damage ends the animation before it.
    private func compose(_ wanted: Int) throws(MediaError) -> Bool {
        let images = media.structure.images
        let key = images[...wanted].lastIndex(where: \.isKeyframe) ?? 0
        var index = shown + 1
        if shown > wanted || key > shown {
            canvas.reset()
            deepCanvas?.reset()
            index = key
        }
        shown = -1
        while index <= wanted {
            try cursor.options.cancellation.check()
            do throws(MediaError) {
                try draw(images[index], isFirst: index == 0)
            } catch {
                try cursor.end(before: index, error)
                return false
            }
            index += 1
        }
        shown = wanted
        return true
    }

    private func draw(
        _ image: APNGStructure.Image, isFirst: Bool
    ) throws(MediaError) {
        try cursor.spend(frame: media.structure.canvas)
        let result =
            deepCanvas == nil
            ? try decode(image, isFirst: isFirst) : try decodeDeep(image, isFirst: isFirst)
        for warning in result.warnings { cursor.warn(warning) }
        if !result.areWhole, !isFirst {
            throw MediaError(.malformed, result.warnings.last?.message ?? "A frame is damaged.")
        }
        // Frames after a damaged first frame would be drawn over missing pixels.
        if !result.areWhole { cursor.end(before: 1) }
    }

    private func decodeDeep(
        _ image: APNGStructure.Image, isFirst: Bool
    ) throws(MediaError) -> PNGPixels {
        let (media, cancellation) = (media, cursor.options.cancellation)
        if deepPixels.count != image.size.pixelCount {
            deepPixels = Array(repeating: .zero, count: image.size.pixelCount)
        }
        let read = deepPixels.withUnsafeMutableBytes { rows in
            Result { () throws(MediaError) -> PNGPixels in
                try media.structure.pixels(
                    of: image, in: media.bytes, into: rows, isDeep: true, cancellation)
            }
        }
        let result = try read.get()
        if result.areWhole || isFirst {
            deepCanvas?.draw(
                deepPixels, in: image.rect, image.disposal,
                // The first frame replaces what is transparent.
                isBlended: image.isBlended && !isFirst)
        }
        return result
    }

    /// Decodes a frame's pixels onto the canvas, directly where it covers all.
    private func decode(
        _ image: APNGStructure.Image, isFirst: Bool
    ) throws(MediaError) -> PNGPixels {
        let media = media
        let cancellation = cursor.options.cancellation
        let (size, rect) = (image.size, image.rect)
        if rect == PixelRect(media.structure.canvas), isFirst || !image.isBlended {
            return try canvas.draw(rect, image.disposal, isCovered: true) {
                (start, _) throws(MediaError) in
                let rgba = UnsafeMutableRawBufferPointer(start: start, count: size.rgbaByteCount)
                return try media.structure.pixels(
                    of: image, in: media.bytes, into: rgba, cancellation)
            }
        }
        if pixels.count < image.size.pixelCount {
            pixels = []
            pixels = Array(repeating: 0, count: image.size.pixelCount)
        }
        let read = pixels.withUnsafeMutableBytes { buffer in
            Result { () throws(MediaError) -> PNGPixels in
                let rgba = UnsafeMutableRawBufferPointer(
                    rebasing: buffer[..<image.size.rgbaByteCount])
                return try media.structure.pixels(
                    of: image, in: media.bytes, into: rgba, cancellation)
            }
        }
        let result = try read.get()
        if result.areWhole || isFirst {
            try canvas.draw(rect, image.disposal, isCovered: !image.isBlended) { start, width in
                pixels.withUnsafeBufferPointer { pixels in
                    guard let from = pixels.baseAddress else { return }
                    for y in 0..<rect.height {
                        let (source, target) = (from + y * rect.width, start + y * width)
                        if image.isBlended {
                            APNGBlend.blend(source, over: target, count: rect.width)
                        } else {
                            target.update(from: source, count: rect.width)
                        }
                    }
                }
            }
        }
        return result
    }
}

extension APNGStructure {
    /// Decodes one frame's pixels by giving libpng its chunks as a file of the frame's size.
    func pixels(
        of image: Image, in bytes: MemoryBytes, into rgba: UnsafeMutableRawBufferPointer,
        isDeep: Bool = false, _ cancellation: CancellationFlag
    ) throws(MediaError) -> PNGPixels {
        try bytes.withBytes { (memory) throws(MediaError) -> PNGPixels in
            var pieces: [UnsafeRawBufferPointer] = []
            var length = 0
            var chunks = PNGChunks(
                UnsafeRawBufferPointer(rebasing: memory[..<image.chunks.upperBound]),
                at: image.chunks.lowerBound)
            let name = image.isNumbered ? PNGChunks.name("fdAT") : PNGChunks.name("IDAT")
            var sumsAreRight = true
            while let chunk = chunks.next() {
                guard chunk.name == name else { continue }
                let data = UnsafeRawBufferPointer(
                    rebasing: memory[chunk.data.dropFirst(image.isNumbered ? 4 : 0)])
                sumsAreRight = sumsAreRight && PNGChunks.hasRightSum(chunk, memory)
                length += data.count
                pieces.append(data)
            }
            guard length <= Int32.max else {
                throw MediaError(.malformed, "A frame has more bytes than a PNG can hold.")
            }
            let head = fileHead(image.size, dataLength: UInt32(length))
            // The data's checksum, which is ignored, and IEND.
            let tail: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0, 0, 0, 0]
            let result = head.withUnsafeBytes { head in
                tail.withUnsafeBytes { tail in
                    Result { () throws(MediaError) in
                        try PNGPixels(
                            reading: [head] + pieces + [tail], size: image.size, into: rgba,
                            isDeep: isDeep,
                            cancellation: cancellation)
                    }
                }
            }
            var pixels = try result.get()
            if !sumsAreRight { pixels.addWarning(.pngSumIsWrong) }
            return pixels
        }
    }

    private func fileHead(_ size: PixelSize, dataLength: UInt32) -> [UInt8] {
        var head = head
        let sides = [UInt32(size.width), UInt32(size.height)].flatMap(\.bigEndianBytes)
        head.replaceSubrange(16..<24, with: sides)
        return head + dataLength.bigEndianBytes + Array("IDAT".utf8)
    }
}

extension PNGChunks {
    /// Whether a chunk's checksum matches its name and data.
    fileprivate static func hasRightSum(_ chunk: Chunk, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return false }
        let first = chunk.range.lowerBound + 4
        return cscanline_crc(start + first, chunk.data.upperBound - first)
            == bytes.bigEndian(at: chunk.data.upperBound)
    }
}

extension MediaWarning {
    fileprivate static let pngSumIsWrong = MediaWarning(
        .malformed, "The PNG is damaged: a check sum of pixels is wrong.")
}
