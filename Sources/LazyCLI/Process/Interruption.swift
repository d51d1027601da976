import Glibc
internal import LazyBase
internal import LazyPipeline
import Synchronization

/// Signals, handled on a thread of their own, so that no Swift runs in a signal handler.
///
/// Without cleanup, SIGINT, SIGTERM, SIGHUP and SIGQUIT end the process at once. Inside
/// `withCleanup` the first one cancels the work, which then cleans up and ends; a second one exits
/// at once, and so does work that is still running `grace` after the first.
enum Interruption {
    /// Cancels the work of this process.
    static let flag = CancellationFlag()

    /// The signal that ended the work, or nil.
    static var signal: CInt? {
        let number = received.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// The time in which cancelled work must end.
    static let grace = Duration.seconds(10)

    private static let received = Atomic<CInt>(0)
    private struct Cleanup {
        var onForcedExit: (@Sendable () -> Void)?
        var onSignal: (@Sendable (CInt) -> Void)?
        /// Whether `onSignal` itself stops the process on SIGTSTP.
        var suspends = true
    }
    private struct State {
        var lastNumber = 0
        var cleanups: [Int: Cleanup] = [:]
        /// When the first signal came.
        var begin: ContinuousClock.Instant?
    }
    private static let state = Locked(State())

    /// Installs the signal handling.
    static func install() {
        // A closed pipe is an error of write(), not the end of the process.
        Glibc.signal(SIGPIPE, SIG_IGN)
        let pipe = SystemCalls.signalsAsBytes([
            SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP,
        ])
        guard pipe >= 0 else {
            end("The system gives no pipe for signals: \(SystemError.last).", .inputOutput)
        }
        startThread(reading: pipe)
    }

    /// Ends the process before anything was begun.
    private static func end(_ sentence: String, _ status: ExitStatus) -> Never {
        try? OutputStream.standardError.write("lazyimg: \(sentence)\n")
        exit(status.number)
    }

    /// Runs work that needs cleanup when it is cancelled.
    ///
    /// `onForcedExit` runs before the process exits at once; `onSignal` gets every signal, and where
    /// it `suspends`, stops the process on SIGTSTP.
    static func withCleanup<Result, Failure: Error>(
        onForcedExit: (@Sendable () -> Void)? = nil, onSignal: (@Sendable (CInt) -> Void)? = nil,
        suspends: Bool = true, _ work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.cleanups[state.lastNumber] = Cleanup(
                onForcedExit: onForcedExit, onSignal: onSignal, suspends: suspends)
            return state.lastNumber
        }
        defer { state.withLock { $0.cleanups[number] = nil } }
        return try await work()
    }

    private static func startThread(reading pipe: CInt) {
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { pipe in
                let pipe = CInt(truncatingIfNeeded: Int(bitPattern: pipe))
                while true {
                    if Interruption.isOverdue(pipe) { Interruption.exitAtOnce() }
                    var byte: UInt8 = 0
                    let count = read(pipe, &byte, 1)
                    if count == 1 { Interruption.didReceive(CInt(byte)) }
                    if count == 0 { return nil }
                }
            }, UnsafeMutableRawPointer(bitPattern: Int(pipe)))
        guard status == 0 else { end("The system cannot start a thread.", .unavailable) }
        pthread_detach(thread)
    }

    /// Waits for the next signal; true if the work has not ended in time after the first one.
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

    private static func exitAtOnce() -> Never {
        let sentence = "lazyimg: The work did not end in time and was stopped.\n"
        for cleanup in state.withLock({ Array($0.cleanups.values) }) { cleanup.onForcedExit?() }
        _ = sentence.utf8CString.withUnsafeBufferPointer { bytes in
            write(STDERR_FILENO, bytes.baseAddress, bytes.count - 1)
        }
        _exit(128 + (signal ?? SIGTERM))
    }

    private static func didReceive(_ number: CInt) {
        let cleanups = state.withLock { Array($0.cleanups.values) }
        let listeners = cleanups.compactMap(\.onSignal)
        switch number {
        case SIGWINCH: for listener in listeners { listener(number) }
        case SIGTSTP:
            if !cleanups.contains(where: { $0.suspends && $0.onSignal != nil }) { raise(SIGSTOP) }
            for listener in listeners { listener(number) }
        default:
            if !cleanups.isEmpty, signal == nil {
                received.store(number, ordering: .relaxed)
                state.withLock { $0.begin = .now }
                flag.cancel()
                for listener in listeners { listener(number) }
            } else {
                for cleanup in cleanups { cleanup.onForcedExit?() }
                _exit(128 + number)
            }
        }
    }
}
