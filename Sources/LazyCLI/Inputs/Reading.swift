internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

/// How a run reads its inputs: the limits of decoding, and the network.
struct Reading: Sendable {
    private let limits: LimitsChoice
    private let localHost: DecoderHost?
    private let foreignHost: DecoderHost?
    let network: Network
    /// The colors of frames.
    var color = ColorOutput.sRGB()
    /// The bits of a sample of frames in the colors of their source.
    var samples = SampleDepth.eight
    /// Whether fields of interlaced video are deinterlaced.
    var deinterlaces = true
    /// The track that is read.
    var track = MediaTrack.main
    /// The size of the wanted pictures, by which a variant of a stream is chosen; nil for the largest.
    var size: TargetSize?
    /// The poster that is wanted of inputs, if that is all.
    var poster: PosterChoice?
    /// Whether only some of the frames are wanted, so that not all of a stream need be loaded.
    var isSampling = false
    /// How long pictures are shown that become frames.
    var pictures = PictureTimes()

    init(_ limits: LimitsChoice, _ network: Network) {
        self.limits = limits
        self.network = network
        // Chosen now: other threads do not know that the command reads many files.
        (localHost, foreignHost) = (limits.host(isLocal: true), limits.host(isLocal: false))
    }

    /// The decoders for an input.
    func decoders(for input: Input) -> DecoderRegistry { .decoders(of: host(for: input)) }

    /// The decoders for the files of one list.
    var listDecoders: DecoderRegistry { .decoders(of: localHost?.forPartsOfOneList()) }

    /// What decodes an input in processes of their own, or nil where this process does.
    func host(for input: Input) -> DecoderHost? { input.isFile ? localHost : foreignHost }

    /// What of it pixels depend on.
    var wanted: Rendition.Reading {
        Rendition.Reading(track: track, color: color, deinterlaces: deinterlaces)
    }

    /// The same for pictures of a size, for one poster, or for some of the frames.
    func wanting(
        _ size: TargetSize?, poster: PosterChoice? = nil, isSampling: Bool = false
    ) -> Reading {
        var reading = self
        (reading.size, reading.poster, reading.isSampling) = (size, poster, isSampling)
        return reading
    }

    /// The decoders for what comes from a network, whatever named it.
    var foreignDecoders: DecoderRegistry { .decoders(of: foreignHost) }

    /// The limits of decoding for what comes from a network.
    var foreignLimits: DecodingLimits { limits.limits(isLocal: false) }

    /// What changes the loop of files of a type, or nil.
    func rewriter(of type: MediaType, for input: Input) -> (any MediaRewriting)? {
        guard let rewriter = type.rewriter else { return nil }
        return host(for: input).map { rewriter.isolated(by: $0) } ?? rewriter
    }

    /// The limits of decoding for an input.
    func limits(for input: Input) -> DecodingLimits { limits.limits(isLocal: input.isFile) }
}
