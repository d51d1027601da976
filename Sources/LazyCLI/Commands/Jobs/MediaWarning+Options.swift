internal import LazyMedia
internal import LazyRenditions

extension MediaWarning {
    /// The warning with the options of the command line, where it names fields of a rendition without effect.
    var namingOptions: MediaWarning {
        let verbs = [" has no effect: ", " have no effect: "]
        guard code == .withoutEffect,
            let end = verbs.compactMap({ message.firstRange(of: $0) }).first?.lowerBound
        else { return self }
        let options = message[..<end].split(separator: ", ").map { Self.option(of: String($0)) }
        return MediaWarning(code, "\(options.joined(separator: ", "))\(message[end...])")
    }

    /// `--max-frames` of `maxFrames`.
    private static func option(of field: String) -> String {
        switch field {
        case "length": "--duration"
        case "hashes": "--hash"
        case "segments": "the part of the clip"
        default:
            field.reduce(into: "--") { option, letter in
                option += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
            }
        }
    }
}
