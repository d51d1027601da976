/// The systems of digital rights management, by the names that playlists have for them.
enum StreamProtection {
    /// The name of a system by its key format in HLS, or its scheme in DASH; nil for others.
    static func name(of identifier: String) -> String? {
        let identifier = identifier.lowercased()
        return systems.first { identifier.contains($0.key) }?.name
    }

    private static let systems: [(key: String, name: String)] = [
        ("edef8ba9-79d6-4ace-a3c8-27dcd51d21ed", "Widevine"), ("widevine", "Widevine"),
        ("9a04f079-9840-4286-ab92-e65be0885f95", "PlayReady"), ("playready", "PlayReady"),
        ("com.apple.streamingkeydelivery", "FairPlay"),
        ("94ce86fb-07ff-4f43-adb8-93d2fa968ca2", "FairPlay"),
        ("e2719d58-a985-b3c9-781a-b030af78d30e", "Clear Key"),
        ("1077efec-c0b2-4d02-ace3-3c1e52e2fb4b", "Clear Key"),
    ]
}
