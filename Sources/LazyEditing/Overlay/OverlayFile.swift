package import LazyMedia

extension Overlay {
    /// A picture or subtitles in a file that is still to be read.
    ///
    /// An edit with one cannot be applied: `Rendition.resolved(by:)` reads it.
    public struct File: Hashable, Sendable {
        /// What the file is used as.
        public enum Use: Hashable, Sendable {
            /// A picture, placed and blended.
            ///
            /// Its size is its width as a share of that of the picture below; nil for its own.
            case picture(
                gravity: Gravity = .southEast, opacity: Double = 1, margin: Int = 0,
                size: Double? = nil)
            /// Subtitles in an encoding, by iconv's name; nil for UTF-8, UTF-16 by its mark, or a guess.
            case subtitles(encoding: String? = nil)
        }

        /// The name of the file, which only the reader understands.
        public var name: String
        /// The SHA-256 of its bytes in 64 hexadecimal digits, or nil where any content is right.
        public var sha256: String?
        /// What it is used as.
        public var use: Use

        /// Makes a reference to a file.
        public init(_ name: String, _ use: Use, sha256: String? = nil) {
            self.name = name
            self.use = use
            self.sha256 = sha256
        }

        /// The reference in one line; files of equal digests are equal.
        var identifier: String { "\(sha256 ?? name)/\(use)" }
    }
}

extension Overlay.File {
    /// Where a picture is.
    package var gravity: Gravity {
        get { picture?.gravity ?? .center }
        set { change { $0.gravity = newValue } }
    }

    /// How opaque a picture is.
    package var opacity: Double {
        get { picture?.opacity ?? 1 }
        set { change { $0.opacity = newValue } }
    }

    /// The pixels between a picture and the edge.
    package var margin: Int {
        get { picture?.margin ?? 0 }
        set { change { $0.margin = newValue } }
    }

    /// The width of a picture as a share of the one below.
    package var size: Double? {
        get { picture?.size }
        set { change { $0.size = newValue } }
    }

    private typealias Picture = (gravity: Gravity, opacity: Double, margin: Int, size: Double?)

    private var picture: Picture? {
        if case .picture(let gravity, let opacity, let margin, let size) = use {
            (gravity, opacity, margin, size)
        } else {
            nil
        }
    }

    private mutating func change(_ change: (inout Picture) -> Void) {
        guard var picture else { return }
        change(&picture)
        use = .picture(
            gravity: picture.gravity, opacity: picture.opacity, margin: picture.margin,
            size: picture.size)
    }

    /// The encoding of subtitles.
    package var encoding: String? {
        get { if case .subtitles(let encoding) = use { encoding } else { nil } }
        set { if case .subtitles = use { use = .subtitles(encoding: newValue) } }
    }

    /// The picture of a file, or its pictures, placed as the file says.
    package func overlay(
        _ frames: [Frame], _ warnings: [MediaWarning]
    ) throws(MediaError) -> Overlay {
        guard let picture, let first = frames.first else {
            throw MediaError(.notFound, "\(name) has no picture.")
        }
        var overlay = PictureOverlay(
            first.bitmap, frames: frames, gravity: picture.gravity, opacity: picture.opacity,
            margin: picture.margin, size: picture.size)
        overlay.warnings = warnings
        return .picture(overlay)
    }
}
