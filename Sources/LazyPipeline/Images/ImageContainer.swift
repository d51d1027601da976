public import FoundationEssentials
public import LazyBytes
internal import LazyLoading
public import LazyMedia

/// What a load gives: a frame sequence with its poster; a still is a sequence of one frame.
public struct ImageContainer: Sendable {
    /// What it holds; one reference, so that handing it on is cheap.
    ///
    /// Unchecked: written only in `mutate`, while it has one owner.
    private final class Storage: @unchecked Sendable {
        var frames: FrameSequence
        var poster: LazyPoster
        var type: MediaType?
        var isPreview: Bool
        var data: Blob?
        var userInfo: [UserInfoKey: any Sendable]
        var sourceBytes = 0
        var sourceSize: PixelSize?

        init(
            _ frames: FrameSequence, _ poster: LazyPoster, _ type: MediaType?, _ isPreview: Bool,
            _ data: Blob?, _ userInfo: [UserInfoKey: any Sendable]
        ) {
            self.frames = frames
            self.poster = poster
            self.type = type
            self.isPreview = isPreview
            self.data = data
            self.userInfo = userInfo
        }

        convenience init(copying other: Storage) {
            self.init(
                other.frames, other.poster, other.type, other.isPreview, other.data,
                other.userInfo)
            sourceBytes = other.sourceBytes
            sourceSize = other.sourceSize
        }
    }
    private var storage: Storage

    /// The frames: looping, silent, decoded on pull.
    public var frames: FrameSequence {
        get { storage.frames }
        set { mutate { $0.frames = newValue } }
    }
    /// The poster: the first frame that can be shown, or the one the request chose.
    ///
    /// Where decoding ahead was skipped the first use blocks while it is decoded.
    public var image: Bitmap {
        get { storage.poster.bitmap }
        set { mutate { $0.poster = LazyPoster(newValue) } }
    }
    /// The poster where it is decoded already, else nil; never blocks.
    public var decodedImage: Bitmap? { storage.poster.decoded }
    /// The poster, decoded on threads for that where nobody has looked at it yet.
    public var poster: Bitmap {
        get async {
            if let decodedImage { return decodedImage }
            return await BlockingPool.shared.run { self.image }
        }
    }
    /// What the bytes are; nil for pictures that came without bytes.
    public var type: MediaType? {
        get { storage.type }
        set { mutate { $0.type = newValue } }
    }
    /// Whether more is to come: this is a preview.
    public var isPreview: Bool {
        get { storage.isPreview }
        set { mutate { $0.isPreview = newValue } }
    }
    /// The encoded bytes, where they are worth keeping; nil for a processed picture.
    public var data: Blob? {
        get { storage.data }
        set { mutate { $0.data = newValue } }
    }
    /// What decoders and processors want to hand on.
    public var userInfo: [UserInfoKey: any Sendable] {
        get { storage.userInfo }
        set { mutate { $0.userInfo = newValue } }
    }

    /// Makes a container.
    public init(
        frames: FrameSequence, image: Bitmap, type: MediaType? = nil, isPreview: Bool = false,
        data: Blob? = nil, userInfo: [UserInfoKey: any Sendable] = [:]
    ) {
        storage = Storage(frames, LazyPoster(image), type, isPreview, data, userInfo)
    }

    /// Makes a container whose poster is decoded at its first use.
    public init(
        undecoded frames: FrameSequence, type: MediaType? = nil, data: Blob? = nil,
        userInfo: [UserInfoKey: any Sendable] = [:]
    ) {
        storage = Storage(frames, LazyPoster(of: frames), type, false, data, userInfo)
    }

    /// The size of the frames in the file itself, whatever size they are handed out at.
    ///
    /// A thumbnail, `maxPixelSize` and processors leave it as it is. Of a container that was made by
    /// hand it is the size of its frames, unless another one is set.
    public var sourceSize: PixelSize {
        get { storage.sourceSize ?? frames.info.size }
        set { mutate { $0.sourceSize = newValue } }
    }

    /// Bytes in memory that the frames are decoded from, also where `data` does not hand them on.
    var sourceBytes: Int {
        get { storage.sourceBytes }
        set { mutate { $0.sourceBytes = newValue } }
    }

    /// Encoded bytes that stay in memory for as long as this does.
    var bytesHeld: Int { max(data?.bytesInMemory?.count ?? 0, sourceBytes) }

    private mutating func mutate(_ change: (Storage) -> Void) {
        if !isKnownUniquelyReferenced(&storage) {
            storage = Storage(copying: storage)
        }
        change(storage)
    }

    /// The encoded bytes as a `data:` address, or nil where they are not kept.
    ///
    /// May be stored in a model or put into a page, and loaded like any other address. Blocks where
    /// the bytes are on a disk.
    public var dataURL: String? {
        guard let bytes = try? data?.bytes() else { return nil }
        return DataURL(mediaType: type?.mimeType, bytes: bytes).text
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
    /// Which cache answered, with the picture or with what it was made from; nil for the source.
    ///
    /// Always what `task.summary.cacheType` tells.
    public var cacheType: CacheType?

    /// The address that answered in place of the request's own, or nil.
    ///
    /// One of its `alternatives`, or its `lowDataURL`.
    public var substitute: URL?

    /// Makes an answer.
    public init(
        container: ImageContainer, request: ImageRequest, cacheType: CacheType? = nil,
        substitute: URL? = nil
    ) {
        self.container = container
        self.request = request
        self.cacheType = cacheType
        self.substitute = substitute
    }

    /// Whether the address for constrained networks answered, the `lowDataURL` of the request.
    public var isLowData: Bool { substitute != nil && substitute == request.lowDataURL }
    /// The poster.
    public var image: Bitmap { container.image }
    /// The frames.
    public var frames: FrameSequence { container.frames }
    /// Whether more is to come.
    public var isPreview: Bool { container.isPreview }
}
