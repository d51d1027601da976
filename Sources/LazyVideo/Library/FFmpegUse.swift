internal import CFFmpeg

/// What a process calls of FFmpeg, which depends on some fifty libraries.
package enum FFmpegUse: Sendable {
    /// The decoders of films, and nothing else that depends on the same libraries.
    case films
    /// Decoders, and encoders of films.
    case filmsAndEncoders

    /// Lets FFmpeg be loaded without the libraries that this never calls.
    ///
    /// Empty ones take their names, and for films loading takes a ninth of the time and a quarter of the memory. In
    /// the whole process, and before FFmpeg is loaded: only programs may say it, not libraries. Where it cannot
    /// be done, everything is loaded.
    package func declare() {
        switch self {
        case .films: lz_will_use(LZ_USE_FILMS)
        case .filmsAndEncoders: lz_will_use(LZ_USE_FILMS_AND_ENCODERS)
        }
    }
}
