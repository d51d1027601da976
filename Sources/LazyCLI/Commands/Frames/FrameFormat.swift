internal import LazyMedia

/// The formats of frames.
enum FrameFormat: String, CaseIterable, Sendable {
    case png, jpg, webp, avif, ppm, raw, y4m, framehash, null

    /// The format of a name or a file extension.
    init?(word: String) {
        let word = word.lowercased()
        self.init(rawValue: word == "jpeg" ? "jpg" : word)
    }

    /// Whether files of it can follow each other in a stream and be told apart.
    var canFollow: Bool { self != .avif }

    /// Whether it has pictures, which no terminal shows.
    var isBinary: Bool { pictures != nil }

    /// The type of its pictures; nil where there are none.
    var pictures: MediaType? {
        self == .y4m ? .y4m : OutputFormat(rawValue: rawValue)?.pictureType
    }

    /// Whether it is one stream, which is no files of frames.
    var isStream: Bool { self == .y4m || self == .null }

    /// Whether it has a quality.
    var hasQuality: Bool { self == .jpg || self == .webp || self == .avif }
}
