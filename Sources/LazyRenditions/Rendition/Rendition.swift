public import LazyEditing
public import LazyMedia

/// What is made of media, as a value: which of its pictures, how they are edited, and how they are encoded.
///
/// It is made of any number of sources (`make(of:into:encoders:)`), and written as JSON (`json`) and as a line that
/// identifies it (`identifier`). It has no names of inputs or outputs.
///
/// ```swift
/// var rendition = Rendition.poster(.percent(25), as: .webp)
/// rendition.edit.size = TargetSize(width: 320)
/// let (bytes, report) = try await rendition.data(of: .init(clip), encoders: .standard)
/// ```
public struct Rendition: Hashable, Sendable {
    /// What is made.
    public enum Kind: Hashable, Sendable {
        /// One picture that represents the media.
        case poster(PosterChoice)
    }

    /// What is made.
    public var kind: Kind
    /// What is read of the media.
    public var reading: Reading
    /// What is done to pictures.
    public var edit: ClipEdit
    /// How they are encoded.
    public var output: Output

    /// Makes a rendition; without other arguments pictures are as browsers show them, in their own size.
    public init(
        _ kind: Kind, reading: Reading = .init(), edit: ClipEdit = .init(), output: Output = .init()
    ) {
        self.kind = kind
        self.reading = reading
        self.edit = edit
        self.output = output
    }

    /// One picture, by default the best one, as PNG in its own size.
    public static func poster(
        _ choice: PosterChoice = .auto, as type: MediaType = .png, size: TargetSize? = nil
    ) -> Rendition {
        Rendition(.poster(choice), edit: ClipEdit(size: size), output: Output(type))
    }
}

extension Rendition {
    /// What is read of media, on which its pixels depend.
    public struct Reading: Hashable, Sendable {
        /// Which film of a file.
        public var track: MediaTrack
        /// The colors of pixels.
        public var color: ColorOutput
        /// Whether interlaced fields become frames.
        public var deinterlaces: Bool

        /// Makes the usual reading: the main track in sRGB, deinterlaced.
        public init(
            track: MediaTrack = .main, color: ColorOutput = .sRGB(), deinterlaces: Bool = true
        ) {
            self.track = track
            self.color = color
            self.deinterlaces = deinterlaces
        }
    }

    /// How pictures are encoded.
    public struct Output: Hashable, Sendable {
        /// The type, or nil where the maker names one; a poster is a PNG then.
        public var type: MediaType?
        /// The options of its encoder.
        public var encoding: EncodingOptions

        /// Makes an output with the options of an encoder.
        public init(_ type: MediaType? = nil, _ encoding: EncodingOptions = .init()) {
            self.type = type
            self.encoding = encoding
        }
    }

    /// What must be opened of media for a rendition: how much of its bytes is loaded follows from it.
    public struct Wanted: Hashable, Sendable {
        /// The only picture that is used; nil for all of the media.
        public var poster: PosterChoice?
        /// The size in which pictures are used; nil for their own.
        public var size: TargetSize?
        /// Which film of a file.
        public var track: MediaTrack
    }

    /// What must be opened for it.
    public var wanted: Wanted {
        switch kind {
        case .poster(let choice):
            // A track of subtitles is read from its beginning to its end.
            let readsAll = edit.overlays.contains(where: \.isOfTrack)
            return Wanted(
                poster: readsAll ? nil : choice, size: edit.size, track: reading.track)
        }
    }
}
