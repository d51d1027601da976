/// Which of several tracks of a file: of its subtitles, or of its sounds.
public enum TrackChoice: Hashable, Sendable, CustomStringConvertible {
    /// The one that players show by default, else the first one; text before pictures.
    case standard
    /// The one of a number; the first has 1.
    case number(Int)
    /// The first one in a language, by its code in ISO 639 or the beginning of its tag in BCP 47.
    case language(String)

    /// The words on the command line: `track`, `track:2`, `track:deu`.
    public var description: String {
        switch self {
        case .standard: "track"
        case .number(let number): "track:\(number)"
        case .language(let language): "track:\(language)"
        }
    }

    /// The choice among tracks of subtitles, by what their container says; throws `.trackNotFound`.
    package func choose(among tracks: [StreamInfo]) throws(MediaError) -> StreamInfo {
        switch self {
        case .standard:
            guard let track = Self.best(of: tracks) else { throw .noSubtitles }
            return track
        case .number(let number):
            guard tracks.indices.contains(number - 1) else {
                throw tracks.isEmpty
                    ? .noSubtitles
                    : MediaError(
                        .trackNotFound,
                        "There is no subtitle track \(number): the file has \(tracks.count).")
            }
            return tracks[number - 1]
        case .language(let wanted):
            let code = LanguageCode(wanted)
            let fitting = tracks.filter { $0.language.flatMap { LanguageCode($0) } == code }
            guard let track = Self.best(of: fitting) else {
                throw tracks.isEmpty ? .noSubtitles : Self.missing(wanted, tracks)
            }
            return track
        }
    }

    /// The choice among sounds; nil for the one that is played by default.
    ///
    /// Throws `.trackNotFound`.
    package func chooseSound(among tracks: [StreamInfo]) throws(MediaError) -> StreamInfo? {
        switch self {
        case .standard: return nil
        case .number(let number):
            guard tracks.indices.contains(number - 1) else {
                throw MediaError(
                    .trackNotFound,
                    "There is no sound \(number): the file has \(tracks.count).")
            }
            return tracks[number - 1]
        case .language(let wanted):
            let code = LanguageCode(wanted)
            let fitting = tracks.filter { $0.language.flatMap { LanguageCode($0) } == code }
            guard let track = fitting.first(where: \.isDefault) ?? fitting.first else {
                throw MediaError(
                    .trackNotFound, "There is no sound in \(wanted): \(Self.languages(of: tracks))."
                )
            }
            return track
        }
    }

    // Text that is all of what is said, then text, then pictures.
    private static func best(of tracks: [StreamInfo]) -> StreamInfo? {
        let text = tracks.filter(\.isText)
        return text.first { $0.isDefault && !$0.isForced } ?? text.first { !$0.isForced }
            ?? text.first ?? tracks.first(where: \.isDefault) ?? tracks.first
    }

    private static func missing(_ wanted: String, _ tracks: [StreamInfo]) -> MediaError {
        MediaError(
            .trackNotFound, "There are no subtitles in \(wanted): \(languages(of: tracks)).")
    }

    private static func languages(of tracks: [StreamInfo]) -> String {
        var languages: [String] = []
        for language in tracks.compactMap(\.language) where !languages.contains(language) {
            languages.append(language)
        }
        return languages.isEmpty
            ? "their languages are not told" : "they are in \(languages.joined(separator: ", "))"
    }
}
