internal import LazyMedia

/// Media whose decoders need the same libraries.
///
/// Each has a program of its own, which loads and forks only what it needs.
enum DecoderFamily: String, CaseIterable {
    /// Films, and the pictures that FFmpeg decodes.
    case films
    /// All else.
    case pictures

    init(_ type: MediaType) {
        let isFilm = type.family == .video || type == .heic || type == .heicSequence
        self = isFilm ? .films : .pictures
    }
}
