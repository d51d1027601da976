internal import LazyMedia

/// Media whose decoders need the same libraries.
///
/// Each has a program of its own, which loads and forks only what it needs.
enum DecoderFamily: String, CaseIterable {
    /// Films and songs, and the pictures that FFmpeg decodes.
    case films
    /// All else.
    case pictures

    init(_ type: MediaType) {
        let isFilm =
            [.video, .audio].contains(type.family) || type == .heic || type == .heicSequence
        self = isFilm ? .films : .pictures
    }
}
