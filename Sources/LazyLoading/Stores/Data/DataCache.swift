internal import Glibc
public import LazyBase

/// The aggressive disk cache: keeps bytes under keys regardless of HTTP caching rules.
///
/// Stored bytes can be read at once and are written about a second later, or by `flush()`. Beyond
/// `sizeLimit`, the least recently used ones are removed, down to 70 %; those older than `ageLimit`
/// are not found. Several processes may share a folder.
public final class DataCache: DataCaching {
    private struct State {
        var staged = StagedWrites()
        var flushing: Task<Void, Never>?
    }
    private let store: DiskStore
    private let clocks: Clocks
    private let state = Locked(State())
    /// Held while staged changes are written, to keep the order of changes of a key.
    private let writing = Locked(())

    /// The time from storing to writing.
    private static let delay = Duration.seconds(1)
    /// Above this number of staged bytes, storing writes them.
    private static let stagedLimit = 32 << 20

    /// Opens the cache in a folder, which is created if it is missing.
    public init(
        folder: String, sizeLimit: Int = 150 << 20, ageLimit: Duration? = nil,
        clocks: Clocks = .system
    ) throws(SystemError) {
        store = try DiskStore(
            folder: folder, limits: StoreLimits(byteCount: sizeLimit, entryAge: ageLimit),
            clocks: clocks)
        self.clocks = clocks
    }

    /// Opens a named cache in `CacheFolder.standard`; throws `ENOENT` if there is none.
    public convenience init(
        name: String, sizeLimit: Int = 150 << 20, ageLimit: Duration? = nil,
        clocks: Clocks = .system
    ) throws(SystemError) {
        guard let folder = CacheFolder.standard else { throw SystemError(code: ENOENT) }
        let limit = CacheFolder.limits(StoreLimits(byteCount: sizeLimit)).byteCount
        try self.init(
            folder: folder + "/" + name, sizeLimit: limit, ageLimit: ageLimit, clocks: clocks)
    }

    deinit {
        state.withLock { $0.flushing }?.cancel()
        flush()
    }

    /// The folder.
    public var folder: String { store.folder }
    /// The maximum number of bytes.
    public var sizeLimit: Int { store.limits.byteCount }

    /// How long bytes are kept, or nil for no limit.
    public var ageLimit: Duration? { store.limits.entryAge }

    /// The bytes of a key; storing nil removes them.
    public subscript(key: String) -> Blob? {
        get { cachedData(for: key) }
        set {
            if let newValue { storeData(newValue, for: key) } else { removeData(for: key) }
        }
    }

    /// The bytes of a key, or nil; marks them as used.
    public func cachedData(for key: String) -> Blob? { cachedEntry(for: key)?.data }

    /// The bytes and the metadata of a key, or nil; marks them as used.
    public func cachedEntry(for key: String) -> CachedData? {
        switch state.withLock({ $0.staged.change(for: key) }) {
        case .store(let entry): return entry
        case .remove: return nil
        case nil:
            guard let entry = try? store.entry(for: key) else { return nil }
            return CachedData(data: entry.body, metadata: entry.metadata)
        }
    }

    /// Whether there are bytes for a key.
    public func containsData(for key: String) -> Bool {
        switch state.withLock({ $0.staged.change(for: key) }) {
        case .store: true
        case .remove: false
        case nil: store.contains(key)
        }
    }

    /// Stores bytes, which are written later.
    public func storeData(_ data: Blob, for key: String) { stage { $0.store(data, for: key) } }

    /// Stores bytes with metadata, which are written later.
    public func storeData(_ data: Blob, metadata: [UInt8], for key: String) {
        stage { $0.store(data, metadata: metadata, for: key) }
    }

    /// Removes the bytes of a key.
    public func removeData(for key: String) { stage { $0.remove(key) } }

    /// Removes the bytes of a key and of its variants; blocks.
    @discardableResult
    public func removeVariants(of key: String) -> RemovedEntries {
        let group = EntryGroup.of(key)
        return remove(.variants(of: key)) { EntryGroup.contains($0, in: group) }
    }

    /// Removes all bytes; blocks.
    @discardableResult
    public func removeAll() -> RemovedEntries { remove(.all) { _ in true } }

    private func remove(
        _ choice: EntryChoice, _ isChosen: (String) -> Bool
    ) -> RemovedEntries {
        writing.withLock { _ in
            let staged = state.withLock { $0.staged.drop(where: isChosen) }
            let new = staged.filter { !store.contains($0.key) }
            guard let stored = try? store.remove(choice) else { return .failed }
            return stored
                + RemovedEntries(
                    count: new.count, byteCount: new.values.reduce(0) { $0 + $1.data.count })
        }
    }

    /// Writes everything; blocks.
    public func flush() { write(nil) }

    /// Writes the bytes of a key; blocks.
    public func flush(for key: String) { write(key) }

    /// Removes bytes beyond the limits, and files of crashed processes; blocks.
    public func sweep() { store.sweep() }

    /// The number of entries on disk; blocks.
    public var totalCount: Int { store.statistics().count }
    /// The size of the entries on disk; blocks.
    public var totalSize: Int { store.statistics().byteCount }
    /// The disk space of the entries; blocks.
    public var totalAllocatedSize: Int { store.statistics().allocatedByteCount }

    private func stage(_ change: (inout StagedWrites) -> Void) {
        let isOverLimit = state.withLock { state in
            change(&state.staged)
            if state.flushing == nil { state.flushing = flushLater() }
            return state.staged.byteCount > Self.stagedLimit
        }
        if isOverLimit { flush() }
    }

    private func flushLater() -> Task<Void, Never> {
        let clock = clocks.steady
        let time = clock.now + Self.delay
        return Task(executorPreference: BlockingPool.disk) { [weak self] in
            do throws(CancellationError) { try await clock.sleep(until: time) } catch { return }
            self?.state.withLock { $0.flushing = nil }
            self?.flush()
        }
    }

    private func write(_ key: String?) {
        writing.withLock { _ in
            let batch = state.withLock { $0.staged.batch(for: key) }
            if batch.isEmpty { return }
            var stored: [(key: String, entry: CachedData)] = []
            for (key, _, change) in batch.changes {
                switch change {
                case .store(let entry): stored.append((key, entry))
                case .remove: try? store.remove(key)
                }
            }
            // If storing fails, an older entry must not be returned instead.
            for key in store.store(stored) { try? store.remove(key) }
            state.withLock { $0.staged.didWrite(batch) }
        }
    }
}
