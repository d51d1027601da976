import Glibc

/// Reports what happens to the files of some folders, by inotify.
///
/// A file is reported when it is complete: closed after writing, or moved or linked into its folder. A folder
/// is watched without those in it. One thread waits for changes; any may add and remove folders.
package final class FolderWatch: Sendable {
    /// What happened.
    package enum Change: Hashable, Sendable {
        /// A file is complete, or a folder came, at this path.
        case came(String)
        /// A file or a folder is gone from this path.
        case went(String)
        /// Changes were lost: everything must be looked at again.
        case lost
    }

    private struct State {
        var paths: [CInt: String] = [:]
    }

    private let descriptor: CInt
    /// The ends of a pipe whose byte ends `wait`.
    private let stopping: (reading: CInt, writing: CInt)
    private let state = Locked(State())

    /// Throws where the system has no inotify, or this user has too many instances (`EMFILE`).
    package init() throws(SystemError) {
        // `IN_CLOEXEC` and `IN_NONBLOCK`.
        descriptor = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .last }
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            let error = SystemError.last
            close(descriptor)
            throw error
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopping = (ends[0], ends[1])
    }

    deinit {
        for file in [descriptor, stopping.reading, stopping.writing] { close(file) }
    }

    /// Watches a folder; throws `ENOSPC` where this user may watch no more.
    package func add(_ folder: String) throws(SystemError) {
        // Under the lock, so that the first change finds the path.
        let code = state.withLock { state in
            let number = inotify_add_watch(
                descriptor, folder.systemPath, Self.changes | Self.onlyFolders)
            if number < 0 { return errno }
            state.paths[number] = folder
            return 0
        }
        if code != 0 { throw SystemError(code: code) }
    }

    private static let changes = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_MOVED_FROM | IN_DELETE | IN_MOVE_SELF
            | IN_DELETE_SELF)
    // `IN_ONLYDIR`.
    private static let onlyFolders: UInt32 = 0x0100_0000

    /// Watches a folder and those below it no longer.
    package func remove(_ folder: String) {
        let gone = state.withLock { state in
            let gone = state.paths.filter {
                $0.value.isSamePath(as: folder) || $0.value.hasPathPrefix(folder + "/")
            }
            for number in gone.keys { state.paths[number] = nil }
            return gone.keys
        }
        for number in gone { inotify_rm_watch(descriptor, number) }
    }

    /// The number of watched folders.
    package var count: Int { state.withLock { $0.paths.count } }

    /// Blocks until something happens; nil after `stop`.
    package func wait() -> [Change]? {
        var polled = [
            pollfd(fd: stopping.reading, events: CShort(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0),
        ]
        while true {
            if poll(&polled, 2, -1) < 0 {
                if errno == EINTR { continue }
                return nil
            }
            if polled[0].revents != 0 { return nil }
            let changes = changes()
            if !changes.isEmpty { return changes }
        }
    }

    /// Ends `wait`, now and later.
    package func stop() {
        var byte: UInt8 = 0
        _ = write(stopping.writing, &byte, 1)
    }

    private func changes() -> [Change] {
        var changes: [Change] = []
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            var rest = UnsafeRawBufferPointer(rebasing: buffer.prefix(max(0, count)))
            let head = MemoryLayout<inotify_event>.size
            while rest.count >= head {
                let event = rest.loadUnaligned(as: inotify_event.self)
                let end = min(rest.count, head + Int(event.len))
                let name = rest[head..<end].prefix { $0 != 0 }
                if let change = change(event, FileName.text(name)) { changes.append(change) }
                rest = UnsafeRawBufferPointer(rebasing: rest[end...])
            }
        }
        return changes
    }

    private func change(_ event: inotify_event, _ name: String) -> Change? {
        let mask = CInt(bitPattern: event.mask)
        if mask & IN_Q_OVERFLOW != 0 { return .lost }
        guard let folder = state.withLock({ $0.paths[event.wd] }) else { return nil }
        if mask & IN_IGNORED != 0 {
            state.withLock { $0.paths[event.wd] = nil }
            return nil
        }
        // As where a drive is unmounted: the folder above says the same of others.
        if mask & (IN_UNMOUNT | IN_DELETE_SELF | IN_MOVE_SELF) != 0 { return .went(folder) }
        let path = FilePath.joined(folder, name)
        return mask & (IN_MOVED_FROM | IN_DELETE) != 0 ? .went(path) : .came(path)
    }
}
