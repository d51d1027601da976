internal import Glibc
internal import LazyBase

/// A store in memory of partial downloads, which the next attempt continues.
///
/// Limited, including current loads: the partial downloads unused for the longest time are removed
/// first. If that is not enough, a load continues but cannot be resumed.
public final class PartialMemory: EntryStoring {
    /// A partial body.
    fileprivate struct Partial {
        var metadata: [UInt8]
        var pieces: [[UInt8]] = []
        var count = 0
    }
    private struct State {
        /// Unused for the longest time first.
        var waiting: [(key: String, partial: Partial)] = []
        var byteCount = 0
    }
    private let state = Locked(State())
    private let byteLimit: Int
    private let countLimit: Int

    /// The store of the process: at most 32 MiB and 100 partial downloads.
    public static let shared = PartialMemory()

    /// Makes a store with limits.
    public init(byteLimit: Int = 32 << 20, countLimit: Int = 100) {
        self.byteLimit = byteLimit
        self.countLimit = countLimit
    }

    /// The bytes in memory, including those of current loads.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// The number of partial downloads.
    public var count: Int { state.withLock { $0.waiting.count } }

    /// Nil: no entry is complete.
    public func entry(for key: String) -> StoredEntry? { nil }

    /// False: no entry is complete.
    public func setMetadata(_ metadata: [UInt8], for key: String) -> Bool { false }

    /// Removes partial downloads; current loads continue.
    @discardableResult
    public func remove(_ choice: EntryChoice, kinds: EntryKinds = .all) -> RemovedEntries {
        guard kinds.contains(.suspended) else { return RemovedEntries() }
        return state.withLock { state in
            var removed = RemovedEntries()
            state.waiting.removeAll { other in
                guard choice.includes(other.key, other.partial.metadata) else { return false }
                removed.suspendedCount += 1
                removed.byteCount += other.partial.count
                return true
            }
            state.byteCount -= removed.byteCount
            return removed
        }
    }

    /// Begins to keep a body.
    public func makeWriter(for key: String, metadata: [UInt8]) -> any EntryWriting {
        PartialWriter(self, key, Partial(metadata: metadata))
    }

    /// Takes a partial download.
    public func suspendedWriter(for key: String) -> (any EntryWriting)? {
        take(key).map { PartialWriter(self, key, $0) }
    }

    private func take(_ key: String) -> Partial? {
        state.withLock { state in
            state.waiting.firstIndex { $0.key == key }.map { state.waiting.remove(at: $0).partial }
        }
    }

    // MARK: - For writers

    /// Reserves bytes; false if evicting all partial downloads would not be enough.
    fileprivate func reserve(_ count: Int) -> Bool {
        state.withLock { state in
            while state.byteCount + count > byteLimit, !state.waiting.isEmpty {
                state.byteCount -= state.waiting.removeFirst().partial.count
            }
            guard state.byteCount + count <= byteLimit else { return false }
            state.byteCount += count
            return true
        }
    }

    fileprivate func release(_ count: Int) { state.withLock { $0.byteCount -= count } }

    fileprivate func keep(_ partial: Partial, for key: String) {
        state.withLock { state in
            state.waiting.removeAll { other in
                if other.key == key { state.byteCount -= other.partial.count }
                return other.key == key
            }
            state.waiting.append((key, partial))
            while state.waiting.count > countLimit {
                state.byteCount -= state.waiting.removeFirst().partial.count
            }
        }
    }
}

extension EntryChoice {
    fileprivate func includes(_ key: String, _ metadata: [UInt8]) -> Bool {
        switch self {
        case .all: true
        case .key(let other): key == other
        case .variants(let other): EntryGroup.contains(key, in: EntryGroup.of(other))
        case .matching(let isChosen): isChosen(key, metadata)
        }
    }
}

/// Keeps the bytes of one load.
private final class PartialWriter: EntryWriting {
    private let memory: PartialMemory
    private let key: String
    private let state: Locked<PartialMemory.Partial?>
    private let last: Locked<PartialMemory.Partial>

    init(_ memory: PartialMemory, _ key: String, _ partial: PartialMemory.Partial) {
        self.memory = memory
        self.key = key
        state = Locked(partial)
        last = Locked(partial)
    }

    deinit { discard() }

    var written: Blob {
        let partial = state.withLock { $0 } ?? last.withLock { $0 }
        return Blob(joining: partial.pieces.map { Blob($0) })
    }

    var metadata: [UInt8] { (state.withLock { $0 } ?? last.withLock { $0 }).metadata }

    func setMetadata(_ metadata: [UInt8]) { state.withLock { $0?.metadata = metadata } }

    func append(_ bytes: [UInt8]) throws(SystemError) {
        guard state.withLock({ $0 != nil }) else { throw SystemError(code: EBADF) }
        guard memory.reserve(bytes.count) else { throw SystemError(code: ENOSPC) }
        state.withLock { partial in
            partial?.pieces.append(bytes)
            partial?.count += bytes.count
        }
    }

    /// A complete body is not kept.
    func commit() { discard() }

    func suspend() {
        guard let partial = end() else { return }
        if partial.count > 0 { memory.keep(partial, for: key) }
    }

    func discard() {
        if let partial = end() { memory.release(partial.count) }
    }

    private func end() -> PartialMemory.Partial? {
        let partial = state.withLock { partial in
            defer { partial = nil }
            return partial
        }
        if let partial { last.withLock { $0 = PartialMemory.Partial(metadata: partial.metadata) } }
        return partial
    }
}
