internal import LazyBase
internal import LazyMedia

extension Reports {
    /// What a contact sheet says of its file: name, picture, length and size.
    static func header(_ info: MediaInfo, _ name: String, _ byteCount: Int?) -> [String] {
        let picture = "\(info.type.title), \(info.codec), \(info.size)\(rate(info))"
        let length = info.duration.map {
            ClockText.short(seconds: $0.ticks(perSecond: 1, .nearest))
        }
        let bytes = byteCount.map { ByteSize.text($0) }
        let rest = [length, bytes].compactMap(\.self).joined(separator: ", ")
        return [name.shown, picture] + (rest.isEmpty ? [] : [rest])
    }
}
