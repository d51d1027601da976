import Glibc
internal import LazyBase
internal import LazyLoading

/// Keeps only what broken downloads have left, for the next attempt; never answers a request.
///
/// For pipelines whose answers are kept by somebody else, such as a data cache.
final class ResumptionStore: EntryStoring {
    private let store: any EntryStoring

    /// Makes one that keeps its parts in another store.
    init(_ store: any EntryStoring) { self.store = store }

    func entry(for key: String) -> StoredEntry? { nil }
    func setMetadata(_ metadata: [UInt8], for key: String) -> Bool { false }
    func remove(_ choice: EntryChoice, kinds: EntryKinds) throws(SystemError) -> RemovedEntries {
        // What is whole was kept by others, and answers nobody here.
        try store.remove(choice, kinds: kinds.intersection(.suspended))
    }

    func makeWriter(for key: String, metadata: [UInt8]) throws(SystemError) -> any EntryWriting {
        PartWriter(try store.makeWriter(for: key, metadata: metadata))
    }

    func suspendedWriter(for key: String) throws(SystemError) -> (any EntryWriting)? {
        try store.suspendedWriter(for: key).map { PartWriter($0) }
    }
}

/// Writes an entry that is kept where it is suspended, and dropped where it is whole.
private final class PartWriter: EntryWriting {
    /// The bytes, which can be read for as long as somebody holds them.
    let written: Blob
    private let writer: Locked<(any EntryWriting)?>
    private let lastMetadata: Locked<[UInt8]>

    init(_ writer: any EntryWriting) {
        written = writer.written
        lastMetadata = Locked(writer.metadata)
        self.writer = Locked(writer)
    }

    var metadata: [UInt8] { lastMetadata.withLock { $0 } }

    func setMetadata(_ metadata: [UInt8]) {
        lastMetadata.withLock { $0 = metadata }
        writer.withLock { $0 }?.setMetadata(metadata)
    }

    func append(_ bytes: [UInt8]) throws(SystemError) {
        guard let writer = writer.withLock({ $0 }) else { throw SystemError(code: EBADF) }
        try writer.append(bytes)
    }

    // Dropped without a commit, the file loses its name; `written` still reads it.
    func commit() { _ = end() }

    func suspend() { end()?.suspend() }

    func discard() { end()?.discard() }

    private func end() -> (any EntryWriting)? {
        writer.withLock { writer in
            defer { writer = nil }
            return writer
        }
    }
}
