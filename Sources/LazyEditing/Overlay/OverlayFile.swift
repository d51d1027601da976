extension Overlay {
    /// A picture or subtitles in a file that is still to be read.
    ///
    /// An edit with one cannot be applied: `Rendition.resolved(by:)` reads it.
    public struct File: Hashable, Sendable {
        /// What the file is used as.
        public enum Use: Hashable, Sendable {
            /// A picture, placed and blended.
            case picture(gravity: Gravity = .southEast, opacity: Double = 1, margin: Int = 0)
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
        get { if case .picture(let gravity, _, _) = use { gravity } else { .center } }
        set {
            guard case .picture(_, let opacity, let margin) = use else { return }
            use = .picture(gravity: newValue, opacity: opacity, margin: margin)
        }
    }

    /// How opaque a picture is.
    package var opacity: Double {
        get { if case .picture(_, let opacity, _) = use { opacity } else { 1 } }
        set {
            guard case .picture(let gravity, _, let margin) = use else { return }
            use = .picture(gravity: gravity, opacity: newValue, margin: margin)
        }
    }

    /// The pixels between a picture and the edge.
    package var margin: Int {
        get { if case .picture(_, _, let margin) = use { margin } else { 0 } }
        set {
            guard case .picture(let gravity, let opacity, _) = use else { return }
            use = .picture(gravity: gravity, opacity: opacity, margin: newValue)
        }
    }

    /// The encoding of subtitles.
    package var encoding: String? {
        get { if case .subtitles(let encoding) = use { encoding } else { nil } }
        set { if case .subtitles = use { use = .subtitles(encoding: newValue) } }
    }
}
