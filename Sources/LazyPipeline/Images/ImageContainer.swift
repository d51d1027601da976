public import LazyBytes
internal import LazyLoading
public import LazyMedia

/// What a load gives: a frame sequence with its poster; a still is a sequence of one frame.
public struct ImageContainer: Sendable {
    private struct Fields: Sendable {
        var frames: FrameSequence
        var poster: LazyPoster
        var type: MediaType?
        var isPreview = false
        var data: Blob?
        var userInfo: [UserInfoKey: any Sendable]
        var sourceBytes = 0
        var sourceSize: PixelSize?
    }

    /// The fields, held by one reference, so that handing a container on is cheap.
    ///
    /// Unchecked: written only by `fields`, while the box has one owner.
    private final class Box: @unchecked Sendable {
        var fields: Fields

        init(_ fields: Fields) { self.fields = fields }
    }

    private var box: Box

    /// The fields; a change while they are shared makes a copy.
    private var fields: Fields {
        _read { yield box.fields }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.fields) }
            yield &box.fields
        }
    }

    /// The frames: looping, silent, decoded on pull.
    public var frames: FrameSequence {
        get { fields.frames }
        set { fields.frames = newValue }
    }
    /// The poster: the first frame that can be shown, or the one the request chose.
    ///
    /// Where decoding ahead was skipped the first use blocks while it is decoded.
    public var image: Bitmap {
        get { fields.poster.bitmap }
        set { fields.poster = LazyPoster(newValue) }
    }
    /// The poster where it is decoded already, else nil; never blocks.
    public var decodedImage: Bitmap? { fields.poster.decoded }
    /// The poster, decoded on threads for that where nobody has looked at it yet.
    public var poster: Bitmap {
        get async {
            if let decodedImage { return decodedImage }
            return await BlockingPool.shared.run { self.image }
        }
    }
    /// What the bytes are; nil for pictures that came without bytes.
    public var type: MediaType? {
        get { fields.type }
        set { fields.type = newValue }
    }
    /// Whether more is to come: this is a preview.
    public var isPreview: Bool {
        get { fields.isPreview }
        set { fields.isPreview = newValue }
    }
    /// The encoded bytes, where they are worth keeping; nil for a processed picture.
    public var data: Blob? {
        get { fields.data }
        set { fields.data = newValue }
    }
    /// What decoders and processors want to hand on.
    public var userInfo: [UserInfoKey: any Sendable] {
        get { fields.userInfo }
        set { fields.userInfo = newValue }
    }

    /// Makes a container.
    public init(
        frames: FrameSequence, image: Bitmap, type: MediaType? = nil, isPreview: Bool = false,
        data: Blob? = nil, userInfo: [UserInfoKey: any Sendable] = [:]
    ) {
        box = Box(
            Fields(
                frames: frames, poster: LazyPoster(image), type: type, isPreview: isPreview,
                data: data, userInfo: userInfo))
    }

    /// Makes a container whose poster is decoded at its first use.
    public init(
        undecoded frames: FrameSequence, type: MediaType? = nil, data: Blob? = nil,
        userInfo: [UserInfoKey: any Sendable] = [:]
    ) {
        box = Box(
            Fields(
                frames: frames, poster: LazyPoster(of: frames), type: type, data: data,
                userInfo: userInfo))
    }

    /// The size of the frames in the file itself, whatever size they are handed out at.
    ///
    /// A thumbnail, `maxPixelSize` and processors leave it as it is. Of a container that was made by
    /// hand it is the size of its frames, unless another one is set.
    public var sourceSize: PixelSize {
        get { fields.sourceSize ?? frames.info.size }
        set { fields.sourceSize = newValue }
    }

    /// Bytes in memory that the frames are decoded from, also where `data` does not hand them on.
    var sourceBytes: Int {
        get { fields.sourceBytes }
        set { fields.sourceBytes = newValue }
    }

    /// Encoded bytes that stay in memory for as long as this does.
    var bytesHeld: Int { max(data?.bytesInMemory?.count ?? 0, sourceBytes) }

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
