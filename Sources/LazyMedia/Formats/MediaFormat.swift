/// All that a format is: its types, how they are recognized, read, written and rewritten.
///
/// Each format module has one value per format, and `LazyKit` lists them; everything else that
/// depends on formats is derived from that list. To add a format of one's own, register a value in a
/// copy of `FormatRegistry.standard`.
public struct MediaFormat: Sendable {
    /// A short name that no other format has, such as `webp`.
    public let name: String
    /// The types that files of this format have: the still one, the animated one, or both.
    public var types: [MediaType]
    /// How its bytes are recognized.
    public var signatures: [MediaSignature]
    /// What reads it, the preferred decoder first; none where a build only recognizes it.
    public var decoders: [any MediaDecoding]
    /// What writes it, one for each type.
    public var encoders: [EncoderFactory]
    /// What changes loop and delays of a file without encoding it again, or nil.
    public var rewriter: (any MediaRewriting)?
    /// Whether its tables tell where a frame lies, so that a remote file is read by ranges.
    public var readsRanges: Bool
    /// Whether its bytes are compressed, so that a transfer need not compress them again.
    public var isCompressed: Bool
    /// What can be shown of a file before all of its bytes have arrived.
    public var preview: Preview
    /// Whether a library of it writes messages to standard error.
    public var printsMessages: Bool
    /// The libraries behind it; asking for versions may load them.
    public var libraries: @Sendable () -> [InstalledLibrary]

    /// What can be shown of an incomplete file.
    public enum Preview: Sendable {
        /// Nothing.
        case none
        /// The first frame, or a coarse picture.
        case poster
        /// The frames so far.
        case frames
        /// The complete scans of a JPEG.
        case scans
    }

    /// Makes a format; a format that is only recognized has types and signatures.
    public init(
        name: String, types: [MediaType], signatures: [MediaSignature],
        decoders: [any MediaDecoding] = [], encoders: [EncoderFactory] = [],
        rewriter: (any MediaRewriting)? = nil, readsRanges: Bool = false,
        isCompressed: Bool = true, preview: Preview? = nil, printsMessages: Bool = false,
        libraries: @escaping @Sendable () -> [InstalledLibrary] = { [] }
    ) {
        self.name = name
        self.types = types
        self.signatures = signatures
        self.decoders = decoders
        self.encoders = encoders
        self.rewriter = rewriter
        self.readsRanges = readsRanges
        self.isCompressed = isCompressed
        self.preview = preview ?? (types.contains { $0.family == .video } ? .poster : .none)
        self.printsMessages = printsMessages
        self.libraries = libraries
    }
}
