internal import LazyBase
internal import LazyMedia

/// Bounds how many decoders are alive, and ends those that nobody uses.
final class ProcessBudget: Sendable {
    private struct Entry {
        let session: MediaSession
        /// Calls and readers that cannot do without the process now.
        var users = 0
        var lastUse = ContinuousClock.Instant.now
    }
    private struct State {
        var entries: [Entry] = []
        /// Places of decoders that are being started.
        var reserved = 0
        var hasReaper = false
    }
    private let state = LockedCondition(State())
    private let most: Int
    private let idleTime: Duration

    init(most: Int, idleTime: Duration) {
        self.most = most
        self.idleTime = idleTime
    }

    /// Takes a place, for which another decoder may have to end; waits while all are in use.
    func reserve(_ cancellation: CancellationFlag) throws(MediaError) {
        let id = cancellation.onCancel { [self] in state.broadcast() }
        defer { cancellation.forget(id) }
        let outcome = state.wait { state -> (ended: MediaSession?, isCancelled: Bool)? in
            if cancellation.isCancelled { return (nil, true) }
            if state.entries.count + state.reserved < most {
                state.reserved += 1
                return (nil, false)
            }
            let idle = state.entries.indices.filter { state.entries[$0].users == 0 }
            guard
                let oldest = idle.min(by: {
                    state.entries[$0].lastUse < state.entries[$1].lastUse
                })
            else { return nil }
            state.reserved += 1
            return (state.entries.remove(at: oldest).session, false)
        }
        outcome.ended?.end()
        if outcome.isCancelled { throw .cancelled }
    }

    /// Gives a place up that was taken.
    func abandon() {
        state.withLock { $0.reserved -= 1 }
        state.broadcast()
    }

    /// Fills a place; the decoder has one user.
    func add(_ session: MediaSession) {
        state.withLock {
            $0.reserved -= 1
            $0.entries.append(Entry(session: session, users: 1))
        }
    }

    /// Adds a user; false where the decoder has ended.
    func begin(_ session: MediaSession) -> Bool {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.session === session }) else {
                return false
            }
            state.entries[index].users += 1
            return true
        }
    }

    /// Removes a user; the decoder may end some time later.
    func finish(_ session: MediaSession) {
        let needsReaper = state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.session === session }) else {
                return false
            }
            state.entries[index].users -= 1
            state.entries[index].lastUse = .now
            defer { state.hasReaper = true }
            return !state.hasReaper
        }
        state.broadcast()
        if needsReaper { startReaper() }
    }

    /// Removes a decoder.
    func remove(_ session: MediaSession) {
        state.withLock { $0.entries.removeAll { $0.session === session } }
        state.broadcast()
    }

    /// Whether a decoder has one user only.
    func isLast(_ session: MediaSession) -> Bool {
        state.withLock { $0.entries.first { $0.session === session }?.users == 1 }
    }

    /// The decoders that are alive, and those of them that somebody uses.
    var use: (live: Int, used: Int) {
        state.withLock { ($0.entries.count, $0.entries.count { $0.users > 0 }) }
    }

    /// The decoders that are alive.
    var count: Int { state.withLock { $0.entries.count } }

    // The thread lives only while there are decoders.
    private func startReaper() {
        do throws(SystemError) {
            try DetachedThread.start(blocksSignals: true) { [self] in while endIdle() {} }
        } catch {
            // Without a thread they end when others need their places.
            state.withLock { $0.hasReaper = false }
        }
    }

    /// False when there is nothing left to wait for.
    private func endIdle() -> Bool {
        let pause = max(.milliseconds(10), idleTime / 2)
        _ = state.wait(for: pause) { state, isTimedOut -> Bool? in
            isTimedOut || state.entries.isEmpty ? true : nil
        }
        let (ended, goesOn) = state.withLock { state in
            let now = ContinuousClock.now
            let ended = state.entries.filter { $0.users == 0 && now - $0.lastUse >= idleTime }
            state.entries.removeAll { entry in ended.contains { $0.session === entry.session } }
            state.hasReaper = !state.entries.isEmpty
            return (ended, state.hasReaper)
        }
        for entry in ended { entry.session.end() }
        return goesOn
    }
}
