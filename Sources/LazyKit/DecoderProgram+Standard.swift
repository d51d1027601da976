internal import LazyEditing
public import LazyIsolation
internal import LazyMedia

extension DecoderProgram {
    /// Serves the host that started the process with the formats of this build, and ends with it.
    ///
    /// ```swift
    /// if DecoderProgram.isRequested { DecoderProgram.run() }
    /// ```
    public static func run() -> Never {
        LoadedLibraries.reduce(decodesOnlyFilms: decodesFilms)
        var formats = FormatRegistry.standard
        formats.register(.unknown)
        formats.register(.text)
        run(
            formats: formats, samples: WarmingSamples.all,
            loading: { ColorProfiles.loadLibrary() })
    }
}

extension MediaFormat {
    /// What no format is; only the program that decodes names it.
    fileprivate static let unknown = MediaFormat(
        name: "unknown", types: [.unknown], signatures: [],
        decoders: [ContentNamer(besides: FormatRegistry.standard.types)])
}
