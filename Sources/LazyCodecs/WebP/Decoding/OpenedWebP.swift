internal import LazyBase
internal import LazyMedia

/// A WebP whose structure is known.
struct OpenedWebP: RowReading {
    let bytes: any ByteSource
    let size: PixelSize
    let images: [WebPImage]
    /// Whether each image can be composed on a transparent canvas.
    let keyframes: [Bool]
    /// Whether all images cover the canvas and replace it.
    let areIndependent: Bool
    /// Whether every pixel of every composed frame is opaque.
    let isOpaque: Bool
    let info: MediaInfo
    private let index: FrameIndex

    init(_ bytes: any ByteSource, limits: DecodingLimits) throws(MediaError) {
        guard let file = try WebPFile(bytes, limits: limits) else {
            throw MediaError(
                bytes.count < 12 ? .truncated : .malformed, "The input does not begin as a WebP.")
        }
        guard let size = file.size, !file.images.isEmpty else { throw Self.emptiness(file) }
        try limits.check(canvas: size)
        // The rest of a still picture may still arrive.
        if !file.isAnimated, bytes.isPartial, file.damage != nil { throw Self.emptiness(file) }
        self.bytes = bytes
        self.size = size
        images = file.images
        let keyframes = Self.keyframes(file.images, size)
        self.keyframes = keyframes
        areIndependent = file.images.allSatisfy { $0.covers(size) && $0.isReplacing }
        isOpaque = Self.isOpaque(file.images, size)
        index = FrameIndex(
            file.isAnimated ? Self.timings(file.images, keyframes, .browsers) : [.still])
        info = Self.info(file, size, isOpaque: isOpaque, index.duration)
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex { index }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        WebPFrameReader(self, options)
    }

    func makeRowReader(_ options: ReaderOptions) -> (any RowReader)? {
        info.isAnimation ? nil : WebPRowReader(self, options)
    }

    /// Lends the bytes of a picture, reading them where the source is not in memory.
    func withData<Result>(
        _ image: WebPImage, _ options: ReaderOptions,
        _ body: (UnsafeRawBufferPointer) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        if let memory = bytes as? MemoryBytes {
            return try memory.withBytes { (bytes) throws(MediaError) in
                try body(UnsafeRawBufferPointer(rebasing: bytes[image.content]))
            }
        }
        try options.limits.check(memory: image.content.count)
        let data = try bytes.memory(image.content, cancellation: options.cancellation)
        return try data.withBytes(body)
    }

    /// When each frame is shown, by a rule for short delays.
    func timings(_ rule: DelayRule) -> [FrameTiming] {
        rule == .browsers || !info.isAnimation
            ? index.timings : Self.timings(images, keyframes, rule)
    }

    private static func keyframes(_ images: [WebPImage], _ size: PixelSize) -> [Bool] {
        var isBlankBefore = true
        return images.map { image in
            let isKeyframe = isBlankBefore || image.covers(size) && image.isReplacing
            // Clearing leaves the canvas blank where nothing else is on it.
            isBlankBefore = image.header.clears && (isBlankBefore || image.covers(size))
            return isKeyframe
        }
    }

    /// An opaque canvas stays opaque unless it is cleared or overwritten with alpha, and is so again once it is covered.
    private static func isOpaque(_ images: [WebPImage], _ size: PixelSize) -> Bool {
        var isCovered = false
        for image in images {
            guard image.header.blends || !image.hasAlpha else { return false }
            isCovered = isCovered || image.covers(size) && !image.hasAlpha
            guard isCovered else { return false }
            isCovered = !image.header.clears
        }
        return !images.isEmpty
    }

    private static func timings(
        _ images: [WebPImage], _ keyframes: [Bool], _ rule: DelayRule
    ) -> [FrameTiming] {
        let base = Rational(1, 1000)
        let delays = images.map { MediaTime(ticks: Int64($0.header.duration), base: base) }
        return FrameTiming.sequence(delays, base: base, rule) { keyframes[$0] }
    }

    private static func emptiness(_ file: WebPFile) -> MediaError {
        switch file.damage {
        case .truncated: MediaError(.truncated, "The WebP ends before its first frame does.")
        default: MediaError(.malformed, "The WebP holds no picture.")
        }
    }

    private static func info(
        _ file: WebPFile, _ size: PixelSize, isOpaque: Bool, _ duration: Duration
    ) -> MediaInfo {
        let isLossless = file.images.allSatisfy(\.isLossless)
        let codec = isLossless ? "vp8l" : "vp8"
        var info = MediaInfo(
            type: file.isAnimated ? .webpAnimation : .webp, codec: "webp", size: size,
            frameCount: file.images.count, duration: duration,
            loop: file.isAnimated ? .plays(file.plays) : .still, hasAlpha: !isOpaque,
            isTruncated: file.damage == .truncated,
            warnings: file.damage.map { [$0.warning] } ?? [],
            streams: [
                StreamInfo(index: 0, kind: .video, codec: codec, codedSize: size, isChosen: true)
            ])
        info.color = ColorDescription(
            matrix: isLossless ? .identity : .bt601, isFullRange: isLossless,
            profile: file.profile)
        info.bitDepth = 8
        info.pixelFormat = isLossless ? "argb" : isOpaque ? "yuv420p" : "yuva420p"
        return info
    }
}

extension MediaInfo {
    var isAnimation: Bool { type == .webpAnimation }
}

extension WebPFile.Damage {
    var warning: MediaWarning {
        switch self {
        case .truncated: .webpEndsEarly
        case .frame(let index):
            MediaWarning(.malformed, "Frame \(index) of the WebP contradicts the file.")
        }
    }
}
