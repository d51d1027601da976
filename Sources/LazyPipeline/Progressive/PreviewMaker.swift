public import LazyBytes
public import LazyMedia

/// How previews are made of bytes that are still arriving.
public enum PreviewPolicy: String, CaseIterable, Sendable {
    /// Each as good as the bytes so far allow: JPEG scans, the GIF frames so far, a video's poster.
    case incremental
    /// The small picture that the file carries for itself (EXIF, cover art), once.
    case thumbnail
    /// None.
    case disabled
}

/// Makes previews of the first part of a download, as it grows; for one task at a time.
///
/// Looks at each byte once to see whether there is more to show, and decodes only then.
public final class PreviewMaker {
    private let decoders: DecoderRegistry
    private let limits: DecodingLimits
    private let delayRule: DelayRule
    private var type: MediaType?
    private var attempts = Attempts()
    private var scans = JPEGScanWalk()
    private var shownScans = 0
    private var shownFrames = 0
    private var firstFrame: Bitmap?

    /// Makes a maker for one download.
    public init(decoders: DecoderRegistry, limits: DecodingLimits, delayRule: DelayRule) {
        self.decoders = decoders
        self.limits = limits
        self.delayRule = delayRule
    }

    /// The policy for bytes that begin like this: incremental for what gains by it, else disabled.
    ///
    /// A JPEG whose frame header has not arrived yet counts as one that does not: ask again.
    public static func defaultPolicy(for type: MediaType, prefix: Blob) -> PreviewPolicy {
        switch type {
        case .gif: return .incremental
        case .jpeg:
            var scans = JPEGScanWalk()
            scans.findFrameHeader(prefix)
            return scans.isProgressive == true ? .incremental : .disabled
        default: return type.family == .video ? .incremental : .disabled
        }
    }

    /// A preview that shows more than the one before, or nil.
    ///
    /// Frames come at `size`, or at their own size. Blocks while it decodes.
    public func makePreview(
        of prefix: Blob, policy: PreviewPolicy, size: TargetSize? = nil
    ) -> ImageContainer? {
        guard policy != .disabled, !attempts.areOver, let type = type(of: prefix) else {
            return nil
        }
        let container: ImageContainer? =
            switch (policy, type) {
            case (.thumbnail, _): makeThumbnail(of: prefix, size)
            case (_, .jpeg): makeJPEG(of: prefix, size)
            case (_, .gif): makeGIF(of: prefix, size)
            default: makePoster(of: prefix, type, size)
            }
        guard var container else { return nil }
        container.isPreview = true
        return container
    }

    private func type(of prefix: Blob) -> MediaType? {
        if let type { return type }
        guard let sniffed = try? decoders.type(of: BlobBytes(partial: prefix)), sniffed != .unknown
        else {
            return nil
        }
        type = sniffed
        return sniffed
    }

    // MARK: - Once

    private func makeThumbnail(of prefix: Blob, _ size: TargetSize?) -> ImageContainer? {
        guard attempts.begin(prefix.count), let media = open(BlobBytes(partial: prefix)) else {
            return nil
        }
        let found = try? media.embeddedPoster(options())
        guard let found, let picture = try? scaled(found, size) else { return nil }
        attempts.areOver = true
        return described(ImageContainer(still: picture, type: media.info.type), media)
    }

    /// The first frame of a video, or what has arrived of a still that is asked for all the same.
    private func makePoster(
        of prefix: Blob, _ type: MediaType, _ size: TargetSize?
    ) -> ImageContainer? {
        guard attempts.begin(prefix.count), let media = open(BlobBytes(partial: prefix)),
            let (picture, warnings) = firstFrame(of: media, size)
        else { return nil }
        if type.family != .still {
            // A frame that has not arrived whole is shown with parts made up.
            guard !warnings.contains(where: { $0.code == .corruptPackets }) else { return nil }
            attempts.areOver = true
        }
        return still(picture, media)
    }

    // MARK: - Better and better

    private func makeJPEG(of prefix: Blob, _ size: TargetSize?) -> ImageContainer? {
        scans.advance(prefix)
        guard scans.isProgressive == true else { return makeRows(of: prefix, size) }
        guard scans.scanCount > shownScans else { return nil }
        shownScans = scans.scanCount
        // Not what has come of the next scan: it would make a part of the picture better only.
        guard let media = open(BlobBytes(partial: prefix, count: scans.scanEnd)),
            let (picture, _) = firstFrame(of: media, size)
        else { return nil }
        return still(picture, media)
    }

    /// The rows of a picture that comes from top to bottom.
    private func makeRows(of prefix: Blob, _ size: TargetSize?) -> ImageContainer? {
        guard scans.isProgressive == false, attempts.begin(prefix.count, growth: 8),
            let media = open(BlobBytes(partial: prefix)),
            let (picture, _) = firstFrame(of: media, size)
        else { return nil }
        return still(picture, media)
    }

    private func makeGIF(of prefix: Blob, _ size: TargetSize?) -> ImageContainer? {
        // Opening reads all blocks that have arrived, so it waits for a 32nd more of them.
        guard attempts.begin(prefix.count, growth: 32, minimum: 1),
            let media = open(BlobBytes(partial: prefix)), let count = media.info.frameCount,
            count >= shownFrames + max(1, shownFrames / 4)
        else { return nil }
        if firstFrame == nil { firstFrame = firstFrame(of: media, size)?.picture }
        guard let firstFrame else { return nil }
        shownFrames = count
        let all = FrameSequence(media, limits: limits, delayRule: delayRule)
        let frames = size.map(all.decoded) ?? all
        return described(
            ImageContainer(frames: frames, image: firstFrame, type: media.info.type), media)
    }

    // MARK: - Decoding

    private func open(_ bytes: BlobBytes) -> (any OpenedMedia)? {
        try? decoders.open(bytes, limits: limits)
    }

    private func options(_ size: PixelSize? = nil) -> ReaderOptions {
        ReaderOptions(size: size, limits: limits, delayRule: delayRule, isSingleFrame: true)
    }

    private func firstFrame(
        of media: any OpenedMedia, _ size: TargetSize?
    ) -> (picture: Bitmap, warnings: [MediaWarning])? {
        let wanted = size?.scaledSize(of: media.info.size)
        guard let reader = try? media.makeReader(options(wanted)),
            let frame = try? reader.nextFrame()
        else { return nil }
        return (frame.bitmap, reader.warnings)
    }

    private func scaled(_ picture: Bitmap, _ size: TargetSize?) throws(MediaError) -> Bitmap {
        try picture.scaled(to: size?.scaledSize(of: picture.size) ?? picture.size)
    }

    private func still(_ picture: Bitmap, _ media: any OpenedMedia) -> ImageContainer {
        let frames = FrameSequence(
            StillMedia(picture, info: media.info), limits: limits, delayRule: delayRule)
        return described(
            ImageContainer(frames: frames, image: picture, type: media.info.type), media)
    }

    private func described(
        _ container: ImageContainer, _ media: any OpenedMedia
    ) -> ImageContainer {
        var container = container
        container.sourceSize = media.info.size
        return container
    }
}

/// When to try again what costs a walk over all bytes: not before there are so many more.
private struct Attempts {
    /// Whether there is nothing more to be had.
    var areOver = false
    private var next = 1

    /// Whether to try now; the next try waits for a share of 1/`growth` more.
    mutating func begin(_ count: Int, growth: Int = 1, minimum: Int = 1024) -> Bool {
        guard count >= next else { return false }
        next = count + max(minimum, count / growth)
        return true
    }
}
