/// The formats of frames.
enum FrameFormat: String, CaseIterable, Sendable {
    case png, jpg, webp, avif, ppm, raw, framehash, null

    /// The format of a name or a file extension.
    init?(word: String) {
        let word = word.lowercased()
        self.init(rawValue: word == "jpeg" ? "jpg" : word)
    }

    /// Whether files of it can follow each other in a stream and be told apart.
    var canFollow: Bool { self != .avif }

    /// Whether it has pictures, which no terminal shows.
    var isBinary: Bool { self != .framehash && self != .null }

    /// Whether it has a quality.
    var hasQuality: Bool { self == .jpg || self == .webp || self == .avif }
}
