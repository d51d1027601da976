internal import CScanline
internal import LazyMedia

/// Hands out the composed frames of an animated PNG.
final class APNGReader: FrameReader {
    private let media: OpenedAPNG
    private let timings: [FrameTiming]
    private let options: ReaderOptions
    private let scaler: BitmapScaler?
    private var canvas: APNGCanvas
    private var pixels: [UInt32] = []
    private var budget: DecodingBudget
    /// The frame that comes next.
    private var next = 0
    /// The frame that is on the canvas, or -1.
    private var shown = -1
    /// Where damage has ended the animation.
    private var end: Int
    private(set) var warnings: [MediaWarning] = []

    init(_ media: OpenedAPNG, _ options: ReaderOptions) throws(MediaError) {
        self.media = media
        self.options = options
        timings = media.timings(options.delayRule)
        end = timings.count
        budget = DecodingBudget(options.limits)
        // The canvas, the frame on its way onto it, and the picture that is handed out.
        try options.limits.remaining(beside: media.bytes.count)
            .check(canvases: 3, of: media.structure.canvas)
        canvas = try APNGCanvas(media.structure.canvas)
        let canvasSize = media.structure.canvas
        scaler = options.size.flatMap {
            $0 == canvasSize ? nil : BitmapScaler(from: canvasSize, to: $0)
        }
    }

    func nextFrame() throws(MediaError) -> Frame? {
        try options.cancellation.check()
        while options.keyframesOnly, next < end, !timings[next].isKeyframe { next += 1 }
        guard next < end else { return nil }
        let clock = ContinuousClock()
        let start = clock.now
        if shown != next {
            guard try compose(next) else { return nil }
        }
        let bitmap = try bitmap()
        try budget.spend(time: clock.now - start)
        defer { next += 1 }
        return Frame(bitmap: bitmap, timing: timings[next])
    }

    func seek(toIndex index: Int) throws(MediaError) { next = min(max(0, index), timings.count) }

    func seek(toTime time: Duration) throws(MediaError) {
        next = FrameIndex(timings).frame(at: time) ?? 0
    }

    /// Brings a frame onto the canvas; false where damage ends the animation before it.
    private func compose(_ wanted: Int) throws(MediaError) -> Bool {
        let images = media.structure.images
        let key = images[...wanted].lastIndex(where: \.isKeyframe) ?? 0
        var index = shown + 1
        if shown > wanted || key > shown {
            canvas.clear()
            index = key
        }
        shown = -1
        while index <= wanted {
            try options.cancellation.check()
            do throws(MediaError) {
                try draw(images[index], isFirst: index == 0)
            } catch  where index > 0 && [.malformed, .truncated].contains(error.code) {
                warnings.append(MediaWarning(.malformed, error.message))
                end = index
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
        try budget.spend(frame: media.structure.canvas)
        let result = try decode(image, isFirst: isFirst)
        warnings += result.warnings
        if !result.areWhole, !isFirst {
            throw MediaError(.malformed, result.warnings.last?.message ?? "A frame is damaged.")
        }
        // What comes after a damaged first frame would be laid over what is not there.
        if !result.areWhole { end = 1 }
    }

    /// Reads a frame's pixels onto the canvas: where it covers all, without a picture between.
    private func decode(
        _ image: APNGStructure.Image, isFirst: Bool
    ) throws(MediaError) -> PNGPixels {
        let media = media
        let cancellation = options.cancellation
        if canvas.isReplaced(by: image, isEmpty: isFirst) {
            return try canvas.replace(with: image) { (rgba) throws(MediaError) in
                try media.structure.pixels(of: image, in: media.bytes, into: rgba, cancellation)
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
            pixels.withUnsafeBytes {
                canvas.draw(
                    UnsafeRawBufferPointer(rebasing: $0[..<image.size.rgbaByteCount]), image)
            }
        }
        return result
    }

    private func bitmap() throws(MediaError) -> Bitmap {
        let isOpaque = !media.info.hasAlpha && end == timings.count
        let size = media.structure.canvas
        return try Bitmap(size: options.size ?? size, isOpaque: isOpaque) {
            (rows) throws(MediaError) in
            try canvas.withBytes { (shown) throws(MediaError) in
                if let scaler {
                    scaler.scale(shown, stride: size.width * 4, isOpaque: isOpaque, into: rows)
                } else {
                    rows.copyMemory(from: shown)
                }
            }
        }
    }
}

extension APNGStructure {
    /// Decodes one frame's own pixels by handing libpng its chunks as a file of the frame's size.
    func pixels(
        of image: Image, in bytes: MemoryBytes, into rgba: UnsafeMutableRawBufferPointer,
        _ cancellation: CancellationFlag
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
            // The data's check sum, of no meaning here, and IEND.
            let tail: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0, 0, 0, 0]
            let result = head.withUnsafeBytes { head in
                tail.withUnsafeBytes { tail in
                    Result { () throws(MediaError) in
                        try PNGPixels(
                            reading: [head] + pieces + [tail], size: image.size, into: rgba,
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
        let sides = [UInt32(size.width), UInt32(size.height)].flatMap(Self.bigEndian)
        head.replaceSubrange(16..<24, with: sides)
        return head + Self.bigEndian(dataLength) + Array("IDAT".utf8)
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}

extension PNGChunks {
    /// Whether a chunk's check sum is that of its name and data.
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
