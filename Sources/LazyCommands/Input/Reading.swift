internal import LazyMedia
internal import LazyPipeline

/// How a run reads its inputs: what decoding may cost, and how addresses are asked for.
struct Reading: Sendable {
    /// What of an input will be used: the less, the fewer bytes have to be loaded.
    enum Part: Sendable {
        /// All frames.
        case all
        /// One picture, or the facts: what lies in a part of the bytes.
        case glance
        /// Frames one after the other as they are shown, and those that are sought.
        case playing
    }

    private let limits: LimitsOptions
    let network: Network

    init(
        _ options: ReadingOptions, _ network: some NetworkChoosing, inputs: [Input],
        _ report: ReportOptions, isProgressive: Bool = false
    ) throws(CommandFailure) {
        limits = options.limits
        self.network = Network(
            try network.settings(inputs: inputs.count), isQuiet: report.quiet,
            isProgressive: isProgressive)
    }

    /// What decoding an input may cost.
    func limits(for input: Input) -> DecodingLimits { limits.limits(isLocal: input.isFile) }
}

/// Media that is open, and what it took.
struct OpenedInput: Sendable {
    let sequence: FrameSequence
    /// Where the bytes came from, of what is not local.
    let transfer: Transfer?
    /// The size of what is local.
    var localByteCount: Int?

    /// The size of the whole input, where it is known.
    var byteCount: Int? { localByteCount ?? transfer?.total }
}

/// What went over the network for one input.
struct Transfer: Sendable {
    /// `network`, `store`, `revalidated`, `stale`, `resumed` or `ranges`.
    let origin: String
    /// The size of the whole, where it is known.
    let total: Int?
    /// The bytes that were loaded until now.
    let bytesRead: @Sendable () -> Int
}
