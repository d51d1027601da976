import Glibc
public import LazyBase
package import LazyBatch
internal import LazyMedia

extension Gallery {
    /// What a page shows.
    public struct PageReport: Equatable, Sendable {
        /// The path of the page.
        public let page: String
        /// The items on it.
        public let itemCount: Int
        /// Sources that are not on it: they are not made yet, or have no pictures.
        public let missingCount: Int
        /// The folders of items that were removed.
        public let removedCount: Int
        /// Items on it whose files may come back.
        package var kept = KeptResults()
    }

    /// Writes the page over all items that are made, of whichever machine, in the order of the sources.
    ///
    /// Each file appears complete; one that would not change is not written. Items whose files were not found, but
    /// may come back, stay on the page of a `search`; without items nothing is written while a folder of it is
    /// missing. With `prunes`, items whose files are gone from its folders are removed from the site. Throws, and
    /// leaves the page as it is, where the record of an item cannot be read.
    @discardableResult
    public func writePages(
        for sources: [GallerySource], of search: GallerySearch? = nil, prunes: Bool = false
    ) throws(FileError) -> PageReport {
        let unlisted = try search.map { (search) throws(FileError) in
            try UnlistedItems(self, search, listed: sources)
        }
        var made: [(source: GallerySource, item: GalleryItem)] = []
        for source in sources {
            if let item = try item(of: source.id) { made.append((source, item)) }
        }
        var items = made.map(\.1)
        if let kept = unlisted?.kept, !kept.isEmpty { items = GallerySource.sorted(made + kept) }
        if !items.isEmpty || search?.isIncomplete != true { try write(items) }
        var report = PageReport(
            page: path("index.html"), itemCount: items.count,
            missingCount: sources.count - made.count,
            removedCount: prunes ? remove(unlisted?.gone ?? [], search?.journal) : 0)
        report.kept = unlisted?.results ?? KeptResults()
        return report
    }

    private func write(_ items: [GalleryItem]) throws(FileError) {
        let pages = SitePages(gallery: self, items: items)
        for name in ["data", "items"] {
            do throws(SystemError) { _ = try FilePath.createFolder(path(name)) } catch {
                throw FileError(path: path(name), error)
            }
        }
        // The page last: what it needs is there.
        for (name, text) in pages.files.reversed() { try write(text, to: name) }
        removeData(after: max(1, (items.count + SitePages.chunk - 1) / SitePages.chunk))
    }

    /// Whether the folder has a page that no gallery wrote, or other files in the place of a gallery's.
    public var hasForeignPage: Bool {
        let page = path("index.html")
        guard FileKind(page) != .nothing else { return hasForeignFiles }
        let bytes = try? FileBytes(name: page.systemPath, label: page).contiguous().withBytes {
            Array($0.prefix(4096))
        }
        return !String(decoding: bytes ?? [], as: UTF8.self).contains(PageAssets.signature)
    }

    // The page is written last, so files without it are those of a gallery only where that has items.
    private var hasForeignFiles: Bool {
        let data = ((try? ItemFolder.names(in: path("data"))) ?? []).filter { $0.hasSuffix(".js") }
        let names = ["gallery.css", "gallery.js", "icon.svg"] + data.map { "data/" + $0 }
        guard names.contains(where: { FileKind(path($0)) != .nothing }) else { return false }
        let items = (try? ItemFolder.names(in: path("items"))) ?? []
        return !items.contains { (try? item(of: $0)) != nil }
    }

    private func item(of id: String) throws(FileError) -> GalleryItem? {
        try Self.readItem(path("items/\(id)/\(GalleryItem.recordName)"))
    }

    private func write(_ text: String, to name: String) throws(FileError) {
        let target = path(name)
        let bytes = Array(text.utf8)
        if let file = try? FileBytes(name: target.systemPath, label: target),
            file.count == bytes.count,
            (try? file.contiguous().withBytes({ $0.elementsEqual(bytes) })) == true
        {
            return
        }
        do throws(SystemError) {
            let file = try NewFile(in: target.parentFolder)
            try bytes.withBytes { (bytes) throws(SystemError) in try file.write(bytes) }
            try file.publish(as: target.lastName, replacing: true)
        } catch {
            throw FileError(path: target, error)
        }
    }

    // Data of a longer list.
    private func removeData(after count: Int) {
        for name in (try? ItemFolder.names(in: path("data"))) ?? [] {
            guard name.hasSuffix(".js"), let number = Int(name.dropLast(3)), number > count else {
                continue
            }
            unlink(path("data/" + name).systemPath)
        }
    }

    // Files of others in a folder stay, and so does it then.
    private func remove(_ ids: [String], _ journal: Journal?) -> Int {
        var count = 0
        for id in ids {
            let folder = path("items/" + id)
            // Another process may be making it.
            let record = FilePath.absolute(folder + "/" + GalleryItem.recordName)
            guard journal?.claim(record) ?? true else { continue }
            defer { journal?.release(record) }
            let names = (try? ItemFolder.names(in: folder)) ?? []
            for name in names where ItemFolder.isOurs(name) {
                unlink((folder + "/" + name).systemPath)
            }
            rmdir(folder.systemPath)
            count += 1
        }
        return count
    }
}
