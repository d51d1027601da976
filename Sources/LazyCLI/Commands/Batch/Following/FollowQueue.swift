internal import LazyBase

/// What is looked at next where folders are followed: changes first, each once, then the rest of a search.
struct FollowQueue {
    /// Files are looked at this long after a change, so that what belongs together is complete.
    static let settling = Duration.milliseconds(200)

    private var changes: [(path: String, due: ContinuousClock.Instant)] = []
    private var waiting: Set<PathKey> = []
    private var found: [FolderSearch.File] = []
    private var place = 0

    /// Adds a path that changed; one that waits already keeps its turn.
    mutating func add(_ path: String, now: ContinuousClock.Instant) {
        guard waiting.insert(PathKey(path)).inserted else { return }
        changes.append((path, now + Self.settling))
    }

    /// Takes the files of a search, instead of what is left of the last one.
    mutating func begin(_ files: [FolderSearch.File]) { (found, place) = (files, 0) }

    /// The paths whose turn has come, in order.
    mutating func takeChanges(now: ContinuousClock.Instant) -> [String] {
        let due = changes.prefix { $0.due <= now }.map(\.path)
        changes.removeFirst(due.count)
        for path in due { waiting.remove(PathKey(path)) }
        return due
    }

    /// When the next change is due, or nil.
    var nextDue: ContinuousClock.Instant? { changes.first?.due }

    /// The next files of the search, at most so many.
    mutating func takeFound(_ most: Int) -> [FolderSearch.File] {
        let files = Array(found[place...].prefix(most))
        place += files.count
        if place == found.count { (found, place) = ([], 0) }
        return files
    }

    /// Whether files of the search are left.
    var hasFound: Bool { place < found.count }
}
