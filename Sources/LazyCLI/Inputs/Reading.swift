internal import LazyKit
internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions

/// How a run reads its inputs: whose they are, the network, and what is wanted of them.
struct Reading: Sendable {
    let trust: MediaOpening.Trust
    let network: Network
    /// The colors of frames.
    var color = ColorOutput.sRGB()
    /// Whether fields of interlaced video are deinterlaced.
    var deinterlaces = true
    /// The track that is read.
    var track = MediaTrack.main
    /// How long pictures are shown that become frames.
    var pictures = PictureTimes()

    init(_ limits: LimitsChoice, _ network: Network) {
        trust = limits.trust
        self.network = network
    }

    /// What of it pixels depend on.
    var pixels: Rendition.Reading {
        Rendition.Reading(track: track, color: color, deinterlaces: deinterlaces)
    }

    /// What is wanted of an input of which a part is used, in a size.
    func wanted(_ part: InputPart, _ size: TargetSize? = nil) -> MediaOpening.Wanted {
        MediaOpening.Wanted(part, size: size, track: track)
    }

    /// What changes the loop of files of a type, or nil.
    func rewriter(of type: MediaType, for input: Input) -> (any MediaRewriting)? {
        network.opening.decoders(for: trust, isFile: input.isFile).registry.rewriter(for: type)
    }

    /// The limits of decoding for an input.
    func limits(for input: Input) -> DecodingLimits { trust.limits(isFile: input.isFile) }
}

/// Which part of an input will be used, so that only its bytes are loaded.
typealias InputPart = MediaOpening.Wanted.Use

/// An input that is open.
typealias OpenedInput = MediaOpening.Opened

/// What was loaded for an input.
typealias Transfer = MediaOpening.Transfer

extension MediaOpening.Opened {
    var sequence: FrameSequence { frames }
}
