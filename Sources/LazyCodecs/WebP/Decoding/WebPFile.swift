internal import LazyMedia

/// The structure of a WebP file: canvas, pictures and where they are.
struct WebPFile: Sendable {
    /// Why reading the chunks ended early.
    enum Damage: Hashable, Sendable {
        /// The file ends inside a picture, or before its declared end.
        case truncated
        /// The frame of this number contradicts the file.
        case frame(Int)
    }

    /// The canvas.
    private(set) var size: PixelSize?
    /// The pictures in order; one where the file is not animated.
    private(set) var images: [WebPImage] = []
    private(set) var isAnimated = false
    /// The number of plays in the file; nil without an `ANIM` chunk.
    private(set) var plays: Int?
    private(set) var damage: Damage?
    /// The ICC profile.
    private(set) var profile: ICCProfile?

    /// The largest profile that is read.
    private static let maxProfileBytes = 4 << 20

    /// Reads the headers of chunks; nil where the file does not begin as WebP.
    init?(_ bytes: any ByteSource, limits: DecodingLimits) throws(MediaError) {
        guard var chunks = try RIFFChunks(webp: bytes) else { return nil }
        var canvas: WebPExtended?
        var isFirst = true
        while let chunk = try chunks.next() {
            defer { isFirst = false }
            switch chunk.name {
            case .extended where isFirst:
                canvas = try bytes.exactly(
                    min(chunk.content.count, WebPExtended.count), at: chunk.content.lowerBound
                ).flatMap { WebPExtended($0) }
                isAnimated = canvas?.isAnimated ?? false
                size = canvas.flatMap { PixelSize(checking: $0.width, $0.height) }
                if let size { try limits.check(canvas: size) }
            case .profile where canvas != nil && profile == nil && chunk.isWhole:
                guard chunk.content.count <= Self.maxProfileBytes else { continue }
                profile = try bytes.exactly(
                    chunk.content.count, at: chunk.content.lowerBound
                ).flatMap { ICCProfile($0) }
            case .animation where plays == nil:
                plays = try bytes.exactly(
                    min(chunk.content.count, WebPAnimation.count), at: chunk.content.lowerBound
                ).flatMap { WebPAnimation($0) }?.plays
            case .frame where isAnimated && damage == nil:
                try addFrame(chunk, bytes)
                try limits.check(entries: images.count)
            case .lossy, .lossless, .alpha:
                // In an animation, chunks of pictures are inside frames.
                guard !isAnimated, images.isEmpty, damage == nil else { continue }
                try addStill(chunk, canvas, bytes)
            default:
                // A size that leads out of the file hides the frames behind it.
                if isAnimated, damage == nil, !chunk.isWhole, chunks.declaredEnd <= chunks.end {
                    damage = .frame(images.count)
                }
            }
        }
        if damage == nil, chunks.declaredEnd > chunks.end { damage = .truncated }
    }

    private mutating func addFrame(
        _ chunk: RIFFChunk, _ bytes: any ByteSource
    ) throws(MediaError) {
        let count = WebPFrameHeader.count
        guard let head = try bytes.exactly(count, at: chunk.content.lowerBound),
            chunk.content.count >= count, let header = WebPFrameHeader(head)
        else {
            damage = chunk.isWhole ? .frame(images.count) : .truncated
            return
        }
        let content = chunk.content.lowerBound + count..<chunk.content.upperBound
        let image = try WebPImage(bytes, in: content, header: header, ignoresAlpha: false)
        guard let image, let size, plays != nil, header.rect.clipped(to: size) == header.rect,
            image.isWhole
        else {
            damage = chunk.isWhole ? .frame(images.count) : .truncated
            return
        }
        images.append(image)
    }

    private mutating func addStill(
        _ chunk: RIFFChunk, _ canvas: WebPExtended?, _ bytes: any ByteSource
    ) throws(MediaError) {
        // As in Chromium, which heeds the flag in lossy stills only.
        let isOpaque = canvas.map { !$0.hasAlpha } ?? false
        guard
            let image = try WebPImage(
                bytes, in: chunk.offset..<bytes.count, header: nil, ignoresAlpha: isOpaque)
        else {
            damage = chunk.isWhole ? .frame(0) : .truncated
            return
        }
        let rect = image.header.rect
        guard let own = PixelSize(checking: rect.width, rect.height), size == nil || size == own
        else {
            damage = .frame(0)
            return
        }
        size = own
        images = [image]
        if !image.isWhole { damage = .truncated }
    }
}
