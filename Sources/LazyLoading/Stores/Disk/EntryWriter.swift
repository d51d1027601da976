internal import Glibc
internal import LazyBase

/// Writes an entry to its staging file.
final class EntryWriter: EntryWriting {
    private enum Phase { case open, ended }
    private struct State {
        var metadata: [UInt8]
        var phase = Phase.open
    }
    private let store: DiskStore
    private let root: OwnedFolder
    private let name: String
    private let path: String
    /// Whether `suspendedWriter` can find the file by its name.
    private let isResumable: Bool
    private let header: EntryHeader
    private let body: StagedBody
    private let state: Locked<State>

    init(
        _ store: DiskStore, in root: OwnedFolder, name: String, path: String, isResumable: Bool,
        header: EntryHeader, metadata: [UInt8], body: StagedBody
    ) {
        self.store = store
        self.root = root
        self.name = name
        self.path = path
        self.isResumable = isResumable
        self.header = header
        self.body = body
        state = Locked(State(metadata: metadata))
    }

    deinit {
        discard()
    }

    var written: Blob { Blob(body) }
    var metadata: [UInt8] { state.withLock { $0.metadata } }
    func setMetadata(_ metadata: [UInt8]) { state.withLock { $0.metadata = metadata } }

    func append(_ bytes: [UInt8]) throws(SystemError) {
        guard state.withLock({ $0.phase == .open }) else { throw SystemError(code: EBADF) }
        try body.append(bytes)
    }

    func commit() throws(SystemError) {
        guard endOnce() else { throw SystemError(code: EBADF) }
        do throws(SystemError) {
            if body.count > store.limits.longestBody { throw SystemError(code: EFBIG) }
            let now = store.clocks.wall()
            let size = try body.finish(.complete, metadata: changedMetadata, at: now)
            body.file.setTimes(used: now, changed: now)
            try store.makeVisible(path, in: root, name: name, size: size)
        } catch {
            remove()
            throw error
        }
        body.file.unlock()
    }

    func suspend() {
        guard endOnce() else { return }
        guard isResumable, body.count > 0 else { return remove() }
        let now = store.clocks.wall()
        // Without a footer the file is still valid up to the last whole block.
        _ = try? body.finish(.suspended, metadata: changedMetadata, at: now)
        body.file.setTimes(used: now, changed: now)
        body.file.unlock()
        store.trimPartials()
    }

    private var changedMetadata: [UInt8]? {
        let metadata = self.metadata
        return metadata == header.metadata ? nil : metadata
    }

    private func endOnce() -> Bool {
        state.withLock { state in
            defer { state.phase = .ended }
            return state.phase == .open
        }
    }

    /// The lock is held until then, so that the name still refers to this file.
    func discard() {
        if endOnce() { remove() }
    }

    private func remove() {
        root.remove(path)
        body.file.unlock()
    }
}
