public import FoundationEssentials
public import LazyLoading
public import LazyMedia

extension MediaOpening {
    /// What is opened.
    ///
    /// Files, descriptors and bytes that turn out to be a playlist of HLS or DASH are opened as the stream
    /// that it names.
    public enum Source: Sendable {
        /// A file of this machine, a named pipe or a device.
        case path(String)
        /// A file of this machine that a function opens, each time it is read.
        case file(named: String, open: @Sendable () throws(MediaError) -> any ByteSource)
        /// Bytes that came from elsewhere, such as an upload.
        case bytes(any ByteSource)
        /// A descriptor that is read from where it stands and not closed, such as standard input.
        case descriptor(Int32)
        /// A body that is still arriving.
        ///
        /// With a length it is read while it grows. Without one it is received to its end within the limits, and
        /// where it has no end, what has come of it serves facts, pictures and playing.
        case arriving(LoadResponse)
        /// A URL, with everything that requests say; processors and thumbnails are not applied.
        case request(ImageRequest)
        /// What is opened already, as a part of a list.
        case opened(FrameSequence)
        /// Several, shown one after the other.
        case list(List)

        /// A URL; that of a file is the file.
        public static func url(_ url: URL) -> Source {
            url.isFileURL
                ? .path(url.path(percentEncoded: false)) : .request(ImageRequest(url: url))
        }

        /// Whether it is a file of this machine, whose owner it may be.
        public var isFile: Bool {
            switch self {
            case .path, .file: true
            case .bytes, .descriptor, .arriving, .request, .opened: false
            case .list(let list): list.parts.first?.source.isFile ?? false
            }
        }
    }

    /// Several sources that are shown one after the other.
    public struct List: Sendable {
        /// One of them.
        public struct Part: Sendable {
            /// What errors call it.
            public var name: String
            /// What it is; files are opened when they are needed, the others at once.
            public var source: Source
            /// How long it is shown if it is one picture; nil for a tenth of a second.
            public var duration: MediaTime?

            /// Makes a part.
            public init(_ name: String, _ source: Source, duration: MediaTime? = nil) {
                self.name = name
                self.source = source
                self.duration = duration
            }
        }

        /// The parts in order.
        public var parts: [Part]
        /// The number of plays; nil for that of films, and forever for pictures.
        public var loop: LoopCount?
        /// What is wrong with the list.
        public var warnings: [MediaWarning]

        /// Makes a list.
        public init(_ parts: [Part], loop: LoopCount? = nil, warnings: [MediaWarning] = []) {
            self.parts = parts
            self.loop = loop
            self.warnings = warnings
        }
    }
}
