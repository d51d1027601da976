internal import LazyMedia

extension Reports {
    /// What the samples mean as rows for people; none where the file says nothing but sRGB.
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
