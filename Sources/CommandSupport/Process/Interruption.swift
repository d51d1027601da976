internal import CLazySystem
import Glibc
package import LazyBytes
internal import LazyFiles
internal import LazyMedia
import Synchronization

/// Signals, answered by a thread of their own, so that no Swift has to run inside a handler.
///
/// Without cleanup, SIGINT, SIGTERM, SIGHUP and SIGQUIT end the process at once. Inside
/// `withCleanup` the first one cancels the work, which then cleans up and ends; a second
/// one ends the process at once, and so does work that is still running `grace` after the first.
package enum Interruption {
    /// Cancels the work of this run.
    package static let flag = CancellationFlag()

    /// The signal that ended the work, once there was one.
    package static var signal: CInt? {
        let number = received.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// How long work may take to end: far longer than a frame.
    package static let grace = Duration.seconds(10)

    private static let received = Atomic<CInt>(0)
    private struct Handler {
        package var listener: (@Sendable (CInt) -> Void)?
        package var onForcedExit: (@Sendable () -> Void)?
        /// Whether it has something to do before the process is stopped, and then stops it itself.
        package var isStopping = true
    }
    private struct State {
        package var lastNumber = 0
        package var handlers: [Int: Handler] = [:]
        /// When the first signal came.
        package var begin: ContinuousClock.Instant?
    }
    private static let state = Locked(State())

    /// Takes the signals over.
    package static func install() {
        // A pipe without a reader is an error to be told by write(), not the end of the process.
        Glibc.signal(SIGPIPE, SIG_IGN)
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP]
        let pipe = lazy_signals_as_bytes(signals, CInt(signals.count))
        precondition(pipe >= 0, "the system gives no pipe")
        startThread(reading: pipe)
    }

    /// Runs work that needs cleanup when it is cancelled.
    ///
    /// `onForcedExit` is called before the process exits at once, `listener` for every signal.
    package static func withCleanup<Result, Failure: Error>(
        onForcedExit: (@Sendable () -> Void)? = nil, listener: (@Sendable (CInt) -> Void)? = nil,
        isStopping: Bool = true, _ work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.handlers[state.lastNumber] = Handler(
                listener: listener, onForcedExit: onForcedExit, isStopping: isStopping)
            return state.lastNumber
        }
        defer { state.withLock { $0.handlers[number] = nil } }
        return try await work()
    }

    private static func startThread(reading pipe: CInt) {
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { pipe in
                let pipe = CInt(truncatingIfNeeded: Int(bitPattern: pipe))
                while true {
                    if Interruption.isOverdue(pipe) { Interruption.endAtOnce() }
                    var byte: UInt8 = 0
                    let count = read(pipe, &byte, 1)
                    if count == 1 { Interruption.didReceive(CInt(byte)) }
                    if count == 0 { return nil }
                }
            }, UnsafeMutableRawPointer(bitPattern: Int(pipe)))
        guard status == 0 else {
            try? OutputStream.standardError.write("lazyimg: The system gives no thread.\n")
            exit(ExitStatus.unavailable.number)
        }
        pthread_detach(thread)
    }

    /// Waits for the next signal; true where the work has not ended in time after the first one.
    private static func isOverdue(_ pipe: CInt) -> Bool {
        guard let begin = state.withLock({ $0.begin }) else { return false }
        var next = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        while true {
            let rest = grace - (ContinuousClock.now - begin)
            guard rest > .zero else { return true }
            let status = poll(&next, 1, CInt(clamping: rest.milliseconds + 1))
            if status > 0 { return false }
        }
    }

    private static func endAtOnce() -> Never {
        let sentence = "lazyimg: The work did not end by itself and was stopped.\n"
        for handler in state.withLock({ Array($0.handlers.values) }) { handler.onForcedExit?() }
        _ = sentence.utf8CString.withUnsafeBufferPointer { bytes in
            write(STDERR_FILENO, bytes.baseAddress, bytes.count - 1)
        }
        _exit(128 + (signal ?? SIGTERM))
    }

    private static func didReceive(_ number: CInt) {
        let handlers = state.withLock { Array($0.handlers.values) }
        let listeners = handlers.compactMap(\.listener)
        switch number {
        case SIGWINCH: for listener in listeners { listener(number) }
        case SIGTSTP:
            if !handlers.contains(where: { $0.isStopping && $0.listener != nil }) { raise(SIGSTOP) }
            for listener in listeners { listener(number) }
        default:
            if !handlers.isEmpty, signal == nil {
                received.store(number, ordering: .relaxed)
                state.withLock { $0.begin = .now }
                flag.cancel()
                for listener in listeners { listener(number) }
            } else {
                for handler in handlers { handler.onForcedExit?() }
                _exit(128 + number)
            }
        }
    }
}
