internal import LazyBase
internal import LazyKit
internal import LazyMedia
internal import LazyPipeline

/// What the program loads to decode the inputs of a command, decided before it opens the first.
///
/// FFmpeg can be loaded without the libraries that are never called, but once in a process. A command that does
/// not ask for this has everything.
enum DecoderLibraries {
    /// For inputs that are not known yet.
    static func choose() { LoadedLibraries.reduce(decodesOnlyFilms: false) }

    /// For inputs; with `readsOnlyInputs` the command decodes nothing else, and encodes nothing by a library that is
    /// loaded on demand.
    static func choose(for inputs: [Input], _ limits: LimitsChoice, readsOnlyInputs: Bool) {
        let isLocal = inputs.allSatisfy(\.isFile)
        let place = MediaOpening.standard.place(for: limits.trust, isFile: isLocal)
        LoadedLibraries.reduce(
            decodesOnlyFilms: place == .here && readsOnlyInputs && areFilms(inputs))
        // The decoder is started while the bytes arrive.
        if !isLocal { MediaOpening.Decoders.standard(place).prepare(types(named: inputs)) }
    }

    /// Whether all inputs are films, judged by their bytes.
    static func areFilms(_ inputs: [Input]) -> Bool {
        inputs.count <= maxInputs && inputs.allSatisfy(isFilm)
    }

    // Each is opened once more than without this.
    private static let maxInputs = 16

    private static func isFilm(_ input: Input) -> Bool {
        guard case .path(let path) = input.address, input.parts.isEmpty, FileKind(path) == .file,
            let bytes = try? FileBytes(name: path.systemPath, label: path),
            let type = try? DecoderRegistry.standard.type(of: bytes)
        else { return false }
        return [.video, .audio].contains(type.family)
    }

    /// The types that the names of inputs suggest; films where none does.
    static func types(named inputs: [Input]) -> [MediaType] {
        let endings = Set(inputs.map(\.address.fileExtension))
        let types = endings.prefix(16).compactMap {
            FormatRegistry.standard.format(named: $0.lowercased())?.types.first
        }
        return types.isEmpty ? [.mp4] : types
    }
}
