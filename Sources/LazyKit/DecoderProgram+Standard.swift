internal import LazyColor
public import LazyIsolation

extension DecoderProgram {
    /// Serves the host that started the process with the formats of this build, and ends with it.
    ///
    /// ```swift
    /// if DecoderProgram.isRequested { DecoderProgram.run() }
    /// ```
    public static func run() -> Never {
        LoadedLibraries.reduce(decodesOnlyFilms: decodesFilms)
        run(
            formats: .standard, samples: WarmingSamples.all,
            loading: { ColorProfiles.loadLibrary() })
    }
}
