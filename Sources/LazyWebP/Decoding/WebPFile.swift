internal import LazyMedia

/// What a walk over the chunks of a WebP file tells: its shape and where its pictures stand.
struct WebPFile: Sendable {
    /// Why the walk ended before the end.
    enum Damage: Hashable, Sendable {
        /// The file ends within a picture, or before what it says is its end.
        case truncated
        /// A frame contradicts the file; the number is the frame's.
        case frame(Int)
    }

    /// The canvas.
    private(set) var size: PixelSize?
    /// The pictures in the order they are shown; one where the file is not animated.
    private(set) var images: [WebPImage] = []
    private(set) var isAnimated = false
    /// The number of plays in the file; nil without an `ANIM` chunk.
    private(set) var plays: Int?
    private(set) var damage: Damage?

    /// Walks a file, reading headers only; nil where it does not begin as WebP does.
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
            case .animation where plays == nil:
                plays = try bytes.exactly(
                    min(chunk.content.count, WebPAnimation.count), at: chunk.content.lowerBound
                ).flatMap { WebPAnimation($0) }?.plays
            case .frame where isAnimated && damage == nil:
                try addFrame(chunk, bytes)
                try limits.check(entries: images.count)
            case .lossy, .lossless, .alpha:
                // Picture chunks of an animation stand inside its frames.
                guard !isAnimated, images.isEmpty, damage == nil else { continue }
                try addStill(chunk, canvas, bytes)
            default: continue
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
        let image = try WebPImage(bytes, in: content, header: header)
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
        guard let image = try WebPImage(bytes, in: chunk.offset..<bytes.count, header: nil) else {
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
