internal import LazyMedia
internal import LazyRenditions

/// Options as text that identifies a job, equal on every machine and in every run.
enum JobKey {
    /// How pixels are made; nothing for the usual way.
    static func rendering(_ reading: Reading) -> [String] {
        var words: [String] = []
        switch reading.color {
        case .sRGB(.browser): break
        case .sRGB(let tone): words.append("tone=\(tone.rawValue)")
        case .source: words.append("color=keep")
        }
        if !reading.deinterlaces { words.append("deinterlace=never") }
        if reading.track != .main { words.append("track=\(reading.track)") }
        if let times = reading.pictures.key { words.append(times) }
        return words
    }
}

extension JobKey {
    /// The options of encoding, without unset ones.
    static func encoding(_ options: EncodingOptions) -> String {
        var words: [String] = []
        if let quality = options.quality { words.append("quality=\(quality)") }
        if let effort = options.effort { words.append("effort=\(effort)") }
        if let lossless = options.lossless { words.append(lossless ? "lossless" : "lossy") }
        if options.colors != 256 { words.append("colors=\(options.colors)") }
        if options.dither != .auto { words.append("dither=\(options.dither.rawValue)") }
        if options.palettes != .auto { words.append("palettes=\(options.palettes.rawValue)") }
        if let color = options.background { words.append("background=\(color)") }
        if let codec = options.codec { words.append("codec=\(codec.rawValue)") }
        return words.isEmpty ? "usual" : words.joined(separator: " ")
    }

    /// `forever`, `source` or a number.
    static func plays(_ looping: Looping) -> String {
        looping == .once ? "1" : Words.loops.text(looping)
    }
}
