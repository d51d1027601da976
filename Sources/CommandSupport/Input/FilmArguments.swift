internal import LazyBytes
internal import LazyFiles
internal import LazyKit
internal import LazyMedia

/// Whether a command line does nothing but decode films, and write formats that need no library.
///
/// Such a command loads FFmpeg's decoders only. Options that are not listed here, and inputs that are
/// not local files, count as something else.
struct FilmArguments {
    private let words: [String]

    init(_ words: [String]) { self.words = words }

    /// Whether all inputs are films, judged by their bytes.
    var areOnlyFilms: Bool {
        guard let command = words.first, Self.commands.contains(command) else { return false }
        var inputs: [String] = []
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            if !word.hasPrefix("-") || word == "-" {
                inputs.append(word)
            } else if Self.valued.contains(word) || word == "--frames" && command == "play" {
                guard let value = rest.popFirst(), accepts(value, of: word) else { return false }
            } else if !Self.flags.contains(word) {
                return false
            }
        }
        return (1...Self.mostInputs).contains(inputs.count) && inputs.allSatisfy(isFilm)
    }

    private func accepts(_ value: String, of option: String) -> Bool {
        switch option {
        case "-f", "--format": Self.formats.contains(value.lowercased())
        case "-o", "--output":
            FilePath.fileExtension(of: value).map { Self.formats.contains($0.lowercased()) }
                ?? (value == "-")
        default: true
        }
    }

    private func isFilm(_ path: String) -> Bool {
        guard FileKind(path) == .file,
            let bytes = try? FileBytes(name: path.systemPath, label: path),
            let type = try? DecoderRegistry.standard.type(of: bytes)
        else { return false }
        return type.family == .video
    }

    private static let mostInputs = 16
    private static let commands: Set = ["info", "play", "poster", "sheet"]
    /// What is written without a library that is loaded on demand.
    private static let formats: Set = ["png", "jpg", "jpeg", "ppm", "raw", "framehash"]
    private static let flags: Set = [
        "--exact", "--explain", "--force", "--frames", "--hash", "--json", "--keyframes",
        "--no-cache", "--no-status",
        "--quiet", "--untimed", "-Q",
    ]
    private static let valued: Set = [
        "--at", "--cells", "--colors", "--columns", "--count", "--duration", "--effort", "--end",
        "--every",
        "--fit", "--format", "--fps", "--gap", "--gravity", "--height", "--interval", "--isolate",
        "--jobs", "--limit",
        "--limits", "--loop", "--max-frames", "--output", "--overwrite", "--pattern", "--protocol",
        "--quality", "--rows",
        "--size", "--start", "--start-number", "--threads", "--width", "-H", "-W", "-f", "-i", "-j",
        "-n", "-o", "-q",
        "-s", "-t",
    ]
}
