internal import LazyBase
internal import LazyEditing
public import LazyMedia

extension Rendition {
    /// Opened media, of which a rendition is made.
    public struct Source: Sendable {
        /// Its frames, in the colors that are wanted.
        public var frames: FrameSequence
        /// The name of its file, for texts in pictures.
        public var name: String
        /// Its bytes; nil where they are not known.
        public var byteCount: Int?
        /// Whether all of its times can be read without loading it from a network.
        public var isLocal: Bool
        /// What a PNG says of the file, as thumbnails do.
        package var texts: [(key: String, value: String)] = []

        /// Makes a source of opened media.
        public init(
            _ frames: FrameSequence, name: String = "", byteCount: Int? = nil, isLocal: Bool = true
        ) {
            self.frames = frames
            self.name = name
            self.byteCount = byteCount
            self.isLocal = isLocal
        }
    }

    /// What was made.
    public struct Report: Sendable {
        /// The rendition that was asked for.
        public var rendition: Rendition
        /// Its parts, the main one first.
        public var parts: [Made]
        /// The size of pictures in pixels.
        public var size: PixelSize
        /// The number of pictures.
        public var frameCount: Int
        /// What only this kind has.
        public var details: Details
        /// Losses of the format, and damage of the source.
        public var warnings: [MediaWarning]

        /// A part that was made.
        public struct Made: Hashable, Sendable {
            /// Which one.
            public var part: Part
            /// What it is.
            public var type: MediaType
            /// The number of its bytes.
            public var byteCount: Int

            package init(part: Part = .main, type: MediaType, byteCount: Int) {
                self.part = part
                self.type = type
                self.byteCount = byteCount
            }
        }

        /// What only one kind of rendition has.
        public enum Details: Sendable {
            /// The picture that was chosen.
            case poster(Poster)
        }

        /// Makes a report of one part.
        package init(
            _ rendition: Rendition, _ main: Made, size: PixelSize, frameCount: Int = 1,
            details: Details, warnings: [MediaWarning]
        ) {
            self.rendition = rendition
            parts = [main]
            self.size = size
            self.frameCount = frameCount
            self.details = details
            self.warnings = warnings
        }

        /// The bytes of all parts.
        public var byteCount: Int { parts.reduce(0) { $0 + $1.byteCount } }
    }

    /// Makes it of a source; each part goes to a sink, which is finished when all of the part is there.
    ///
    /// Decodes what the kind needs, and encodes it with one thread for a still. Throws `.notFound` for a picture that
    /// the source does not have, `.notWritable` for what the type cannot store, and what decoding and sinks throw.
    public func make(
        of source: Source, into sinks: any Sinks, encoders: EncoderRegistry
    ) async throws(MediaError) -> Report {
        switch kind {
        case .poster(let choice):
            try await makePoster(choice, of: source, into: sinks, encoders: encoders)
        }
    }

    /// The bytes of the main part, in memory.
    public func data(
        of source: Source, encoders: EncoderRegistry
    ) async throws(MediaError) -> (bytes: [UInt8], report: Report) {
        let sinks = CollectedParts()
        let report = try await make(of: source, into: sinks, encoders: encoders)
        return (sinks[.main] ?? [], report)
    }
}
