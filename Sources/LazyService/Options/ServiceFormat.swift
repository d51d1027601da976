internal import LazyMedia

/// A format that a path names, by one of its extensions.
enum ServiceFormat: String, CaseIterable, Hashable, Sendable {
    case jpeg, png, webp, avif, gif, jxl, apng, mp4, webm
    /// The facts, and the times of a sheet's tiles.
    case json, vtt
    /// What is known, and not written.
    case svg, ico, heic, bmp, tiff

    /// The format of an extension; nil for an unknown one.
    init?(ending: String) {
        switch ending.lowercased() {
        case "jpg": self = .jpeg
        case "tif": self = .tiff
        case "heif": self = .heic
        case let ending:
            guard let format = ServiceFormat(rawValue: ending) else { return nil }
            self = format
        }
    }

    /// The format of media; nil where there is none for it.
    init?(typeName name: String) {
        switch name {
        case "webp-animation": self = .webp
        case "avif-sequence": self = .avif
        case "jxl-animation": self = .jxl
        case "heic-sequence": self = .heic
        default: self.init(rawValue: name)
        }
    }

    /// The type of one picture; nil where there is none.
    var still: MediaType? {
        switch self {
        case .jpeg: .jpeg
        case .png, .apng: .png
        case .webp: .webp
        case .avif: .avif
        case .gif: .gif
        case .jxl: .jpegXL
        case .mp4, .webm, .json, .vtt, .svg, .ico, .heic, .bmp, .tiff: nil
        }
    }

    /// The type of moving pictures; nil where there is none.
    var moving: MediaType? {
        switch self {
        case .webp: .webpAnimation
        case .avif: .avifSequence
        case .gif: .gif
        case .apng: .apng
        case .mp4: .mp4
        case .webm: .webm
        case .jpeg, .png, .jxl, .json, .vtt, .svg, .ico, .heic, .bmp, .tiff: nil
        }
    }

    /// The most pixels of a side that its files have, or that browsers show of them.
    var longestSide: Int {
        switch self {
        case .webp: 16_383
        case .avif, .mp4, .webm: 16_384
        case .jpeg: 65_500
        case .gif: 65_535
        case .png, .apng, .jxl, .json, .vtt, .svg, .ico, .heic, .bmp, .tiff: 1 << 20
        }
    }

    /// Whether it is a film.
    var isFilm: Bool { self == .mp4 || self == .webm }

    /// The extension of a file of it.
    var ending: String { self == .jpeg ? "jpg" : rawValue }
}
