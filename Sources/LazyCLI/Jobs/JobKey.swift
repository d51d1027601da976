package import LazyMedia

/// Options as text that identifies a job, equal on every machine and in every run.
package enum JobKey {
    /// `320x-/cover`, or `source`.
    package static func of(_ target: TargetSize?) -> String {
        guard let target else { return "source" }
        let sides = [target.width, target.height].map { $0.map(String.init) ?? "-" }
        return sides.joined(separator: "x") + "/" + target.fit.rawValue
    }

    /// How pixels are made; nothing for the usual way.
    package static func rendering(_ reading: Reading) -> [String] {
        var words: [String] = []
        switch reading.color {
        case .sRGB(.browser): break
        case .sRGB(let tone): words.append("tone=\(tone.rawValue)")
        case .source: words.append("color=keep")
        }
        if !reading.deinterlaces { words.append("deinterlace=never") }
        if reading.track != .main { words.append("track=\(reading.track.rawValue)") }
        if let times = reading.pictures.key { words.append(times) }
        return words
    }
}
