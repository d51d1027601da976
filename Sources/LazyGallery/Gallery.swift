public import LazyEditing
public import LazyMedia

/// A static site of films, animations and pictures that needs no server.
///
/// A value: what is made, how, and in which folder. `item(for:opening:)` is the work for one file, run by
/// `BatchRun`; `writePages(for:)` writes the page over what is made.
///
/// ```swift
/// let gallery = Gallery(folder: "site", title: "Holidays", encoders: .standard)
/// ```
public struct Gallery: Sendable {
    /// What the page plays.
    public enum MediaChoice: String, CaseIterable, Sendable {
        /// Copies of the files, converted where browsers cannot play them.
        case copy
        /// Hard links instead of copies, where the file system allows.
        case link
        /// Nothing: posters and previews only.
        case none
    }

    /// The folder of the site.
    public var folder: String
    /// The title of the page.
    public var title: String
    /// The formats of posters, the one browsers should prefer first, JPEG last.
    public var posterTypes: [MediaType]
    /// What the page plays.
    public var media: MediaChoice
    /// What is done to the frames of every file before anything is made of them.
    ///
    /// Posters, previews, sheets and what is played agree, so files that are edited are converted. The matte is the
    /// background of posters and films without transparency. A file that lacks the subtitle track of an overlay
    /// is shown without it, with a warning.
    public var edit = ClipEdit()
    /// The encoders to choose from.
    public var encoders: EncoderRegistry

    /// Makes a gallery.
    public init(
        folder: String, title: String, posterTypes: [MediaType] = [.avif, .webp, .jpeg],
        media: MediaChoice = .copy, encoders: EncoderRegistry
    ) {
        self.folder = folder
        self.title = title
        self.posterTypes = posterTypes
        self.media = media
        self.encoders = encoders
    }

    /// The most bytes that a visit of the pointer loads: the moving preview and the sprite sheet.
    public static let maxHoverBytes = maxPreviewBytes + maxSheetBytes

    static let maxPreviewBytes = 32_000
    static let maxSheetBytes = 28_000
    /// The boxes that posters fit in, for one and two pixels of the screen to one of the page.
    static let posterBoxes = [(width: 320, height: 240), (width: 640, height: 480)]

    /// What decides the files of an item besides its input, in one line.
    ///
    /// The number changes with what is written, so that sites of earlier versions are made again.
    public var options: String {
        let types = posterTypes.map(\.name).joined(separator: ",")
        let edited = edit == ClipEdit() ? "" : " edit=\(edit.identifier)"
        return "gallery 1 posters=\(types) media=\(media.rawValue)\(edited)"
    }

    /// Whether frames are changed, so that the files themselves cannot be played.
    var isEdited: Bool {
        var edit = edit
        edit.matte = nil
        return edit != ClipEdit(gravity: edit.gravity)
    }

    /// The path of a file of the site.
    func path(_ name: String) -> String {
        folder.isEmpty || folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }
}
