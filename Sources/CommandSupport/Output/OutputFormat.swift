package import LazyMedia

/// What a media file can be written as, in the words of `--format` and of file names.
///
/// `webp` and `avif` are one word for stills and animations; which it is, is told by what is made.
package enum OutputFormat: String, CaseIterable, Sendable {
    case gif, webp, apng, avif, mp4, webm, png, jpg, ppm, raw

    /// The formats that can hold more than one frame.
    package static let animated: [OutputFormat] = [.webp, .gif, .apng, .avif, .mp4, .webm]
    /// The formats of one picture.
    package static let still: [OutputFormat] = [.png, .jpg, .webp, .avif, .ppm, .raw]

    /// Reads a format's name or a file's extension, in letters of any case.
    package init?(_ word: some StringProtocol) {
        switch word.lowercased() {
        case "jpeg": self = .jpg
        case let word:
            guard let format = OutputFormat(rawValue: word) else { return nil }
            self = format
        }
    }

    /// The type of a file in this format, or nil for bare pixels, which are no media.
    package func type(isAnimation: Bool) -> MediaType? {
        switch self {
        case .gif: .gif
        case .webp: isAnimation ? .webpAnimation : .webp
        case .apng: .apng
        case .avif: isAnimation ? .avifSequence : .avif
        case .mp4: .mp4
        case .webm: .webm
        case .png: isAnimation ? .apng : .png
        case .jpg: .jpeg
        case .ppm, .raw: nil
        }
    }

    /// The format that files of a type are in, or nil where none is written.
    package init?(_ type: MediaType) {
        switch type {
        case .gif: self = .gif
        case .webpAnimation, .webp: self = .webp
        case .apng: self = .apng
        case .avifSequence, .avif: self = .avif
        case .mp4: self = .mp4
        case .webm: self = .webm
        case .png: self = .png
        case .jpeg: self = .jpg
        default: return nil
        }
    }

    /// Several formats as the endings of files: `.png, .jpg or .webp`.
    package static func endings(_ formats: [OutputFormat]) -> String {
        let words = formats.map { "." + $0.rawValue }
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
