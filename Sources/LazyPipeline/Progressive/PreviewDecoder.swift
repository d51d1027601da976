package import LazyBase
package import LazyMedia

/// How previews of a download are decoded.
public enum PreviewPolicy: String, CaseIterable, Sendable {
    /// From the bytes so far: JPEG scans, a coarse JPEG XL, the GIF frames so far, a video's poster.
    case incremental
    /// From the embedded thumbnail (EXIF, cover art), once.
    case thumbnail
    /// No previews.
    case disabled
}

/// Decodes previews of a download as it grows; used by one task at a time.
///
/// Reads each byte once to find whether there is more to show, and decodes only then.
package final class PreviewDecoder {
    private let decoders: DecoderRegistry
    private let limits: DecodingLimits
    private let delayRule: DelayRule
    private var type: MediaType?
    private var attempts = Attempts()
    private var scans = JPEGScanCounter()
    private var shownScans = 0
    private var shownFrames = 0
    private var firstFrame: Bitmap?

    /// Creates a decoder for one download.
    package init(decoders: DecoderRegistry, limits: DecodingLimits, delayRule: DelayRule) {
        self.decoders = decoders
        self.limits = limits
        self.delayRule = delayRule
    }

    /// The default policy for bytes with a prefix: incremental if the format profits from it.
    ///
    /// A JPEG whose frame header has not arrived yet gets `.disabled`: query again later.
    package func defaultPolicy(for type: MediaType, prefix: Blob) -> PreviewPolicy {
        switch decoders.preview(of: type) {
        case .none: return .disabled
        case .poster, .frames: return .incremental
        case .scans:
            var scans = JPEGScanCounter()
            scans.findFrameHeader(prefix)
            return scans.isProgressive == true ? .incremental : .disabled
        }
    }

    /// A preview that shows more than the previous one, or nil.
    ///
    /// Frames are scaled to `size`, if any. Blocks while it decodes.
    package func makePreview(
        of prefix: Blob, policy: PreviewPolicy, size: TargetSize? = nil
    ) -> ImageContainer? {
        guard policy != .disabled, !attempts.areOver, let type = type(of: prefix) else {
            return nil
        }
        let container: ImageContainer? =
            switch (policy, decoders.preview(of: type)) {
            case (.thumbnail, _): makeThumbnail(of: prefix, size)
            case (_, .scans): makeScans(of: prefix, size)
            case (_, .frames): makeFrames(of: prefix, size)
            default: makePoster(of: prefix, type, size)
            }
        guard var container else { return nil }
        container.isPreview = true
        return container
    }

    /// The type of a film whose tables come after its frames, so that a download shows nothing before its end.
    ///
    /// Nil for other media, and where the tables are arriving. `total` is the size of the file.
    package func typeOfLateTables(_ prefix: Blob, of total: Int) -> MediaType? {
        guard !attempts.areOver, let type = type(of: prefix), type.family == .video,
            decoders.preview(of: type) == .poster, prefix.isBeforeTables(of: total)
        else { return nil }
        return type
    }

    /// The first frame of a film that is read where it lies.
    ///
    /// Blocks while bytes are fetched.
    package func makePoster(
        of film: any ByteSource, _ type: MediaType, size: TargetSize? = nil
    ) -> ImageContainer? {
        var container = firstPoster(of: film, type, size)
        container?.isPreview = true
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

    // MARK: - Single previews

    private func makeThumbnail(of prefix: Blob, _ size: TargetSize?) -> ImageContainer? {
        guard attempts.begin(prefix.count), let media = open(BlobBytes(partial: prefix)) else {
            return nil
        }
        let found = try? media.embeddedPoster(options())
        guard let found, let picture = try? scaled(found, size) else { return nil }
        attempts.areOver = true
        return described(ImageContainer(still: picture, type: media.info.type), media)
    }

    /// The first frame of a video, or the part of a still that has arrived.
    private func makePoster(
        of prefix: Blob, _ type: MediaType, _ size: TargetSize?
    ) -> ImageContainer? {
        guard attempts.begin(prefix.count) else { return nil }
        return firstPoster(of: BlobBytes(partial: prefix), type, size)
    }

    private func firstPoster(
        of bytes: any ByteSource, _ type: MediaType, _ size: TargetSize?
    ) -> ImageContainer? {
        guard let media = open(bytes), let (picture, warnings) = firstFrame(of: media, size)
        else { return nil }
        if type.family != .still {
            // An incomplete frame is decoded with concealed errors.
            guard !warnings.contains(where: { $0.code == .corruptPackets }) else { return nil }
            attempts.areOver = true
        }
        return still(picture, media)
    }

    // MARK: - Incremental previews

    private func makeScans(of prefix: Blob, _ size: TargetSize?) -> ImageContainer? {
        scans.advance(prefix)
        guard scans.isProgressive == true else { return makeRows(of: prefix, size) }
        guard scans.scanCount > shownScans else { return nil }
        shownScans = scans.scanCount
        // Without the incomplete next scan, which would refine only a part of the image.
        guard let media = open(BlobBytes(partial: prefix, count: scans.scanEnd)),
            let (picture, _) = firstFrame(of: media, size)
        else { return nil }
        return still(picture, media)
    }

    /// The rows so far of an image that is stored from top to bottom.
    private func makeRows(of prefix: Blob, _ size: TargetSize?) -> ImageContainer? {
        guard scans.isProgressive == false, attempts.begin(prefix.count, growth: 8),
            let media = open(BlobBytes(partial: prefix)),
            let (picture, _) = firstFrame(of: media, size)
        else { return nil }
        return still(picture, media)
    }

    private func makeFrames(of prefix: Blob, _ size: TargetSize?) -> ImageContainer? {
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

    private func open(_ bytes: any ByteSource) -> (any OpenedMedia)? {
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

/// Limits attempts that read all bytes: the next one waits for enough new bytes.
private struct Attempts {
    /// Whether no better preview is possible.
    var areOver = false
    private var next = 1

    /// Whether to try now; the next attempt waits for growth by 1/`growth`.
    mutating func begin(_ count: Int, growth: Int = 1, minimum: Int = 1024) -> Bool {
        guard count >= next else { return false }
        next = count + max(minimum, count / growth)
        return true
    }
}
