internal import CJXL
internal import LazyMedia

/// Reads the frames of a JPEG XL, which libjxl composes.
final class JXLReader: ComposingReader {
    var cursor: FrameCursor
    private let media: OpenedJXL
    private let handle: JXLDecoderHandle
    private let scaler: BitmapScaler?
    private let colors: ReadingColors
    private let samples: SampleBuffers
    var color: ColorDescription { colors.color }
    /// The pixels before scaling.
    private var pixels: [UInt32] = []
    /// The frame that libjxl decodes next, or nil where it has to begin again.
    private var next: Int? = 0
    private var options: ReaderOptions { cursor.options }

    init(_ media: OpenedJXL, _ options: ReaderOptions) throws(MediaError) {
        self.media = media
        let size = media.header.size
        try options.limits.check(canvas: size)
        try options.limits.check(canvas: options.size ?? size)
        let header = media.header
        colors = ReadingColors(
            header.color.samples(options.color), .still, options.color, header.color.kind)
        let buffers = SampleBuffers.byteCount(header, colors.converter)
        try options.limits.remaining(beside: buffers).check(memory: header.decodedBytes)
        samples = SampleBuffers(
            header, colors.converter, keepsDepth: options.keepsDepth && header.color.isDeep)
        cursor = FrameCursor(
            media.timings(options.delayRule), options, warnings: media.info.warnings)
        handle = try JXLDecoderHandle(
            media.bytes, threads: options.threads, cancellation: options.cancellation)
        scaler = options.scaler(from: size)
        if let warning = colors.warning { cursor.warn(warning) }
        try handle.subscribe(
            to: JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME, JXL_DEC_FULL_IMAGE, mergingLayers: true)
    }

    func picture(_ index: Int) throws(MediaError) -> Bitmap? {
        try reading(index) { () throws(MediaError) in try decode(index) }
    }

    func isDeep(_ index: Int) -> Bool { media.header.color.isDeep }

    func deepPicture(_ index: Int) throws(MediaError) -> DeepBitmap? {
        let size = media.header.size
        try options.limits.check(canvases: 4, of: size)
        return try reading(index) { () throws(MediaError) in
            try reach(index)
            return try DeepBitmap(size: size, isOpaque: !media.header.hasAlpha) {
                (rows) throws(MediaError) in
                try read(index, into: rows)
            }.scaled(to: options.size ?? size)
        }
    }

    private func reading<Picture>(
        _ index: Int, _ decode: () throws(MediaError) -> Picture
    ) throws(MediaError) -> Picture? {
        let deadline = options.limits.decodeTime.map { ContinuousClock.now + $0 }
        let limits = options.limits
        handle.checkTime = { () throws(MediaError) in
            if let deadline, .now > deadline { throw limits.exceededDecodeTime }
        }
        for _ in 0..<media.header.frames[index].layers {
            try cursor.spend(frame: media.header.size)
        }
        do throws(MediaError) {
            return try decode()
        } catch {
            next = nil
            try cursor.end(before: index, error)
            return nil
        }
    }

    private func decode(_ index: Int) throws(MediaError) -> Bitmap {
        try reach(index)
        let size = media.header.size
        let isOpaque = !media.header.hasAlpha
        guard let scaler else {
            return try Bitmap(size: size, isOpaque: isOpaque) { (rows) throws(MediaError) in
                try read(index, into: rows)
            }
        }
        if pixels.isEmpty { pixels = Array(repeating: 0, count: size.pixelCount) }
        let result = pixels.withUnsafeMutableBytes { rows in
            Result { () throws(MediaError) in
                try read(index, into: rows)
                return try scaler.bitmap(of: UnsafeRawBufferPointer(rows), isOpaque: isOpaque)
            }
        }
        return try result.get()
    }

    /// Makes a frame the next one; libjxl decodes those between only where it refers to them.
    private func reach(_ index: Int) throws(MediaError) {
        var from = next ?? .max
        if from > index {
            try handle.rewind()
            from = 0
        }
        if index > from { handle.jxl.pointee.JxlDecoderSkipFrames(handle.decoder, index - from) }
        next = nil
    }

    /// Decodes the next frame into rows of RGBA8, or of RGBA16 where the samples keep their depth.
    ///
    /// libjxl 0.7 takes some sound pictures for damaged when their end comes apart from the rest, so
    /// what is damaged in pieces is tried as a whole.
    private func read(
        _ index: Int, into rows: UnsafeMutableRawBufferPointer
    ) throws(MediaError) {
        do throws(MediaError) { try readNext(index, into: rows) } catch {
            guard error.code == .malformed, handle.isInPieces, canTakeWhole else { throw error }
            try handle.rewindToWhole()
            next = 0
            try reach(index)
            try readNext(index, into: rows)
        }
        samples.finish(rows)
    }

    private var canTakeWhole: Bool {
        let bytes = media.header.decodedBytes + media.bytes.count
        return options.limits.memory.map { bytes <= $0 } ?? true
    }

    private func readNext(
        _ index: Int, into rows: UnsafeMutableRawBufferPointer
    ) throws(MediaError) {
        var hasBuffer = false
        do throws(MediaError) {
            loop: while true {
                switch try handle.next() {
                case .color:
                    let color = media.header.color
                    if color.asksForSRGB(options.color) { try color.preferSRGB(handle) }
                case .needsBuffer:
                    try samples.lend(rows, to: handle)
                    hasBuffer = true
                case .picture:
                    next = index + 1
                    break loop
                case .end:
                    throw MediaError(.truncated, "The JPEG XL ends before frame \(index).")
                case .basicInfo, .frame: continue
                }
            }
        } catch  where error.code == .truncated && hasBuffer && index == 0 {
            try flush(error)
        }
    }

    /// Shows what has come of a truncated first frame.
    ///
    /// While bytes arrive that is done for coarse versions of the whole only: of lossless pictures
    /// there are pieces.
    private func flush(_ error: MediaError) throws(MediaError) {
        let isPiecewise = media.bytes.isPartial && !media.header.color.isXYB
        guard !isPiecewise, !(media.bytes.isPartial && media.header.isAnimated),
            handle.jxl.pointee.JxlDecoderFlushImage(handle.decoder) == JXL_DEC_SUCCESS
        else { throw error }
        cursor.warn(error.warning)
        cursor.end(before: 1)
    }
}
