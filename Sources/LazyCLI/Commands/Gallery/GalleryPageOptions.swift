internal import ArgumentParser
internal import LazyBase
internal import LazyGallery
internal import LazyKit
internal import LazyMedia
internal import LazyOptions
internal import LazyRenditions

/// What is on the page.
struct GalleryPageOptions: ParsableArguments {
    @Option("The title. Default: the name of the folder.", as: "text")
    var title: String?

    @Option(
        "What the page plays: copy (copies of the files; the default), link (hard links where possible) or none (posters and previews only).",
        Words.choice(Gallery.MediaChoice.self), as: "way")
    var media: Gallery.MediaChoice = .copy

    @Option(
        "The formats of posters, best first. Default: avif,webp,jpg, without AVIF where libavif is missing and the page has none.",
        GalleryPageOptions.posterTypes, as: "formats")
    var posters: [MediaType]?

    @Flag(help: "Leave out pictures that do not move.")
    var noPictures = false

    @Flag(help: "Remove items from the site whose files are gone.")
    var prune = false

    /// `avif,webp,jpg`.
    private static let posterTypes = Words.type(among: [.avif, .webp, .jpeg, .png])
        .list(posterWords, samples: []).only(posterWords) { Set($0).count == $0.count }
    private static let posterWords = "write some of avif, webp, jpg and png, separated by commas"

    /// The gallery of a folder.
    func gallery(output: String, folders: [String]) -> Gallery {
        let encoders = EncoderRegistry.standard
        var gallery = Gallery(
            folder: output, title: title ?? Self.title(folders), media: media, encoders: encoders)
        if let posters {
            gallery.posterTypes = posters
        } else if (try? encoders.encoder(for: .avif)) == nil, !gallery.hasPosters(.avif) {
            // A library that cannot be opened today is no reason to remove the files that it made.
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
