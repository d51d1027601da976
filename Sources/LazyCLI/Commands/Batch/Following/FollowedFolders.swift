import Glibc
internal import LazyBase
internal import LazyBatch

/// The folders that `--follow` watches, and the searches in them.
final class FollowedFolders: Sendable {
    /// The named folders.
    let roots: [String]
    private let output: String?
    private let filter: FolderFilter
    private let watch: FolderWatch?
    private let isQuiet: Bool
    private let isLimited = Locked(false)

    /// Watches no folder yet.
    init(_ roots: [String], output: String?, _ filter: FolderFilter, isQuiet: Bool) {
        // As the search names them.
        self.roots = roots.map { root in
            var root = root
            while root.utf8.count > 1, root.endsInSlash { root.removeLast() }
            return root
        }
        self.output = output
        self.filter = filter
        self.isQuiet = isQuiet
        do throws(SystemError) {
            watch = try FolderWatch()
        } catch {
            watch = nil
            limit("inotify is not available (\(error))")
        }
    }

    /// Whether some changes are found by searching alone: the drive is another machine's, or there are too many
    /// folders.
    var needsSearches: Bool {
        isLimited.withLock { $0 } || roots.contains(where: NetworkDrive.has)
    }

    /// All media, with all folders watched before they are searched.
    func search() -> [FolderSearch.File] {
        var seen: Set<NameDigest> = []
        return roots.flatMap { root in
            FolderSearch(root, output: output, filter, didEnter: add).files
        }.filter { seen.insert(NameDigest(FilePath.absolute($0.path))).inserted }
    }

    /// The media at a path that changed: a file, or those of a folder.
    func search(at path: String) -> [FolderSearch.File] {
        for root in roots {
            if path.isSamePath(as: root) {
                return FolderSearch(root, output: output, filter, didEnter: add).files
            }
            let search = FolderSearch(root, at: path, output: output, filter, didEnter: add)
            if !search.files.isEmpty { return search.files }
        }
        return []
    }

    /// Forgets a folder that is gone from its place.
    func remove(_ path: String) { watch?.remove(path) }

    /// Passes changes on until `stop`, on a thread of its own.
    func start(_ didChange: @escaping @Sendable ([FolderWatch.Change]) -> Void) throws(SystemError)
    {
        guard let watch else { return }
        try DetachedThread.start(blocksSignals: true) {
            while let changes = watch.wait() { didChange(changes) }
        }
    }

    /// Ends the thread.
    func stop() { watch?.stop() }

    private func add(_ folder: String) {
        guard let watch else { return }
        do throws(SystemError) { try watch.add(folder) } catch {
            // A folder may be gone by now.
            guard error.code == ENOSPC || error.code == ENOMEM else { return }
            limit(
                "the system lets this user watch no more than \(watch.count) folders (fs.inotify.max_user_watches)"
            )
        }
    }

    private func limit(_ reason: String) {
        let isFirst = isLimited.withLock { known in
            defer { known = true }
            return !known
        }
        guard isFirst, !isQuiet else { return }
        Console.say(
            "lazyimg: warning: Changes of some folders are found by searching only: \(reason).")
    }
}
