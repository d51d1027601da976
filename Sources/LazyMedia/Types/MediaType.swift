/// The type of media, found from its bytes alone, never from a name or a Content-Type.
///
/// Types of one name are equal.
public struct MediaType: Hashable, Sendable, CustomStringConvertible {
    /// The stable short name, such as `gif`, `mp4` or `webm`.
    public let name: String
    /// The name of the format as people write it, such as `WebP`.
    public let title: String
    /// The media types of RFC 6838, the preferred one first, such as `image/gif`.
    public let mimeTypes: [String]
    /// The file extensions, without the dot; new files get the first.
    public let fileExtensions: [String]
    /// The family of formats.
    public let family: Family

    /// The families of formats.
    public enum Family: String, CaseIterable, Sendable {
        /// Frames in a picture format.
        case animation
        /// One picture.
        case still
        /// A video container.
        case video
        /// Sound, whose picture is its cover.
        case audio
        /// Unknown.
        case unknown
    }

    /// The result of sniffing a prefix.
    public enum Sniffed: Hashable, Sendable {
        /// The type is certain.
        case known(MediaType)
        /// A prefix of this many bytes is needed.
        case needsBytes(Int)
    }

    /// Makes a type; its title is the name in capitals where none is given.
    public init(
        name: String, title: String? = nil, mimeType: String, otherMIMETypes: [String] = [],
        family: Family, fileExtensions: [String] = []
    ) {
        self.name = name
        self.title = title ?? name.uppercased()
        mimeTypes = [mimeType] + otherMIMETypes
        self.fileExtensions = fileExtensions
        self.family = family
    }

    /// The media type of RFC 6838, such as `image/gif`.
    public var mimeType: String { mimeTypes[0] }

    /// The short name.
    public var description: String { name }

    /// Whether two types have one name.
    public static func == (left: MediaType, right: MediaType) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
