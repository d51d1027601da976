import Glibc
public import LazyBase
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
    }

    /// Writes the page over all items that are made, of whichever machine, in the order of the sources.
    ///
    /// Each file appears complete; one that would not change is not written. With `prunes`, folders of
    /// items that are not among the sources are removed.
    @discardableResult
    public func writePages(
        for sources: [GallerySource], prunes: Bool = false
    ) throws(FileError) -> PageReport {
        let items = sources.compactMap {
            Self.readItem(path("items/\($0.id)/\(GalleryItem.recordName)"))
        }
        let pages = SitePages(gallery: self, items: items)
        for name in ["data", "items"] {
            do throws(SystemError) { _ = try FilePath.createFolder(path(name)) } catch {
                throw FileError(path: path(name), error)
            }
        }
        // The page last: what it needs is there.
        for (name, text) in pages.files.reversed() { try write(text, to: name) }
        removeData(after: max(1, (items.count + SitePages.chunk - 1) / SitePages.chunk))
        return PageReport(
            page: path("index.html"), itemCount: items.count,
            missingCount: sources.count - items.count,
            removedCount: prunes ? prune(keeping: Set(sources.map(\.id))) : 0)
    }

    /// Whether the folder has a page that no gallery wrote.
    public var hasForeignPage: Bool {
        let page = path("index.html")
        guard FileKind(page) != .nothing else { return false }
        let bytes = try? FileBytes(name: page.systemPath, label: page).contiguous().withBytes {
            Array($0.prefix(4096))
        }
        return !String(decoding: bytes ?? [], as: UTF8.self).contains(PageAssets.signature)
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
            let result = bytes.withUnsafeBytes { bytes in
                Result { () throws(SystemError) -> Void in try file.write(bytes) }
            }
            try result.get()
            try file.publish(as: target.lastName, replacing: true)
        } catch {
            throw FileError(path: target, error)
        }
    }

    // Data of a longer list.
    private func removeData(after count: Int) {
        for name in ItemFolder.names(in: path("data")) {
            guard name.hasSuffix(".js"), let number = Int(name.dropLast(3)), number > count else {
                continue
            }
            unlink(path("data/" + name).systemPath)
        }
    }

    // A folder goes if it has the record of an item; files of others in it stay, and so does it then.
    private func prune(keeping ids: Set<String>) -> Int {
        var count = 0
        for id in ItemFolder.names(in: path("items")) where !ids.contains(id) {
            let folder = path("items/" + id)
            guard Self.readItem(folder + "/" + GalleryItem.recordName)?.id == id else { continue }
            for name in ItemFolder.names(in: folder) where ItemFolder.isOurs(name) {
                unlink((folder + "/" + name).systemPath)
            }
            rmdir(folder.systemPath)
            count += 1
        }
        return count
    }
}
