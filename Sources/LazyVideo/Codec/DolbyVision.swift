internal import CFFmpeg
internal import LazyMedia

/// Dolby Vision's configuration: which base layer a stream has.
struct DolbyVision: Sendable {
    private let profile: Int
    /// What the base layer is without Dolby Vision: 1 and 6 HDR10, 2 SDR, 4 HLG, 0 nothing.
    private let compatibility: Int

    init(_ record: AVDOVIDecoderConfigurationRecord) {
        profile = Int(record.dv_profile)
        compatibility = Int(record.dv_bl_signal_compatibility_id)
    }

    /// The name with profile and compatibility, such as `Dolby Vision 8.4`.
    var name: String {
        compatibility == 0 ? "Dolby Vision \(profile)" : "Dolby Vision \(profile).\(compatibility)"
    }

    /// Whether the base layer has colors of its own (IPT), which only Dolby's metadata explain.
    var isOnlyDolby: Bool { profile == 5 || (profile == 10 && compatibility == 0) }

    /// The error for such a stream.
    var refusal: MediaError {
        MediaError(
            .unsupported,
            "The video is \(name), whose colors only a Dolby Vision decoder can show.")
    }

    /// A description, with the base layer's colors where it says nothing.
    func completed(_ color: ColorDescription) -> ColorDescription {
        guard color.primaries == .unspecified, color.transfer == .unspecified,
            let transfer = Self.transfers[compatibility]
        else { return color }
        var color = color
        color.transfer = transfer
        color.primaries = transfer == .bt709 ? .bt709 : .bt2020
        if color.matrix == .unspecified { color.matrix = transfer == .bt709 ? .bt709 : .bt2020 }
        return color
    }

    private static let transfers: [Int: TransferCharacteristics] = [
        1: .pq, 2: .bt709, 4: .hlg, 6: .pq,
    ]
}
