internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

/// The limits of decoding: a profile and individual limits.
struct LimitsChoice: Sendable {
    /// The profile; nil for the default of the input's location.
    var profile: LimitsProfile?
    /// Individual limits that differ from the profile.
    var changes: [LimitChange] = []
    /// Whether inputs are decoded in processes of their own.
    var isolation = IsolationChoice.auto

    /// The host that decodes a local file or another input, or nil where this process does.
    func host(isLocal: Bool) -> DecoderHost? {
        isolation.host(isLocal: isLocal, isUntrusted: profile == .untrusted)
    }

    /// The limits for a local file or another input.
    func limits(isLocal: Bool) -> DecodingLimits {
        let profile = profile ?? (isLocal ? .local : .web)
        return changes.reduce(into: profile.limits) { $1.apply(to: &$0) }
    }
}
