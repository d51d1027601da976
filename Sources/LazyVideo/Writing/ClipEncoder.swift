internal import LazyMedia

/// Encodes clips, silent unless they carry copied sound: MP4 with H.264 by x264, WebM with VP9 by libvpx, or both with AV1 by libaom or
/// SVT-AV1 where the options request it.
///
/// 8-bit 4:2:0, the tables before the frames ("faststart"), closed groups of pictures of at most two
/// seconds. Odd sizes grow by one column or row, a copy of the last one. RGBA becomes BT.709 of limited
/// range; planes (`Frame.planes`) are kept, and the file names their matrix; those of full range or
/// BT.2020 become BT.709 of limited range. `quality` 75 is x264's crf 24, and `effort` 3 and 4 are near
/// its preset veryfast; `EncoderChoice` has the whole table. No loop count is stored.
///
/// In MP4, each frame keeps its exact duration, including the last one, if all fit a clock of a million
/// ticks per second; the first is shown at 0. Lossless is rejected, because browsers do not play it.
/// In WebM, times are whole milliseconds, whose rounding errors do not accumulate, and `lossless` writes
/// VP9 of the RGB values (profile 1), for opaque frames. VP9 keeps transparency: alpha is a second
/// picture beside each frame, as Chromium and Firefox show it. Elsewhere it is composited over
/// `EncodingOptions.background`, or white.
struct ClipEncoder: MediaEncoding {
    private let file: ClipFile
    private let options: EncodingOptions
    private let threads: Int
    private var sounds: [SoundPart] = []
    private var words = ClipWords()

    /// Makes an encoder; throws `.notWritable` for options that the container cannot store.
    ///
    /// `threads` of 0 means one a core.
    init(
        _ file: ClipFile, _ options: EncodingOptions = .init(), threads: Int = 0
    ) throws(MediaError) {
        try file.check(options)
        self.file = file
        self.options = options
        self.threads = threads > 0 ? threads : BlockingPool.coreCount
    }

    /// The container and the codec, such as `mp4-h264`.
    var name: String { "\(file.name.lowercased())-\(file.codec(options).rawValue)" }
    /// Whether planes are encoded without conversion: unless RGB is encoded.
    var prefersPlanes: Bool { options.lossless != true }
    /// True for WebM: libvpx uses some 85 bytes per pixel.
    var isMemoryIntensive: Bool { file == .webm }

    /// Only VP9 has alpha.
    var canStoreAlpha: Bool { file == .webm }

    /// Encodes frames as they come; writes the file after the last one.
    func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        try await file.encode(
            frames, hasAlpha: info.hasAlpha, options, threads: threads, sounds, words, to: write)
    }

    /// The same encoder, which also copies a sound that the container takes.
    func carrying(_ sound: SoundPart) throws(MediaError) -> any MediaEncoding {
        switch file {
        case .mp4: try sound.track.format.checkMovie()
        case .webm: try sound.track.format.checkWebM()
        }
        var encoder = self
        encoder.sounds.append(sound)
        return encoder
    }

    /// The same encoder, which also writes tags and chapters.
    func carrying(_ tags: MediaTags, _ chapters: [MediaChapter]) -> any MediaEncoding {
        var encoder = self
        encoder.words = ClipWords(tags: tags, chapters: chapters)
        return encoder
    }
}
