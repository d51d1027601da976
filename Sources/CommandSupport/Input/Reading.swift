package import LazyMedia

/// How a run reads its inputs: the limits of decoding, and the network.
package struct Reading: Sendable {

    private let limits: LimitsChoice
    package let network: Network
    /// The colors of frames.
    package var color = ColorOutput.sRGB()
    /// The bits of a sample of frames in the colors of their source.
    package var samples = SampleDepth.eight
    /// Whether fields of interlaced video are deinterlaced.
    package var deinterlaces = true
    /// The track that is read.
    package var track = MediaTrack.main
    /// How long pictures are shown that become frames.
    package var pictures = PictureTimes()

    package init(_ limits: LimitsChoice, _ network: Network) {
        self.limits = limits
        self.network = network
    }

    /// The limits of decoding for an input.
    package func limits(for input: Input) -> DecodingLimits { limits.limits(isLocal: input.isFile) }
}
