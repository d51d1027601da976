public import LazyMedia

extension Words {
    /// `main`, `motion`, `2`: which film of a file is read.
    public static let track = Grammar<MediaTrack>(
        "the tracks are main, motion, and 1, 2 and so on for video tracks",
        words: ["main", "motion"], shape: "main|motion|[0-9]+", samples: ["main", "motion", "2"],
        read: { text in
            switch text {
            case "main": .main
            case "motion": .motion
            default:
                text.allSatisfy(\.isNumber)
                    ? Int(text).flatMap { $0 > 0 ? .number($0) : nil } : nil
            }
        },
        print: { track in
            switch track {
            case .main: "main"
            case .motion: "motion"
            case .number(let number): "\(number)"
            }
        })

    /// `track`, `track:2`, `track:deu`, or a file, which is `./track` where it has such a name.
    public static let subtitles = Grammar<Subtitles>(
        "a track of subtitles is written as track, track:2 or track:deu", words: ["track"],
        shape: "track(?::(?:\\+?[0-9]+|[A-Za-z]{2,3}(?:[-_].*)?))?|(?!track:).+",
        samples: ["track", "track:2", "track:deu", "track:pt-BR", "film.srt", "./track"],
        read: { text in
            if text == "track" { return .track(.standard) }
            guard text.hasPrefix("track:") else { return text.isEmpty ? nil : .file(text) }
            let word = String(text.dropFirst("track:".count))
            if let number = Int(word) {
                return (1...9999).contains(number) ? .track(.number(number)) : nil
            }
            return LanguageCode(word) == nil ? nil : .track(.language(word))
        },
        print: { source in
            switch source {
            case .track(let choice): choice.description
            case .file(let path): path
            }
        })

    /// `copy`, `2`, `eng`, `none`: which sound is copied.
    public static let sound = Grammar<Rendition.Conversion.Sound>(
        "write copy, the number of a sound such as 2, its language such as eng, or none",
        words: ["copy", "none"], shape: "copy|none|[0-9]+|[A-Za-z]{2,3}(?:[-_][A-Za-z0-9-]*)?",
        samples: ["copy", "2", "eng", "pt-BR", "none"],
        read: { text in
            switch text {
            case "copy": return .copy(.standard)
            case "none": return Rendition.Conversion.Sound.none
            default: break
            }
            if text.allSatisfy(\.isNumber) {
                return Int(text).flatMap { (1...9999).contains($0) ? .copy(.number($0)) : nil }
            }
            return LanguageCode(text) == nil ? nil : .copy(.language(text))
        },
        print: { sound in
            switch sound {
            case .none: "none"
            case .copy(.standard): "copy"
            case .copy(.number(let number)): "\(number)"
            case .copy(.language(let language)): language
            }
        })

    /// Where subtitles come from.
    public enum Subtitles: Hashable, Sendable {
        /// A track of the media itself.
        case track(TrackChoice)
        /// A file of a name.
        case file(String)
    }
}
