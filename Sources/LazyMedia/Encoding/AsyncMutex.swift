/// A mutex for tasks: one holder at a time, granted in the order of the calls.
///
/// Waiting blocks no thread and ends when its task is cancelled. The holder unlocks, or drops the
/// lock, which unlocks too.
package final class AsyncMutex: Sendable {
    /// The held mutex; released once, by `unlock()` or with its last reference.
    package final class Lock: Sendable {
        private let mutex: AsyncMutex
        private let isReleased = Locked(false)

        fileprivate init(_ mutex: AsyncMutex) { self.mutex = mutex }

        deinit { unlock() }

        /// Hands the mutex to the next waiting task; later calls do nothing.
        package func unlock() {
            let wasReleased = isReleased.withLock { isReleased in
                defer { isReleased = true }
                return isReleased
            }
            if !wasReleased { mutex.didUnlock() }
        }
    }

    private typealias Waiter = CheckedContinuation<Bool, Never>

    private struct State {
        var queue = LockQueue()
        var waiters: [Int: Waiter] = [:]
    }
    private let state = Locked(State())
    private static let named = Locked<[String: AsyncMutex]>([:])

    /// Makes a mutex that nobody holds.
    package init() {}

    /// The mutex of a name, the same in the whole process.
    package static func shared(named name: String) -> AsyncMutex {
        named.withLock { all in
            let mutex = all[name] ?? AsyncMutex()
            all[name] = mutex
            return mutex
        }
    }

    /// Waits for the mutex; throws `.cancelled` where the task is cancelled before.
    package func lock() async throws(MediaError) -> Lock {
        let ticket = state.withLock { $0.queue.join() }
        let isGranted = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Waiter) in
                let answer: Bool? = state.withLock { state in
                    let answer = state.queue.isGranted(ticket)
                    if answer == nil { state.waiters[ticket] = continuation }
                    return answer
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let cancelled = state.withLock { state -> Waiter? in
                state.queue.cancel(ticket) ? state.waiters.removeValue(forKey: ticket) : nil
            }
            cancelled?.resume(returning: false)
        }
        guard isGranted else { throw .cancelled }
        return Lock(self)
    }

    private func didUnlock() {
        let next = state.withLock { state -> Waiter? in
            state.queue.unlock().flatMap { state.waiters.removeValue(forKey: $0) }
        }
        next?.resume(returning: true)
    }
}

/// Who holds a mutex and who waits for it; pure.
///
/// Tickets are numbered in the order of joining.
struct LockQueue {
    private var nextTicket = 0
    private var holder: Int?
    private var waiting: [Int] = []

    /// Adds a ticket, which is granted at once where nobody holds the mutex.
    mutating func join() -> Int {
        defer { nextTicket += 1 }
        if holder == nil { holder = nextTicket } else { waiting.append(nextTicket) }
        return nextTicket
    }

    /// Whether a ticket holds the mutex; nil while it waits, false after it was cancelled or released.
    func isGranted(_ ticket: Int) -> Bool? {
        if holder == ticket { return true }
        return waiting.contains(ticket) ? nil : false
    }

    /// Removes a waiting ticket; false where it holds the mutex or is not in the queue.
    mutating func cancel(_ ticket: Int) -> Bool {
        guard let index = waiting.firstIndex(of: ticket) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Releases the mutex; returns the ticket that holds it now.
    mutating func unlock() -> Int? {
        holder = waiting.isEmpty ? nil : waiting.removeFirst()
        return holder
    }
}
