internal import LazyBase
public import LazyBatch

/// The folders in which the files of a page were searched, and what earlier runs know of them.
///
/// Made before the items are, since their new records say where files are now.
public struct GallerySearch: Sendable {
    /// A searched folder.
    public struct Folder: Sendable {
        /// Its path.
        public let path: String
        /// The folder in which the page shows its files; empty for none.
        public let name: String

        /// Makes a folder.
        public init(path: String, name: String = "") { (self.path, self.name) = (path, name) }
    }

    let folders: [Folder]
    let journal: Journal?
    let gone: GoneInputs

    /// Makes a search of some folders; the journal tells what the items of a site were made of.
    public init(_ folders: [Folder], site: Gallery, journal: Journal? = nil) {
        self.folders = folders
        self.journal = journal
        let roots = folders.map(\.path)
        gone =
            journal?.gone(from: roots, output: site.folder)
            ?? GoneInputs(roots, output: site.folder)
    }

    /// Whether one of the folders cannot be searched, so that a page without items would say nothing.
    var isIncomplete: Bool { gone.hasDoubt }
}

/// The items of a site whose files were not among those that were found.
struct UnlistedItems {
    /// Those that stay on the page, since their files may come back.
    private(set) var kept: [(source: GallerySource, item: GalleryItem)] = []
    /// The names of those whose files are gone, or have another item.
    private(set) var gone: [String] = []
    /// Why items are kept.
    private(set) var results = KeptResults()

    /// Looks for them in a site.
    init(
        _ gallery: Gallery, _ search: GallerySearch, listed: [GallerySource]
    ) throws(FileError) {
        let ids = Set(listed.map(\.id))
        let paths = Set(listed.map { PathKey(FilePath.absolute($0.path)) })
        var answers = search.gone.afresh
        let names = try ItemFolder.names(in: gallery.path("items")).filter { !ids.contains($0) }
        for id in names.sorted() {
            let folder = gallery.path("items/" + id)
            let record = try Gallery.readItem(folder + "/" + GalleryItem.recordName)
            let item = record.flatMap { $0.id == id ? $0 : nil }
            guard let file = search.file(of: item, in: folder) else { continue }
            if paths.contains(PathKey(file.path)) {
                if file.isCertain { gone.append(id) }
            } else if search.gone.covers(file.path) {
                add(answers.answer(file), id, item, file)
            }
        }
    }

    private mutating func add(
        _ answer: GoneInputs.Answer, _ id: String, _ item: GalleryItem?, _ file: KnownInput
    ) {
        switch answer {
        case .present: break
        case .gone: if file.isCertain { gone.append(id) }
        case .unknown(let doubt):
            guard let item else { return }
            let source = GallerySource(path: file.path, subfolder: item.subfolder)
            kept.append((source, item))
            results.add(doubt)
        }
    }
}

extension GallerySearch {
    /// The file of an item, by the journal, or by its record and the names of the folders; nil if both say nothing.
    fileprivate func file(of item: GalleryItem?, in folder: String) -> KnownInput? {
        if let known = journal?.knownInput(of: folder + "/" + GalleryItem.recordName) {
            return known
        }
        guard let item else { return nil }
        let files = folders.compactMap { $0.file(of: item) }
        return files.first { $0.isCertain } ?? files.first
    }
}

extension GallerySearch.Folder {
    /// The path that an item's file has here; nil for items of other folders.
    fileprivate func file(of item: GalleryItem) -> KnownInput? {
        var rest = item.subfolder[...]
        if !name.isEmpty {
            guard rest.isSamePath(as: name) || rest.hasPathPrefix(name + "/") else { return nil }
            rest = Substring(rest.utf8.dropFirst(name.utf8.count))
        }
        // A file that is named has no files in it, also when it is gone.
        let isFile = FileKind(path) == .file || rest.isEmpty && path.lastName == item.name
        if isFile, path.lastName != item.name { return nil }
        let parts =
            isFile
            ? [FilePath.absolute(path)]
            : [FilePath.absolute(path)] + rest.pathParts.map(String.init) + [item.name]
        return KnownInput(path: parts.joined(separator: "/"), place: item.place)
    }
}
