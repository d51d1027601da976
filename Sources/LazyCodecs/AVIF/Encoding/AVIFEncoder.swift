package import LazyMedia

/// Writes AVIF by libavif: pictures, or sequences with exact delays and the number of plays.
///
/// `quality` 0 to 100 becomes the quantizer (100 − quality) · 63 / 100, as in libavif 1; the default
/// is 60. `effort` e is libavif's speed 10 − e; the default is 2, for a single picture 4, and libaom
/// works alike for all efforts up to 3. Flat art is written with whole chroma, other pictures as
/// 4:2:0. sRGB is tagged as BT.709 with sRGB's curve; other colors, and more than 8 bits, are kept where
/// frames have them. Sequences are in limited range where they are not lossless,
/// as browsers show no other rightly; planes of a video keep their matrix and are not converted.
///
/// Memory holds at most 240 coded pictures and a few dozen raw ones inside the codec; a longer
/// sequence is written in pieces that begin with keyframes and are joined. For opaque frames of
/// more than 1280 x 720 pixels the codec runs in its realtime mode, as by effort 3 and less, and
/// holds few. A sequence of one frame becomes a still picture.
package struct AVIFEncoder: MediaEncoding {
    private let options: EncodingOptions
    private let threads: Int
    private let effort: Int
    /// Whether more than one frame is an error.
    private let isStill: Bool

    /// Makes an encoder; `threads` of 0 means one a core.
    package init(
        _ options: EncodingOptions = EncodingOptions(), threads: Int = 0, isStill: Bool = false
    ) {
        self.options = options
        self.threads = threads > 0 ? threads : BlockingPool.coreCount
        self.isStill = isStill
        effort = min(10, max(0, options.effort ?? (isStill ? 4 : 2)))
    }

    package let name = "avif"

    /// The longest side of a sequence, as of films: libaom 3.6 ends the process where it codes one that is narrow and
    /// more than 32,768 pixels high.
    static let longestSide = 16_384
    /// The longest side of one picture, which AV1 has.
    static let longestPicture = 65_536

    /// Whether it writes sequences.
    package var canAnimate: Bool { !isStill }

    /// True unless pixels must be exact.
    package var prefersPlanes: Bool { options.lossless != true }

    /// True for sequences, as libaom is slow and looks far ahead.
    package var isMemoryIntensive: Bool { !isStill }

    /// Encodes frames of one size; throws `.notWritable` where there are none or sizes differ.
    package func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        try await BlockingPool.shared.working { () async throws(MediaError) in
            let depth = info.bitDepth
            if try await encode(frames, hasAlpha: info.hasAlpha, depth: depth, loop, write) {
                return
            }
            // A header without alpha may be wrong: encodes again with alpha.
            _ = try await encode(frames, hasAlpha: true, depth: depth, loop, write)
        }
    }

    /// Returns whether all was written; false where alpha was unexpected.
    private func encode(
        _ frames: Frames, hasAlpha: Bool, depth: Int?, _ loop: LoopCount,
        _ write: ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) -> Bool {
        let iterator = frames.makeAsyncIterator()
        guard let first = try await iterator.next() else {
            throw MediaError(.notWritable, "An AVIF has at least one picture.")
        }
        let second = try await iterator.next()
        if isStill, second != nil {
            throw MediaError(
                .notWritable, "An AVIF that is no sequence holds one picture, and there are more.")
        }
        let size = first.bitmap.size
        let (title, most) =
            second == nil ? ("", Self.longestPicture) : (" sequence", Self.longestSide)
        guard max(size.width, size.height) <= most else {
            throw MediaError(
                .notWritable,
                "An AVIF\(title) has at most \(most) pixels a side, and this is \(size).")
        }
        let settings = settings(
            for: first, hasAlpha: hasAlpha || !first.bitmap.isOpaqueThroughout,
            isStill: second == nil, depth: depth)
        let lock = try await EncoderHandle.mutex(settings)?.lock()
        defer { lock?.unlock() }
        guard let (file, durations) = try await encode(first, second, iterator, settings) else {
            return false
        }
        try finish(file, durations, loop, write)
        return true
    }

    /// Encodes all frames in pieces; nil where alpha was unexpected.
    ///
    /// The encoder is freed when this returns.
    private func encode(
        _ first: Frame, _ second: Frame?, _ rest: Frames.Iterator,
        _ settings: EncoderHandle.Settings
    ) async throws(MediaError) -> (any ByteSource, [MediaTime])? {
        let size = first.bitmap.size
        var (frame, next) = (first, second)
        var handle = try EncoderHandle(size, settings)
        var join: AVIFConcatenation?
        var pieceCount = 0
        var durations: [MediaTime] = []
        while true {
            guard frame.bitmap.size == size else {
                throw MediaError(
                    .notWritable,
                    "An AVIF of \(size) has no room for a frame of \(frame.bitmap.size).")
            }
            guard settings.hasAlpha || frame.bitmap.isOpaqueThroughout else { return nil }
            try handle.add(frame, isLast: next == nil)
            durations.append(frame.timing.duration)
            pieceCount += 1
            guard let following = next else { break }
            frame = following
            next = try await rest.next()
            // Two frames must remain: one alone would be a still.
            if next != nil, pieceCount >= settings.pieceLength(size) {
                let joined = join ?? AVIFConcatenation()
                try joined.append(handle.finish())
                (join, handle, pieceCount) = (joined, try EncoderHandle(size, settings), 0)
            }
        }
        let file = try handle.finish()
        guard let join else { return (file, durations) }
        try join.append(file)
        try join.finish()
        return (join, durations)
    }

    private func settings(
        for frame: Frame, hasAlpha: Bool, isStill: Bool, depth: Int?
    ) -> EncoderHandle.Settings {
        var settings = EncoderHandle.Settings()
        settings.hasAlpha = hasAlpha
        settings.isLossless = options.lossless ?? false
        settings.isFull = settings.isLossless || frame.bitmap.isFlatArt
        settings.quantizer = Self.quantizer(options.quality ?? DefaultQuality.avif)
        // From speed 7 on libavif uses libaom's realtime mode, which is never lossless and crashes
        // on alpha planes (libaom 3.6.0).
        settings.speed = min(settings.isLossless || hasAlpha ? 6 : 10, 10 - effort)
        // Otherwise libaom looks 35 frames ahead, half a gigabyte of large ones.
        let isLarge = frame.bitmap.size.isLarge
        if isLarge, !isStill, !settings.isLossless, !hasAlpha {
            settings.speed = max(settings.speed, EncoderHandle.realtimeSpeed)
        }
        settings.threads = threads
        settings.isStill = isStill
        // Chromium (156) reads the pictures of a sequence as limited range whatever the file says,
        // stills correctly.
        settings.isFullRange = isStill
        keepColors(of: frame, depth: depth, in: &settings)
        if let planes = frame.planes, !settings.isFull, !hasAlpha,
            isStill || !planes.isFullRange
        {
            settings.takesPlanes = true
            settings.matrix = planes.matrix
            settings.isFullRange = planes.isFullRange
        }
        return settings
    }

    /// Keeps the colors of a frame, and more than 8 bits where it has them.
    private func keepColors(
        of frame: Frame, depth: Int?, in settings: inout EncoderHandle.Settings
    ) {
        settings.color = frame.color
        if frame.color.primaries == .bt2020 { settings.matrix = .bt2020 }
        guard frame.deep != nil else { return }
        settings.depth = settings.isLossless || depth ?? 16 > 10 ? 12 : 10
    }

    /// libavif 1's scale: 100 is quantizer 0, 0 is 63.
    static func quantizer(_ quality: Double) -> Int {
        let quality = quality.isFinite ? min(100, max(0, quality)) : 60
        return Int(((100 - quality) * 63 / 100).rounded())
    }

    /// Sets durations and loop in the file that libavif wrote, and writes it.
    private func finish(
        _ file: any ByteSource, _ durations: [MediaTime], _ loop: LoopCount,
        _ write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        guard durations.count > 1, let found = try AVIFTrack.movie(of: file) else {
            try file.copy(0..<file.count, called: "AVIF", to: write)
            return
        }
        var edit = MovieEdit()
        edit.loop = loop
        edit.timing = MovieTiming(durations)
        edit.clearsClockTimes = true
        try edit.write(file, found, to: write)
    }
}

extension Bitmap {
    /// Whether it has few colors, whose edges subsampled chroma would blur.
    ///
    /// True for at most 256 colors in up to 64 rows.
    fileprivate var isFlatArt: Bool {
        withBytes { bytes in
            let pixels = bytes.bindMemory(to: UInt32.self)
            var colors: Set<UInt32> = []
            let step = max(1, size.height / 64)
            for y in Swift.stride(from: 0, to: size.height, by: step) {
                var last = ~pixels[y * size.width]
                for x in 0..<size.width {
                    let pixel = pixels[y * size.width + x]
                    if pixel != last, colors.insert(pixel).inserted, colors.count > 256 {
                        return false
                    }
                    last = pixel
                }
            }
            return true
        }
    }
}
