internal import LazyBase
internal import LazyMedia

extension Reports {
    /// The film of a motion photo.
    static func motion(_ film: MotionFilm) -> JSONValue {
        .object([
            ("kind", .string(film.kind.rawValue)),
            ("type", .string(film.type.name)),
            ("offset", .integer(film.range.lowerBound)),
            ("byteCount", .integer(film.range.count)),
            ("durationUs", .integer(film.duration?.microseconds)),
            ("stillUs", .integer(film.stillTime?.microseconds)),
        ])
    }

    /// The film for people.
    static func text(_ film: MotionFilm) -> String {
        var words = [film.type.name, ByteSize.text(film.range.count)]
        if let duration = film.duration { words.append(seconds(duration)) }
        let name =
            switch film.kind {
            case .motionPhoto: "Google Motion Photo"
            case .microVideo: "Google MicroVideo"
            case .samsung: "Samsung Motion Photo"
            case .mpvd: "HEIF mpvd"
            }
        return (words + [name]).joined(separator: ", ")
    }
}

extension MediaWarning? {
    /// The warning, if there is one.
    var asList: [MediaWarning] { map { [$0] } ?? [] }
}
