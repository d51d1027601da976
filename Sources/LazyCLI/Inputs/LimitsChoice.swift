internal import LazyKit
internal import LazyMedia
internal import LazyOptions
internal import LazyPipeline
internal import LazyRenditions

/// The limits of decoding: a profile and individual limits.
struct LimitsChoice: Sendable {
    /// The profile; nil for the default of the input's location.
    var profile: LimitsProfile?
    /// Individual limits that differ from the profile.
    var changes: [LimitChange] = []
    /// Whether inputs are decoded in processes of their own.
    var isolation = MediaOpening.Trust.Isolation.auto
    /// Whether many files are read, which nobody has looked at one by one.
    var opensMany = false

    /// Whose the inputs are.
    var trust: MediaOpening.Trust {
        var trust = MediaOpening.Trust(
            profile == .untrusted ? .untrusted : .own, isolation: isolation, opensMany: opensMany)
        if let limits = profile?.limits { trust.limits = (limits, limits) }
        for change in changes {
            change.apply(to: &trust.limits.files)
            change.apply(to: &trust.limits.others)
        }
        return trust
    }

    /// The limits for a local file or another input.
    func limits(isLocal: Bool) -> DecodingLimits { trust.limits(isFile: isLocal) }
}

extension LimitsChoice {
    /// Reads what is drawn over pictures where and within the limits that inputs are.
    var files: OverlayFiles { OverlayFiles(.standard, trust, .silent, Interruption.flag) }
}
