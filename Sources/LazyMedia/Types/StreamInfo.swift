/// One stream of a container.
public struct StreamInfo: Hashable, Sendable {
    /// What a stream carries.
    public enum Kind: String, Sendable {
        /// Video.
        case video
        /// A picture for the whole file, such as cover art.
        case attachedPicture
        /// Audio, which is never decoded here.
        case audio
        /// Subtitles, which only overlays decode.
        case subtitle
        /// Anything else.
        case data
    }

    /// The stream's number in the container.
    public let index: Int
    /// What it carries.
    public let kind: Kind
    /// The codec's short name, or `unknown`.
    public let codec: String
    /// The coded size, for pictures.
    public let codedSize: PixelSize?
    /// Whether the frames come from this stream.
    public let isChosen: Bool
    /// The language as the container has it, such as `deu`, `ger` or `de-AT`, or nil.
    public var language: String?
    /// The name that the container gives to the stream, or nil.
    public var title: String?
    /// Whether players choose the stream unless they are told otherwise.
    public var isDefault = false
    /// Whether these are subtitles only of what is foreign in the film.
    public var isForced = false
    /// Whether these are subtitles of text, which can be drawn over the frames; others are pictures.
    public var isText = false

    /// Makes a description of a stream.
    public init(index: Int, kind: Kind, codec: String, codedSize: PixelSize?, isChosen: Bool) {
        self.index = index
        self.kind = kind
        self.codec = codec
        self.codedSize = codedSize
        self.isChosen = isChosen
    }
}
