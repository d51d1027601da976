internal import LazyBase
internal import LazyBatch
internal import LazyGallery
internal import LazyKit
internal import LazyMedia

/// The files of a gallery, in the order of the page.
struct GallerySources {
    let all: [GallerySource]
    /// The same files as inputs.
    let inputs: [Input]
    /// The searched folders, by their names in the site.
    let folders: [GallerySearch.Folder]

    /// Searches folders, except for the site; several folders are kept apart by their names.
    init(
        _ words: [String], output: String, hasPictures: Bool,
        _ families: Set<MediaType.Family>?, _ journal: Journal?, _ style: ReportStyle
    ) throws(CommandFailure) {
        let filter = FolderFilter(families: families, journal: journal)
        var found: [GallerySource] = []
        var folders: [GallerySearch.Folder] = []
        for input in try Input.parse(words) {
            guard case .path(let path) = input.address else {
                throw .usage(
                    "A gallery is made of files, and \(input.label) is none.",
                    hint: "Load it first: lazyimg fetch.")
            }
            let root = words.count > 1 ? FilePath.absolute(path).lastName : ""
            // Files that are named have no folder.
            folders.append(.init(path: path, name: FileKind(path) == .file ? "" : root))
            found += try Self.sources(input, path, root, output: output, filter, style)
        }
        // What cannot be read is reported when it is made.
        if !hasPictures { found.removeAll { FolderFilter.family(of: $0.path) == .still } }
        self.folders = folders
        all = GallerySource.sorted(found)
        inputs = all.enumerated().map { place, source in
            Input(.init(path: source.path, subfolder: source.subfolder), number: place + 1)
        }
        if all.isEmpty {
            throw CommandFailure(
                .noInput, "missing", "There is no media in \(words.joined(separator: ", ")).")
        }
    }

    private static func sources(
        _ input: Input, _ path: String, _ root: String, output: String, _ filter: FolderFilter,
        _ style: ReportStyle
    ) throws(CommandFailure) -> [GallerySource] {
        guard FileKind(path) == .folder else { return [GallerySource(path: path)] }
        let search = FolderSearch(path, output: output, filter)
        search.tell(input, style)
        return search.files.map { file in
            let folders = [root, file.subfolder].filter { !$0.isEmpty }
            return GallerySource(path: file.path, subfolder: folders.joined(separator: "/"))
        }
    }
}
