import Glibc
package import LazyBase

extension Journal {
    /// What pruning removed, and what it left.
    package struct Pruned: Equatable, Sendable {
        /// The removed files.
        package var removed: [String] = []
        /// Files that somebody has changed since they were made; they stay.
        package var changed: [String] = []
    }

    /// Removes what was made of inputs that are gone, and forgets it.
    ///
    /// Only files that the journal names and nobody has changed since. An input is gone if its folder can
    /// be searched and does not have it; `isMeant` gets the absolute paths of an input that is gone and of
    /// its output. Outputs that another process works on stay.
    package func prune(
        where isMeant: (_ input: String, _ output: String) -> Bool
    ) throws(FileError) -> Pruned {
        readOn()
        var pruned = Pruned()
        for record in records where Self.isGone(record.input) {
            guard isMeant(record.input, record.output), claim(record.output) else { continue }
            defer { release(record.output) }
            try remove(record, &pruned)
        }
        return pruned
    }

    private func remove(_ record: JournalRecord, _ pruned: inout Pruned) throws(FileError) {
        for file in record.files {
            if file.isIntact {
                guard unlink(file.path.systemPath) == 0 || errno == ENOENT else {
                    throw FileError(path: file.path, .last)
                }
                pruned.removed.append(file.path)
            } else if FileKind(file.path) != .nothing {
                pruned.changed.append(file.path)
            }
        }
        var gone = record
        gone.state = .gone
        try append(gone.line)
    }

    // A folder that cannot be searched may have it; an address is never gone.
    static func isGone(_ input: String) -> Bool {
        var status = stat()
        guard input.isRooted, stat(input.systemPath, &status) != 0 else { return false }
        return errno == ENOENT || errno == ENOTDIR
    }
}
