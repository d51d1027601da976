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
        /// Its metadata.
        case facts(Facts)
        /// One picture that represents the media.
        case poster(PosterChoice)
        /// A small animation of its best parts.
        case animation(Animation)
        /// All of it in another format.
        case conversion(Conversion)
        /// Its own bytes with other delays or another number of plays; nothing is decoded.
        case loop(TimingChange)
        /// Many small pictures of it on a few large ones, for the timeline of a player.
        case sheet(Sheet)
        /// Its frames, each as a picture of its own.
        case frames(Frames)
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

    /// The metadata, as JSON; what it says is `Report.Details.facts`, too.
    public static func facts(listsFrames: Bool = false) -> Rendition {
        Rendition(.facts(.init(listsFrames: listsFrames)))
    }

    /// One picture, by default the best one, as PNG in its own size.
    public static func poster(
        _ choice: PosterChoice = .auto, as type: MediaType = .png, size: TargetSize? = nil
    ) -> Rendition {
        Rendition(.poster(choice), edit: ClipEdit(size: size), output: Output(type))
    }

    /// An animated thumbnail, by default an animated WebP of 3 seconds and at most 320 pixels.
    public static func animation(
        _ animation: Animation = .init(), as type: MediaType = .webpAnimation,
        edit: ClipEdit = .init(), encoding: EncodingOptions = .init(), limit: ByteLimit? = nil
    ) -> Rendition {
        Rendition(.animation(animation), edit: edit, output: Output(type, encoding, limit: limit))
    }

    /// The same media in another format, by default all of it; WebP and AVIF mean stills and animations alike.
    public static func conversion(
        _ conversion: Conversion = .init(), to type: MediaType, edit: ClipEdit = .init(),
        encoding: EncodingOptions = .init(), limit: ByteLimit? = nil
    ) -> Rendition {
        Rendition(
            .conversion(conversion), edit: edit, output: Output(type, encoding, limit: limit))
    }

    /// The same bytes with other delays or another number of plays.
    public static func loop(_ change: TimingChange) -> Rendition { Rendition(.loop(change)) }

    /// All frames, or some of them, each as a picture of its own, by default as PNG.
    public static func frames(
        _ frames: Frames = .init(), as type: MediaType = .png, edit: ClipEdit = .init(),
        encoding: EncodingOptions = .init()
    ) -> Rendition {
        Rendition(.frames(frames), edit: edit, output: Output(type, encoding))
    }

    /// A sprite sheet, by default a JPEG of tiles 160 pixels wide.
    public static func sheet(
        _ sheet: Sheet = .init(), as type: MediaType = .jpeg, edit: ClipEdit = .init(),
        encoding: EncodingOptions = .init()
    ) -> Rendition {
        Rendition(.sheet(sheet), edit: edit, output: Output(type, encoding))
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

        /// The bits of a sample: more than 8 are of use in the colors of the source only.
        package var samples: SampleDepth { color == .source ? .sixteen : .eight }

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
        /// The type, or nil where the maker names one; without one it is the usual type of the kind.
        public var type: MediaType?
        /// The options of its encoder.
        public var encoding: EncodingOptions
        /// The most bytes of an animation or a conversion; nil for any number.
        public var limit: ByteLimit?
        /// Where an animation goes, whose bounds decide what is not asked for; nil for anywhere.
        public var platform: Platform?

        /// Makes an output with the options of an encoder.
        public init(
            _ type: MediaType? = nil, _ encoding: EncodingOptions = .init(),
            limit: ByteLimit? = nil
        ) {
            self.type = type
            self.encoding = encoding
            self.limit = limit
        }
    }

    /// A bound for the bytes of a result.
    public enum ByteLimit: Hashable, Sendable {
        /// So many; an animation is made smaller until it fits, a conversion fails.
        case bytes(Int)
        /// Those of the source, where a conversion that changes no frame is meant to make it smaller.
        case source
    }
}
