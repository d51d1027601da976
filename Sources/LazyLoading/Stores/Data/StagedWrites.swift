internal import LazyBase

/// Changes that are not yet written.
///
/// Pure. Changes are numbered, so that a newer change made during a write is kept.
struct StagedWrites {
    enum Change {
        case store(CachedData)
        case remove
    }
    struct Batch {
        fileprivate(set) var changes: [(key: String, number: Int, change: Change)] = []

        var isEmpty: Bool { changes.isEmpty }
    }
    private var lastNumber = 0
    private var changes: [String: (number: Int, change: Change)] = [:]

    /// The bytes in memory.
    private(set) var byteCount = 0

    var isEmpty: Bool { changes.isEmpty }

    mutating func store(_ data: Blob, metadata: [UInt8] = [], for key: String) {
        stage(.store(CachedData(data: data, metadata: metadata)), for: key)
    }
    mutating func remove(_ key: String) { stage(.remove, for: key) }

    /// Removes the changes of chosen keys, and returns the data among them.
    mutating func drop(where isChosen: (String) -> Bool) -> [String: CachedData] {
        var dropped: [String: CachedData] = [:]
        for (key, (_, change)) in changes where isChosen(key) {
            changes[key] = nil
            byteCount -= Self.cost(change)
            if case .store(let entry) = change { dropped[key] = entry }
        }
        return dropped
    }

    /// The staged change of a key, or nil.
    func change(for key: String) -> Change? { changes[key]?.change }

    /// The changes to write: all, or that of one key.
    func batch(for key: String? = nil) -> Batch {
        var batch = Batch()
        if let key {
            batch.changes = changes[key].map { [(key, $0.number, $0.change)] } ?? []
        } else {
            batch.changes = changes.map { ($0.key, $0.value.number, $0.value.change) }
        }
        return batch
    }

    /// Removes the changes of a written batch.
    mutating func didWrite(_ batch: Batch) {
        for (key, number, change) in batch.changes where changes[key]?.number == number {
            changes[key] = nil
            byteCount -= Self.cost(change)
        }
    }

    private mutating func stage(_ change: Change, for key: String) {
        lastNumber += 1
        if let old = changes[key] { byteCount -= Self.cost(old.change) }
        changes[key] = (lastNumber, change)
        byteCount += Self.cost(change)
    }

    private static func cost(_ change: Change) -> Int {
        guard case .store(let entry) = change else { return 0 }
        return entry.data.bytesInMemory?.count ?? 0
    }
}
