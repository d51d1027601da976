internal import CFFmpeg
internal import LazyMedia

/// The containers that clips are written in.
enum ClipFile {
    /// MP4 with its tables before the frames.
    case mp4
    /// WebM with its list of keyframes before the frames.
    case webm

    /// The name for messages.
    var name: String {
        switch self {
        case .mp4: "MP4"
        case .webm: "WebM"
        }
    }

    /// The codecs that it is written with, the default first.
    var codecs: [VideoCodecChoice] {
        switch self {
        case .mp4: [.h264, .av1]
        case .webm: [.vp9, .av1]
        }
    }

    /// Throws `.notWritable` for options that can be rejected before the first frame.
    func check(_ options: EncodingOptions) throws(MediaError) {
        if let codec = options.codec, !codecs.contains(codec) {
            throw MediaError(
                .notWritable,
                "\(name) is written with \(codecs[0].rawValue) or \(codecs[1].rawValue), not with"
                    + " \(codec.rawValue).")
        }
        if options.lossless == true, codec(options) != .vp9 {
            throw MediaError(
                .notWritable,
                "\(name) has no lossless video (--lossless), since players show \(codec(options).rawValue)"
                    + " only with loss; WebM with vp9 has it.")
        }
    }

    /// The encoder for frames of a size; loads FFmpeg.
    func encoder(
        _ size: PixelSize, hasAlpha: Bool, _ options: EncodingOptions, threads: Int
    ) throws(MediaError) -> EncoderChoice {
        try check(options)
        let codec = codec(options)
        if options.lossless == true, hasAlpha {
            throw MediaError(
                .notWritable,
                "WebM carries transparency only in video with loss; APNG and WebP"
                    + " keep both.")
        }
        guard max(size.width, size.height) <= 16_384 else {
            throw MediaError(
                .notWritable,
                "\(name) is written up to 16384 pixels a side, and the clip is \(size).")
        }
        try FFmpegLibrary.loadForWriting()
        let choices = EncoderChoice.candidates(
            codec,
            EncoderChoice.Request(
                size: size, hasAlpha: hasAlpha && codec == .vp9,
                isLossless: options.lossless == true,
                quality: min(max(options.quality ?? DefaultQuality.standard, 0), 100),
                effort: min(max(options.effort ?? 4, 0), 10),
                threads: threads))
        if let choice = choices.first(where: { lz_find_encoder_named($0.name) != nil }) {
            return choice
        }
        throw choices[0].missing
    }

    /// The codec that options request, or the default.
    func codec(_ options: EncodingOptions) -> VideoCodecChoice {
        options.codec ?? codecs[0]
    }

    /// Encodes frames as they come, on the threads for blocking work.
    func encode(
        _ frames: Frames, hasAlpha: Bool, _ options: EncodingOptions, threads: Int,
        _ sounds: [SoundPart], _ words: ClipWords, to write: ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        try await BlockingPool.shared.working { () async throws(MediaError) in
            let iterator = frames.makeAsyncIterator()
            guard let first = try await iterator.next() else {
                throw MediaError(.malformed, "There is no frame to write.")
            }
            let hasAlpha = hasAlpha || !first.bitmap.isOpaque
            let choice = try encoder(
                first.bitmap.size.even, hasAlpha: hasAlpha, options, threads: threads)
            let lock = try await choice.mutex?.lock()
            defer { lock?.unlock() }
            try await encode(first, iterator, choice, options, sounds, words, to: write)
        }
    }

    /// The encoder is closed when this returns.
    private func encode(
        _ first: Frame, _ rest: Frames.Iterator, _ choice: EncoderChoice,
        _ options: EncodingOptions, _ sounds: [SoundPart], _ words: ClipWords,
        to write: ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        let session = try ClipSession(
            self, choice, first: first, after: sounds.first?.lead ?? .zero, words, options)
        try session.add(first)
        while let frame = try await rest.next() { try session.add(frame) }
        let flag = CancellationFlag()
        // Reading the sound may wait for a network.
        let outcome = await withTaskCancellationHandler { () async -> Result<Void, MediaError> in
            do throws(MediaError) { return .success(try session.finish(sounds, flag, write)) } catch
            {
                return .failure(error)
            }
        } onCancel: {
            flag.cancel()
        }
        try outcome.get()
    }
}
