internal import LazyBase
package import LazyMedia

extension Rendition.Source {
    /// What a sheet says of its file: name, picture, length and size.
    func heading() async throws(MediaError) -> [String] {
        let info = try await frames.detailedInfo()
        let picture = "\(info.type.title), \(info.codec), \(info.size)\(info.rateText)"
        let length = info.duration.map {
            ClockText.short(seconds: $0.ticks(perSecond: 1, .nearest))
        }
        let bytes = byteCount.map { ByteSize.text($0) }
        let rest = [length, bytes].compactMap(\.self).joined(separator: ", ")
        return [(fileName ?? name).shown, picture] + (rest.isEmpty ? [] : [rest])
    }
}

extension MediaInfo {
    /// `, 25.0 frames per second`; empty where the rate is not known.
    package var rateText: String {
        guard let count = frameCount ?? estimatedFrameCount, count > 1, let duration,
            duration > start
        else { return "" }
        let seconds = (duration - start) / .seconds(1)
        let hundredths = Int(saturating: Double(count) / seconds * 100)
        return ", \(hundredths / 100).\(String(hundredths % 100).padded(to: 2)) frames per second"
    }
}
