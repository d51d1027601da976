extension BlockingPool {
    private struct Help {
        var running = 0
        var isOver = false
    }

    private final class Helpers: Sendable {
        let state = LockedCondition(Help())
    }

    /// Runs work on the calling thread, and the same work on free threads of the pool beside it.
    ///
    /// Returns when all of these calls have returned. The work takes its pieces from a shared list, so
    /// that the caller alone also finishes it: where no thread is free nothing waits for one.
    package func runTogether(_ threads: Int, _ work: @escaping @Sendable () -> Void) {
        let helpers = Helpers()
        for _ in 1..<max(1, threads) {
            // A late helper finds that the work is over; nothing has to cancel it.
            Task(executorPreference: self) {
                let isWanted = helpers.state.withLock { help in
                    if !help.isOver { help.running += 1 }
                    return !help.isOver
                }
                guard isWanted else { return }
                work()
                helpers.state.withLock { $0.running -= 1 }
                helpers.state.signal()
            }
        }
        work()
        helpers.state.wait { help in
            help.isOver = true
            return help.running == 0 ? () : nil
        }
    }
}
