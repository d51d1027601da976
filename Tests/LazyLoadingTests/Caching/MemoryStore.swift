import Glibc
import LazyBase
import LazyLoading

/// A store in memory with scripted failures.
final class MemoryStore: EntryStoring {
    struct State {
        var entries: [String: StoredEntry] = [:]
        var suspended: [String: (metadata: [UInt8], bytes: [UInt8])] = [:]
        var appended = 0
        var writers = 0
        var capacity = Int.max
        var entryLimit = Int.max
        var isBroken = false
    }
    let state = Locked(State())

    var keys: [String] { state.withLock { $0.entries.keys.sorted() } }
    var suspendedKeys: [String] { state.withLock { $0.suspended.keys.sorted() } }
    var appended: Int { state.withLock { $0.appended } }
    var liveWriters: Int { state.withLock { $0.writers } }

    func entry(for key: String) throws(SystemError) -> StoredEntry? {
        try check()
        return state.withLock { $0.entries[key] }
    }
    func makeWriter(for key: String, metadata: [UInt8]) throws(SystemError) -> any EntryWriting {
        try check()
        return MemoryWriter(store: self, key: key, metadata: metadata, bytes: [])
    }
    func suspendedWriter(for key: String) throws(SystemError) -> (any EntryWriting)? {
        try check()
        let kept = state.withLock { $0.suspended.removeValue(forKey: key) }
        return kept.map {
            MemoryWriter(store: self, key: key, metadata: $0.metadata, bytes: $0.bytes)
        }
    }
    private func check() throws(SystemError) {
        if state.withLock({ $0.isBroken }) { throw SystemError(code: EIO) }
    }
    func setMetadata(_ metadata: [UInt8], for key: String) throws(SystemError) -> Bool {
        try check()
        return state.withLock { state in
            guard let old = state.entries[key] else { return false }
            state.entries[key] = StoredEntry(
                key: key, metadata: metadata, body: old.body, storedAt: old.storedAt)
            return true
        }
    }
    func remove(_ choice: EntryChoice, kinds: EntryKinds) throws(SystemError) -> RemovedEntries {
        try check()
        func isMeant(_ key: String, _ metadata: [UInt8]) -> Bool {
            switch choice {
            case .key(let own): key == own
            case .variants(let own): EntryGroup.contains(key, in: EntryGroup.of(own))
            case .all: true
            case .matching(let isChosen): isChosen(key, metadata)
            }
        }
        return state.withLock { state in
            var removed = RemovedEntries()
            if kinds.contains(.whole) {
                let kept = state.entries.filter { !isMeant($0.key, $0.value.metadata) }
                removed.count = state.entries.count - kept.count
                state.entries = kept
            }
            if kinds.contains(.suspended) {
                let kept = state.suspended.filter { !isMeant($0.key, $0.value.metadata) }
                removed.suspendedCount = state.suspended.count - kept.count
                state.suspended = kept
            }
            return removed
        }
    }
}

final class MemoryWriter: EntryWriting {
    private let store: MemoryStore
    private let key: String
    private let state: Locked<(metadata: [UInt8], bytes: [UInt8])>

    init(store: MemoryStore, key: String, metadata: [UInt8], bytes: [UInt8]) {
        self.store = store
        self.key = key
        state = Locked((metadata, bytes))
        store.state.withLock { $0.writers += 1 }
    }

    deinit { store.state.withLock { $0.writers -= 1 } }

    func append(_ bytes: [UInt8]) throws(SystemError) {
        let isFull = store.state.withLock { store in
            store.appended += bytes.count
            return store.appended > store.capacity
        }
        if isFull { throw SystemError(code: ENOSPC) }
        state.withLock { $0.bytes += bytes }
    }
    var written: Blob { Blob(state.withLock { $0.bytes }) }
    var metadata: [UInt8] { state.withLock { $0.metadata } }
    func setMetadata(_ metadata: [UInt8]) { state.withLock { $0.metadata = metadata } }
    func commit() throws(SystemError) {
        let (metadata, bytes) = state.withLock { $0 }
        let isTooLarge = store.state.withLock { store in
            if bytes.count > store.entryLimit { return true }
            store.entries[key] = StoredEntry(
                key: key, metadata: metadata, body: Blob(bytes), storedAt: .now)
            return false
        }
        if isTooLarge { throw SystemError(code: EFBIG) }
    }
    func discard() {}
    func suspend() {
        let (metadata, bytes) = state.withLock { $0 }
        store.state.withLock { $0.suspended[key] = (metadata, bytes) }
    }
}

/// Bytes that cannot be read from an offset on.
final class DamagedBytes: BlobReading {
    let count: Int
    private let good: Int

    init(count: Int, good: Int) {
        self.count = count
        self.good = good
    }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        guard offset < good else { throw SystemError(code: EBADMSG) }
        let length = min(buffer.count, good - offset)
        buffer.prefix(length).initializeMemory(as: UInt8.self, repeating: 0)
        return length
    }
}
