package import LazyEditing
package import LazyMedia
internal import LazyPreviews

extension Fingerprint {
    /// An edit of a clip, in its order; `all` where nothing is changed.
    package static func clip(_ edit: ClipEdit) -> String {
        var words: [String] = []
        if !edit.segments.isEmpty {
            words.append(
                "segments="
                    + edit.segments.map { "\(time($0.lowerBound))-\(time($0.upperBound))" }
                    .joined(separator: ","))
        }
        if let rate = edit.frameRate { words.append("fps=\(rate)") }
        if edit.speed != 1 { words.append("speed=\(edit.speed)") }
        if edit.isReversed { words.append("reverse") }
        if edit.isBouncing { words.append("bounce") }
        if edit.crossfade != .zero { words.append("crossfade=\(time(edit.crossfade))") }
        if let size = edit.size { words.append("size=\(of(size))/\(edit.gravity.text)") }
        return words.isEmpty ? "all" : words.joined(separator: " ")
    }

    /// How something is encoded; what is not given is left out.
    ///
    /// Threads are not named, as they change no byte.
    package static func encoding(_ options: EncodingOptions) -> String {
        var words: [String] = []
        if let quality = options.quality { words.append("quality=\(quality)") }
        if let effort = options.effort { words.append("effort=\(effort)") }
        if let lossless = options.lossless { words.append(lossless ? "lossless" : "lossy") }
        if options.colors != 256 { words.append("colors=\(options.colors)") }
        if options.dither != .auto { words.append("dither=\(options.dither.rawValue)") }
        if options.palettes != .auto { words.append("palettes=\(options.palettes.rawValue)") }
        if let colour = options.background { words.append("background=\(colour)") }
        if let codec = options.codec { words.append("codec=\(codec.rawValue)") }
        return words.isEmpty ? "usual" : words.joined(separator: " ")
    }

    /// `forever`, `source` or a number.
    package static func plays(_ looping: Looping) -> String {
        switch looping {
        case .asAuthored: "source"
        case .forever: "forever"
        case .times(let count): String(count)
        }
    }

    private static func time(_ duration: Duration) -> String {
        String(duration.microseconds)
    }
}

extension Gravity {
    /// The word or point, for fingerprints.
    package var text: String {
        switch self {
        case .centre: "centre"
        case .edge(let edge): edge.rawValue
        case .point(let x, let y): "\(x),\(y)"
        case .entropy: "entropy"
        case .attention: "attention"
        }
    }
}
