public import LazyBatch
public import LazyMedia

/// An item of a gallery: what the page says about a file, and which files it has for it.
public struct GalleryItem: BatchProduct, Equatable, Sendable {
    /// What an item is to its visitor.
    public enum Kind: String, Sendable {
        /// A video.
        case film
        /// A picture that moves.
        case animation
        /// A picture.
        case still
    }

    /// The sprite sheet of an item, whose tiles are evenly distributed over its time.
    public struct Sheet: Equatable, Sendable {
        /// The number of tiles.
        public var count: Int
        /// Tiles side by side.
        public var columns: Int
    }

    /// The name of its folder in the site.
    public var id: String
    /// The file's name, for people.
    public var name: String
    /// The folders of the file below the searched one, for people.
    public var subfolder: String
    /// What it is.
    public var kind: Kind
    /// The format and the codec, such as `MP4, h264`.
    public var format: String
    /// The size of the picture.
    public var size: PixelSize
    /// The number of frames.
    public var frameCount: Int
    /// The length of one play in milliseconds.
    public var milliseconds: Int
    /// How often it plays; 0 for forever.
    public var plays: Int
    /// The size of the file.
    public var byteCount: Int
    /// When the file was last changed, in seconds since 1970.
    public var modified: Int
    /// The placeholder in base64, a `ThumbHash`.
    public var placeholder: String
    /// The widths of its posters.
    public var widths: [Int]
    /// Whether there is a moving preview.
    public var hasPreview: Bool
    /// The sprite sheet, if there is one.
    public var sheet: Sheet?
    /// The file that is played, if there is one.
    public var media: String?
    /// Changes with the files, so that browsers load them again.
    public var version: String
    /// Where its file was, which is in the record alone.
    var place: String?
    /// The paths of all files, the record of the item first.
    public var outputs: [String] = []
    /// The bytes that were written.
    public var bytesWritten = 0
    /// Irregularities of the input, and losses.
    public var warnings: [MediaWarning] = []
}
