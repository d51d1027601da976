internal import CommandSupport
internal import LazyBytes
internal import LazyFiles
internal import LazyMedia

extension Reports {
    /// What a contact sheet says of its file: name, picture, length and size.
    static func header(_ info: MediaInfo, _ name: String, _ byteCount: Int?) -> [String] {
        let picture = "\(info.type.title), \(info.codec), \(info.size)\(rate(info))"
        let length = info.duration.map { clock($0) }
        let bytes = byteCount.map { ByteSize.text($0) }
        let rest = [length, bytes].compactMap(\.self).joined(separator: ", ")
        return [name.shown, picture] + (rest.isEmpty ? [] : [rest])
    }

    /// Such as `1:02:03`.
    private static func clock(_ duration: Duration) -> String {
        let seconds = duration.ticks(perSecond: 1, .nearest)
        let parts = [seconds / 60 % 60, seconds % 60].map { String($0).padded(to: 2) }
        return "\(seconds / 3600):\(parts.joined(separator: ":"))"
    }
}
