internal import LazyBase

/// The files of one output while it is made: those of the last time, and the new ones as they get their names.
final class ResultFiles: Sendable {
    /// The files of the last time that nobody has changed since.
    let old: [JournalRecord.File]
    private let new = Locked<[JournalRecord.File]>([])

    init(_ old: [JournalRecord.File]) { self.old = old }

    /// Adds a new file; returns all, and how many of them are new.
    func add(_ file: JournalRecord.File) -> (files: [JournalRecord.File], newCount: Int) {
        let new = new.withLock { new in
            new.append(file)
            return new
        }
        return (old + new, new.count)
    }

    /// The files at some paths, as they were written.
    func files(at paths: [String]) -> [JournalRecord.File] {
        let new = new.withLock { $0 }
        return paths.compactMap { path in
            let path = FilePath.absolute(path)
            return new.last { $0.path.isSamePath(as: path) }?.named
                ?? JournalRecord.File(path: path)
        }
    }

    /// Those of all that are at their paths, each once.
    var present: [JournalRecord.File] {
        var seen: Set<PathKey> = []
        return (old + new.withLock { $0 }).filter {
            $0.isLikelyIntact && seen.insert(PathKey($0.path)).inserted
        }
    }
}
