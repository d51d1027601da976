import Glibc
package import LazyBase

extension Journal {
    /// What pruning removed, and what it left.
    package struct Pruned: Equatable, Sendable {
        /// The removed files.
        package var removed: [String] = []
        /// Files that somebody has changed since they were made; they stay.
        package var changed: [String] = []
        /// Results that stay because nobody can say whether their inputs are gone.
        package var kept = KeptResults()
    }

    /// Decides what is gone from some folders; asked before a run, since that notes new file systems.
    package func gone(from roots: [String], output: String?) -> GoneInputs {
        var gone = GoneInputs(roots, output: output)
        readOn()
        gone.compare(records)
        return gone
    }

    /// Removes what was made of inputs that are gone, and forgets it.
    ///
    /// Only files that the journal names and nobody has changed since. `isMeant` gets the absolute paths of an input
    /// in one of the named folders and of its output. Outputs that another process works on stay.
    package func prune(
        _ gone: GoneInputs, where isMeant: (_ input: String, _ output: String) -> Bool
    ) throws(FileError) -> Pruned {
        readOn()
        var (pruned, first) = (Pruned(), gone.afresh)
        var found: [JournalRecord] = []
        for record in records where gone.covers(record.input) {
            guard isMeant(record.input, record.output) else { continue }
            switch first.answer(record.input, on: record.inputVolume) {
            case .present: break
            case .gone: found.append(record)
            case .unknown(let doubt): if record.hasFiles { pruned.kept.add(doubt) }
            }
        }
        // A drive may have been unmounted while they were looked at.
        var second = gone.afresh
        for record in found {
            guard second.answer(record.input, on: record.inputVolume) == .gone,
                claim(record.output)
            else { continue }
            defer { release(record.output) }
            try remove(record, &pruned)
        }
        return pruned
    }

    private func remove(_ record: JournalRecord, _ pruned: inout Pruned) throws(FileError) {
        var seen: Set<PathKey> = []
        for file in record.files where seen.insert(PathKey(file.path)).inserted {
            if record.owns(file.path) {
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
}

/// The results of inputs that may be gone or not.
package struct KeptResults: Equatable, Sendable {
    /// The folders that do not say, each with the number of inputs with results.
    package private(set) var folders: [(doubt: GoneInputs.Doubt, count: Int)] = []

    package init() {}

    /// Adds an input.
    package mutating func add(_ doubt: GoneInputs.Doubt) {
        if let place = folders.firstIndex(where: { $0.doubt == doubt }) {
            folders[place].count += 1
        } else {
            folders.append((doubt, 1))
        }
    }

    /// The number of inputs.
    package var count: Int { folders.reduce(0) { $0 + $1.count } }

    /// Whether one of the folders is one that was named.
    package var isOfNamed: Bool { folders.contains { $0.doubt.isNamed } }

    package static func == (one: KeptResults, other: KeptResults) -> Bool {
        one.folders.elementsEqual(other.folders) { $0 == $1 }
    }
}

extension JournalRecord {
    /// Whether the file at a path is as it was written.
    func owns(_ path: String) -> Bool {
        files.contains { $0.path.isSamePath(as: path) && $0.isIntact }
    }

    /// Whether one of the files is there.
    fileprivate var hasFiles: Bool { files.contains { FileKind($0.path) != .nothing } }
}
