/// The subtitles of a track as lines of ASS, whatever format the file has them in.
public struct SubtitleTrack: Hashable, Sendable {
    /// A line and when it is shown.
    public struct Line: Hashable, Sendable {
        /// When it appears, in milliseconds after the zero of the film; negative before it.
        public let start: Int64
        /// For how many milliseconds it is shown.
        public let duration: Int64
        /// The fields of ASS in Matroska's order, which begins with a number and the layer.
        public let text: String

        /// Makes a line.
        public init(start: Int64, duration: Int64, text: String) {
            self.start = start
            self.duration = duration
            self.text = text
        }
    }

    /// A font that the file carries for its subtitles.
    public struct Font: Hashable, Sendable {
        /// The name of its file.
        public let name: String
        /// The bytes of the file.
        public let bytes: [UInt8]

        /// Makes a font.
        public init(name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// The sections of the script before its lines: its size and its styles.
    public let header: String
    /// The lines, in the order of the file.
    public let lines: [Line]
    /// The fonts of the file, as far as `DecodingLimits.fontBytes` allows.
    public let fonts: [Font]
    /// Damage that was left out, and fonts that were.
    public let warnings: [MediaWarning]

    /// Makes subtitles.
    public init(
        header: String, lines: [Line], fonts: [Font] = [], warnings: [MediaWarning] = []
    ) {
        self.header = header
        self.lines = lines
        self.fonts = fonts
        self.warnings = warnings
    }

    /// The most bytes of header and lines together.
    package static let maxBytes = 20_000_000
    /// The most lines.
    package static let maxLines = 200_000
    /// The most fonts.
    package static let maxFonts = 256
}

extension MediaError {
    /// There are no subtitles to choose from.
    package static let noSubtitles = Self(.trackNotFound, "The file has no subtitles.")
}
