internal import LazyBase
internal import LazyKit
internal import LazyMedia

/// Whether a command line does nothing but decode films, and write formats whose libraries the program is linked with.
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
        // `convert` must name the format that it writes.
        var namesFormat = command != "convert"
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            if !word.hasPrefix("-") || word == "-" {
                inputs.append(word)
            } else if Self.valued.contains(word) || word == "--frames" && command == "play" {
                guard let value = rest.popFirst(), accepts(value, of: word) else { return false }
                if Self.naming.contains(word) { namesFormat = true }
            } else if !Self.flags.contains(word) {
                return false
            }
        }
        // A second name, of a file that does not exist, is what `convert` writes.
        if !namesFormat, inputs.count == 2, let output = inputs.last, FileKind(output) == .nothing,
            accepts(output, of: "-o")
        {
            namesFormat = true
            inputs.removeLast()
        }
        return namesFormat && (1...Self.mostInputs).contains(inputs.count)
            && inputs.allSatisfy(isFilm)
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
    private static let commands: Set = ["convert", "info", "play", "poster", "sheet"]
    /// The options that name the format of the output.
    private static let naming: Set = ["--format", "--output", "-f", "-o"]
    /// What is written without a library that is loaded on demand.
    private static let formats: Set = [
        "apng", "framehash", "gif", "jpeg", "jpg", "png", "ppm", "raw", "webp",
    ]
    private static let flags: Set = [
        "--allow-larger", "--bounce", "--exact", "--explain", "--force", "--frames", "--hash",
        "--json", "--keyframes", "--lossless", "--lossy", "--no-audio", "--no-cache", "--no-status",
        "--quiet", "--reverse", "--still", "--trim", "--untimed", "-Q",
    ]
    private static let valued: Set = [
        "--at", "--background", "--cells", "--colors", "--columns", "--count", "--crop",
        "--crossfade", "--dither", "--duration", "--effort", "--end", "--every", "--fit", "--flip",
        "--format", "--fps", "--gap", "--gravity", "--height", "--interval", "--isolate", "--jobs",
        "--limit", "--limits", "--loop", "--matte", "--max-frames", "--output", "--overwrite",
        "--pad", "--pad-color", "--palettes", "--pattern", "--protocol", "--quality", "--rotate",
        "--rows", "--segments", "--size", "--speed", "--start", "--start-number", "--threads",
        "--undither", "--width", "-H", "-W", "-f", "-i", "-j", "-n", "-o", "-q", "-s", "-t",
    ]
}
