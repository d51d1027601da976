internal import LazyBase
internal import LazyMedia

extension Reports {
    /// What the samples mean, as JSON: names as FFmpeg prints them, luminances in cd/m².
    static func color(_ info: MediaInfo) -> JSONValue {
        let color = info.color
        var members: [(String, JSONValue)] = [
            ("primaries", .string(color.primaries.description)),
            ("transfer", .string(color.transfer.description)),
            ("matrix", .string(color.matrix.description)),
            ("range", color.isFullRange.map { .string($0 ? "full" : "limited") } ?? .null),
            ("hdr", info.hdrFormat.map { .string($0) } ?? .null),
        ]
        if let profile = color.profile {
            members.append(
                (
                    "profile",
                    .object([
                        ("name", profile.name.map { .string($0) } ?? .null),
                        ("space", .string(profile.colorSpace)),
                        ("version", .string(profile.version)),
                    ])
                ))
        }
        if let gamma = color.gamma { members.append(("gamma", .number(gamma))) }
        if let display = color.masteringDisplay {
            members.append(("masteringMaximum", .number(display.maximumLuminance)))
            members.append(("masteringMinimum", .number(display.minimumLuminance)))
        }
        if let light = color.contentLight {
            members.append(("maxCLL", .integer(light.maximum)))
            members.append(("maxFALL", .integer(light.maximumAverage)))
        }
        return .object(members)
    }

    /// The same as rows for people; none where the file says nothing but sRGB.
    static func colorRows(_ info: MediaInfo) -> [(String, String)] {
        var rows: [(String, String)] = []
        let color = info.color
        if let format = info.pixelFormat {
            rows.append(("pixels", format + (info.bitDepth.map { ", \($0) bits" } ?? "")))
        }
        if let profile = color.profile {
            rows.append(("profile", profile.name ?? "\(profile.colorSpace), without a name"))
        } else if color.primaries != .unspecified || color.transfer != .unspecified {
            let range = color.isFullRange.map { $0 ? ", full range" : ", limited range" } ?? ""
            rows.append(
                ("color", "\(color.primaries), \(color.transfer), \(color.matrix)\(range)"))
        }
        if let format = info.hdrFormat {
            let light = color.contentLight.map { ", MaxCLL \($0.maximum) cd/m²" } ?? ""
            rows.append(("HDR", format + light))
        }
        return rows
    }

    static func fields(_ order: FieldOrder) -> String {
        switch order {
        case .progressive: "progressive"
        case .topFirst: "interlaced, upper lines first"
        case .bottomFirst: "interlaced, lower lines first"
        }
    }
}
