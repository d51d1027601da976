import Glibc

/// Starts threads that end when their work returns.
package enum DetachedThread {
    package typealias Work = @Sendable () -> Void

    private final class Start: Sendable {
        let work: Work
        let afterRelease: Work?

        init(_ work: @escaping Work, _ afterRelease: Work?) {
            self.work = work
            self.afterRelease = afterRelease
        }
    }

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - blocksSignals: Leaves the signals of the process to other threads.
    ///   - work: Runs on the thread.
    ///   - afterRelease: Runs at the end, when everything that `work` captured is released.
    /// - Throws: The error of the system if it refuses a thread.
    package static func start(
        blocksSignals: Bool = false, _ work: @escaping Work, afterRelease: Work? = nil
    ) throws(SystemError) {
        let block: Work = {
            if blocksSignals { blockSignals() }
            work()
        }
        let start = Unmanaged.passRetained(Start(block, afterRelease))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                DetachedThread.run(.fromOpaque(context))?()
                return nil
            }, start.toOpaque())
        guard status == 0 else {
            start.release()
            throw SystemError(code: status)
        }
        pthread_detach(thread)
    }

    @inline(never)
    private static func run(_ start: Unmanaged<Start>) -> Work? {
        let start = start.takeRetainedValue()
        start.work()
        return start.afterRelease
    }

    private static func blockSignals() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
    }
}
