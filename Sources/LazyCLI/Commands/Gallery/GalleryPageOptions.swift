internal import ArgumentParser
internal import LazyBase
internal import LazyGallery
internal import LazyKit
internal import LazyMedia

/// What is on the page.
struct GalleryPageOptions: ParsableArguments {
    @Option(help: .init("The title. Default: the name of the folder.", valueName: "text"))
    var title: String?

    @Option(
        help: .init(
            "What the page plays: copy (copies of the files; the default), link (hard links where possible) or none (posters and previews only).",
            valueName: "way"),
        completion: .list(Gallery.MediaChoice.allCases.map(\.rawValue)), transform: Arguments.word)
    var media: Gallery.MediaChoice = .copy

    @Option(
        help: .init(
            "The formats of posters, best first. Default: avif,webp,jpg, without AVIF where libavif is missing.",
            valueName: "formats"),
        transform: { try GalleryPageOptions.posterTypes($0) })
    var posters: [MediaType]?

    @Flag(help: "Leave out pictures that do not move.")
    var noPictures = false

    @Flag(help: "Remove items from the site whose files are gone.")
    var prune = false

    /// `avif,webp,jpg`.
    static func posterTypes(_ text: String) throws -> [MediaType] {
        let known: [String: MediaType] = [
            "avif": .avif, "webp": .webp, "jpg": .jpeg, "jpeg": .jpeg, "png": .png,
        ]
        let words = text.split(separator: ",").map(String.init)
        let types = words.compactMap { known[$0] }
        guard !types.isEmpty, types.count == words.count, Set(types).count == types.count else {
            throw ArgumentError("write some of avif, webp, jpg and png, separated by commas")
        }
        return types
    }

    /// The gallery of a folder.
    func gallery(output: String, folders: [String]) -> Gallery {
        let encoders = EncoderRegistry.standard
        var gallery = Gallery(
            folder: output, title: title ?? Self.title(folders), media: media, encoders: encoders)
        if let posters {
            gallery.posterTypes = posters
        } else if (try? encoders.encoder(for: .avif)) == nil {
            gallery.posterTypes.removeAll { $0 == .avif }
        }
        return gallery
    }

    private static func title(_ folders: [String]) -> String {
        guard folders.count == 1 else { return "Gallery" }
        let name = FilePath.absolute(folders[0]).lastName
        return name.isEmpty ? "Gallery" : name.shown
    }
}
