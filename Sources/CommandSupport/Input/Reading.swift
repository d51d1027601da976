package import LazyMedia

/// How a run reads its inputs: what decoding may cost, and how addresses are asked for.
package struct Reading: Sendable {

    private let limits: LimitsChoice
    package let network: Network

    package init(_ limits: LimitsChoice, _ network: Network) {
        self.limits = limits
        self.network = network
    }

    /// What decoding an input may cost.
    package func limits(for input: Input) -> DecodingLimits { limits.limits(isLocal: input.isFile) }
}
