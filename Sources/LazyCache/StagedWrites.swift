internal import LazyBytes

/// What was stored or removed and is not on disk yet.
///
/// Pure. Each change has a number; what was changed again while it was being written stays.
struct StagedWrites {
    enum Change {
        case store(Blob)
        case remove
    }
    struct Batch {
        fileprivate(set) var removesAll: Int?
        fileprivate(set) var changes: [(key: String, number: Int, change: Change)] = []

        var isEmpty: Bool { removesAll == nil && changes.isEmpty }
    }
    private var lastNumber = 0
    private var removesAll: Int?
    private var changes: [String: (number: Int, change: Change)] = [:]

    /// Bytes in memory that wait to be written.
    private(set) var byteCount = 0

    var isEmpty: Bool { removesAll == nil && changes.isEmpty }

    mutating func store(_ data: Blob, for key: String) { stage(.store(data), for: key) }
    mutating func remove(_ key: String) { stage(.remove, for: key) }

    mutating func removeAll() {
        lastNumber += 1
        removesAll = lastNumber
        changes = [:]
        byteCount = 0
    }

    /// What is staged for a key; nil where the disk knows.
    func change(for key: String) -> Change? {
        changes[key]?.change ?? (removesAll == nil ? nil : .remove)
    }

    /// What is to be written now: everything, or what concerns one key.
    func batch(for key: String? = nil) -> Batch {
        var batch = Batch(removesAll: removesAll)
        if let key, removesAll == nil {
            batch.changes = changes[key].map { [(key, $0.number, $0.change)] } ?? []
        } else {
            batch.changes = changes.map { ($0.key, $0.value.number, $0.value.change) }
        }
        return batch
    }

    /// A batch was written.
    mutating func didWrite(_ batch: Batch) {
        if removesAll == batch.removesAll { removesAll = nil }
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
        guard case .store(let data) = change else { return 0 }
        return data.bytesInMemory?.count ?? 0
    }
}
