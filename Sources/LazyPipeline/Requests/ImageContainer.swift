public import LazyBase
internal import LazyLoading
public import LazyMedia

/// A loaded image: a frame sequence with its poster.
///
/// A still image is a sequence of one frame.
public struct ImageContainer: Sendable {
    private struct Fields: Sendable {
        var frames: FrameSequence
        var poster: DeferredPoster
        var type: MediaType?
        var isPreview = false
        var data: Blob?
        var userInfo: [UserInfoKey: any Sendable]
        var sourceBytes = 0
        var sourceSize: PixelSize?
    }

    /// The fields, held by one reference, so that handing a container on is cheap.
    @CopyOnWrite private var fields: Fields

    /// The frames, decoded on demand.
    public var frames: FrameSequence {
        get { fields.frames }
        set { fields.frames = newValue }
    }
    /// The poster: the first visible frame, or the one that the request selects.
    ///
    /// With `.skipDecompression`, the first access blocks while it is decoded.
    public var image: Bitmap {
        get { fields.poster.bitmap }
        set { fields.poster = DeferredPoster(newValue) }
    }
    /// The poster if it is decoded, else nil; never blocks.
    public var decodedImage: Bitmap? { fields.poster.decoded }
    /// The poster, decoded in the background if it is not decoded yet.
    public var poster: Bitmap {
        get async {
            if let decodedImage { return decodedImage }
            return await BlockingPool.shared.run { self.image }
        }
    }
    /// The type of the encoded bytes; nil for images without bytes.
    public var type: MediaType? {
        get { fields.type }
        set { fields.type = newValue }
    }
    /// Whether this is a preview.
    public var isPreview: Bool {
        get { fields.isPreview }
        set { fields.isPreview = newValue }
    }
    /// The encoded bytes, if they are kept; nil for a processed image.
    public var data: Blob? {
        get { fields.data }
        set { fields.data = newValue }
    }
    /// Custom values from decoders and processors.
    public var userInfo: [UserInfoKey: any Sendable] {
        get { fields.userInfo }
        set { fields.userInfo = newValue }
    }

    /// Creates a container.
    public init(
        frames: FrameSequence, image: Bitmap, type: MediaType? = nil, isPreview: Bool = false,
        data: Blob? = nil, userInfo: [UserInfoKey: any Sendable] = [:]
    ) {
        fields = Fields(
            frames: frames, poster: DeferredPoster(image), type: type, isPreview: isPreview,
            data: data, userInfo: userInfo)
    }

    /// Creates a container whose poster is decoded at the first access.
    public init(
        undecoded frames: FrameSequence, type: MediaType? = nil, data: Blob? = nil,
        userInfo: [UserInfoKey: any Sendable] = [:]
    ) {
        fields = Fields(
            frames: frames, poster: DeferredPoster(of: frames), type: type, data: data,
            userInfo: userInfo)
    }

    /// The size of the frames in the file, whatever size they are delivered at.
    ///
    /// Thumbnails, `maxPixelSize` and processors do not change it. For a container created by
    /// other code it is the size of the frames unless it is set.
    public var sourceSize: PixelSize {
        get { fields.sourceSize ?? frames.info.size }
        set { fields.sourceSize = newValue }
    }

    /// The number of bytes in memory that the frames are decoded from, even if `data` is nil.
    var sourceBytes: Int {
        get { fields.sourceBytes }
        set { fields.sourceBytes = newValue }
    }

    /// The number of encoded bytes that the container keeps in memory.
    var bytesHeld: Int { max(data?.bytesInMemory?.count ?? 0, sourceBytes) }

    /// The encoded bytes as a `data:` URL, or nil if they are not kept.
    ///
    /// May be stored in a model or a page, and loaded like any other URL. Blocks if
    /// the bytes are on disk.
    public var dataURL: String? {
        guard let bytes = try? data?.bytes() else { return nil }
        return DataURL(mediaType: type?.mimeType, bytes: bytes).text
    }

    /// Whether both are copies of one container.
    static func areSame(_ left: Self?, _ right: Self?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left._fields.isIdentical(to: right._fields)
    }

    /// Whether there is more than one frame; true for a video whose frames are not counted yet.
    public var isAnimated: Bool { frames.info.frameCount != 1 }
}

extension ImageContainer: CustomStringConvertible {
    /// One line, such as `ImageContainer(640x480 gif, 12 frames, preview)`; decodes nothing.
    public var description: String { "ImageContainer(\(summary))" }

    var summary: String {
        var text = "\((decodedImage?.size ?? frames.info.size))"
        if let type { text += " \(type.name)" }
        if isAnimated {
            text += frames.info.frameCount.map { ", \($0) frames" } ?? ", animated"
        }
        return isPreview ? text + ", preview" : text
    }
}
