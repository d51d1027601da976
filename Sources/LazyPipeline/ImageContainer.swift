public import LazyBytes
public import LazyMedia

/// What a load gives: a frame sequence with its poster; a still is a sequence of one frame.
public struct ImageContainer: Sendable {
    /// The frames: looping, silent, decoded on pull.
    public var frames: FrameSequence
    /// The poster: the first frame that can be shown, or the one the request chose.
    public var image: Bitmap
    /// What the bytes are; nil for pictures that came without bytes.
    public var type: MediaType?
    /// Whether more is to come: this is a preview.
    public var isPreview: Bool
    /// The encoded bytes, where they are worth keeping; nil for a processed picture.
    public var data: Blob?
    /// What decoders and processors want to hand on.
    public var userInfo: [UserInfoKey: any Sendable]

    /// Makes a container.
    public init(
        frames: FrameSequence, image: Bitmap, type: MediaType? = nil, isPreview: Bool = false,
        data: Blob? = nil, userInfo: [UserInfoKey: any Sendable] = [:]
    ) {
        self.frames = frames
        self.image = image
        self.type = type
        self.isPreview = isPreview
        self.data = data
        self.userInfo = userInfo
    }

    /// Whether there is more than one frame; a video counts as more even before it is counted.
    public var isAnimated: Bool { frames.info.frameCount != 1 }
}

/// The name of something in a `userInfo`.
public struct UserInfoKey: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String

    /// Makes a key of a name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// Makes a key of a name.
    public init(stringLiteral value: String) { rawValue = value }
}

/// Where the answer of a load came from.
public enum CacheType: String, Sendable {
    /// The memory cache.
    case memory
    /// The data cache, or the store of HTTP answers.
    case disk
}

/// A finished or partial answer to a request.
public struct ImageResponse: Sendable {
    /// The frames and their poster.
    public var container: ImageContainer
    /// The request that was answered.
    public var request: ImageRequest
    /// Which cache answered, or nil for the source.
    public var cacheType: CacheType?

    /// Makes an answer.
    public init(container: ImageContainer, request: ImageRequest, cacheType: CacheType? = nil) {
        self.container = container
        self.request = request
        self.cacheType = cacheType
    }

    /// The poster.
    public var image: Bitmap { container.image }
    /// The frames.
    public var frames: FrameSequence { container.frames }
    /// Whether more is to come.
    public var isPreview: Bool { container.isPreview }
}
