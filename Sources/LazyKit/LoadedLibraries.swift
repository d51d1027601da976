#if Video
internal import LazyVideo
#endif

/// Which libraries a program loads for the formats of this build.
package enum LoadedLibraries {
    /// Lets FFmpeg be loaded without what this build never calls; for programs, before they open media.
    ///
    /// - Parameter decodesOnlyFilms: Whether the process decodes films and encodes nothing by a library that
    ///   it loads; then it can read and write no other formats that need one.
    package static func reduce(decodesOnlyFilms: Bool) {
        #if Video
        (decodesOnlyFilms ? FFmpegUse.films : .filmsAndEncoders).declare()
        #endif
    }
}
