package import LazyMedia
internal import LazyPipeline

/// How a run reads its inputs: what decoding may cost, and how addresses are asked for.
package struct Reading: Sendable {
    /// What of an input will be used: the less, the fewer bytes have to be loaded.
    package enum Part: Sendable {
        /// All frames.
        case all
        /// One picture, or the facts: what lies in a part of the bytes.
        case glance
        /// Frames one after the other as they are shown, and those that are sought.
        case playing
    }

    private let limits: LimitsChoice
    package let network: Network

    package init(_ limits: LimitsChoice, _ network: Network) {
        self.limits = limits
        self.network = network
    }

    /// What decoding an input may cost.
    package func limits(for input: Input) -> DecodingLimits { limits.limits(isLocal: input.isFile) }
}

/// Media that is open, and what it took.
package struct OpenedInput: Sendable {
    package let sequence: FrameSequence
    /// Where the bytes came from, of what is not local.
    package let transfer: Transfer?
    /// The size of what is local.
    package var localByteCount: Int?

    /// The size of the whole input, where it is known.
    package var byteCount: Int? { localByteCount ?? transfer?.total }
}

/// What went over the network for one input.
package struct Transfer: Sendable {
    /// `network`, `store`, `revalidated`, `stale`, `resumed` or `ranges`.
    package let origin: String
    /// The size of the whole, where it is known.
    package let total: Int?
    /// The bytes that were loaded until now.
    package let bytesRead: @Sendable () -> Int
}
