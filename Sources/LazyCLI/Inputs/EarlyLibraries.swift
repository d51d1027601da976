internal import Glibc
internal import LazyBase
internal import LazyKit
internal import LazyMedia

/// Loads the libraries of decoders while the program parses its arguments.
///
/// A third of the time of a video's poster belongs to the dynamic loader, which waits for nothing of ours.
package enum EarlyLibraries {
    /// Begins to load what reading the files of a command line needs, and returns at once.
    ///
    /// Judged by the files' names, so it is only a guess: what it misses is loaded when a file is
    /// opened, and an error is reported then. A file that is the only one is opened.
    ///
    /// Where the inputs are decoded in processes of their own, the program is started that forks them.
    package static func load(for arguments: [String]) {
        // What this machine has is asked without leaving anything out.
        guard arguments.first != "doctor" else { return }
        let host = host(for: arguments)
        LoadedLibraries.reduce(
            decodesOnlyFilms: host == nil && FilmArguments(arguments).areOnlyFilms)
        if let path = onlyFile(of: arguments) {
            return EarlyInput.open(path, LimitsChoice().limits(isLocal: true), host)
        }
        if let host { return host.prepare(for: types(named: arguments)) }
        let types = types(read: arguments)
        guard !types.isEmpty else { return }
        // Without a thread, nothing is lost but time.
        try? DetachedThread.start(blocksSignals: true) {
            for type in types { _ = try? DecoderRegistry.standard.installedDecoder(for: type) }
        }
    }

    /// The file that a command reads if it is the only one, and no option changes the limits of reading it.
    static func onlyFile(of arguments: [String]) -> String? {
        guard let command = arguments.first, reading.contains(command),
            !arguments.contains(where: { $0.hasPrefix("--limit") })
        else { return nil }
        let words = words(read: arguments)
        guard !words.contains(where: isForeign) else { return nil }
        let files = words.lazy.filter { FileKind($0) == .file }.prefix(2)
        return files.count == 1 ? files.first : nil
    }

    /// The host that decodes all inputs of a command line, or nil.
    static func host(for arguments: [String]) -> DecoderHost? {
        guard let command = arguments.first, decoding.contains(command) else { return nil }
        // What is no choice is refused later, and nothing is decoded here until then.
        let choice = value(of: "--isolate", in: arguments).map {
            IsolationChoice(rawValue: $0) ?? .always
        }
        let isUntrusted =
            value(of: "--limits", in: arguments) == LimitsProfile.untrusted.rawValue
        let isMany = command == "batch" || command == "gallery"
        return IsolationChoice.$readsManyFiles.withValue(isMany) {
            (choice ?? .auto).host(
                isLocal: !words(read: arguments).contains(where: isForeign),
                isUntrusted: isUntrusted)
        }
    }

    /// The last value of an option, which is the next word or part of its own.
    private static func value(of option: String, in arguments: [String]) -> String? {
        for place in arguments.indices.dropFirst().reversed() {
            let word = arguments[place]
            if word.hasPrefix(option + "=") { return String(word.dropFirst(option.utf8.count + 1)) }
            if word == option, place + 1 < arguments.endIndex { return arguments[place + 1] }
        }
        return nil
    }

    /// The types that the names of inputs speak of; films where none does.
    static func types(named arguments: [String]) -> [MediaType] {
        let endings = Set(words(read: arguments).compactMap { FilePath.fileExtension(of: $0) })
        let types = endings.prefix(16).compactMap {
            FormatRegistry.standard.format(named: $0.lowercased())?.types.first
        }
        return types.isEmpty ? [.mp4] : types
    }

    /// The words behind the command that may be inputs: neither options nor what is written to.
    private static func words(read arguments: [String]) -> [String] {
        zip(arguments, arguments.dropFirst()).compactMap { previous, word in
            let isOption = word.hasPrefix("-") && word != "-"
            return isOption || writing.contains(previous) ? nil : word
        }
    }

    private static func isForeign(_ word: String) -> Bool {
        word == "-" || word.hasPrefix("http://") || word.hasPrefix("https://")
    }

    /// The types, judged by their names, of the files that a command reads by libraries loaded on
    /// demand.
    static func types(read arguments: [String]) -> Set<MediaType> {
        guard let command = arguments.first, reading.contains(command) else { return [] }
        var (types, endings) = (Set<MediaType>(), Set<String>())
        for word in words(read: arguments) {
            // One file for each ending: there may be many thousands.
            guard let ending = FilePath.fileExtension(of: word)?.lowercased(),
                endings.insert(ending).inserted,
                let type = FormatRegistry.standard.format(named: ending)?.types.first(where: {
                    $0.fileExtensions.contains(ending)
                }),
                DecoderRegistry.standard.decoder(for: type)?.loadsLibrary == true,
                access(word.systemPath, R_OK) == 0
            else { continue }
            types.insert(type)
        }
        return types
    }

    // The commands that decode their arguments, with nothing slower before.
    private static let reading: Set = ["animate", "convert", "info", "play", "poster", "sheet"]
    private static let decoding = reading.union(["batch", "gallery", "loop", "ls"])
    private static let writing: Set = ["-o", "--output", "--frames", "--name"]
}
