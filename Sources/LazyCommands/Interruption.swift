internal import CSystem
import Glibc
internal import LazyMedia
import Synchronization

/// Signals, answered by a thread of their own, so that no Swift has to run inside a handler.
///
/// Where nothing has to be tidied up, SIGINT, SIGTERM, SIGHUP and SIGQUIT end the process at once. Inside
/// `tidily` the first one cancels the work, which then tidies up and ends; the second ends at once.
enum Interruption {
    /// Cancels the work of this run.
    static let flag = CancellationFlag()

    /// The signal that ended the work, once there was one.
    static var signal: CInt? {
        let number = received.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    private static let received = Atomic<CInt>(0)
    private struct State {
        var tidiers = 0
        var listener: (@Sendable (CInt) -> Void)?
        var lastWords: (@Sendable () -> Void)?
    }
    private static let state = Locked(State())

    /// Takes the signals over.
    static func install() {
        // A pipe without a reader is an error to be told by write(), not the end of the process.
        Glibc.signal(SIGPIPE, SIG_IGN)
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP]
        let pipe = lazy_signals_as_bytes(signals, CInt(signals.count))
        precondition(pipe >= 0, "the system gives no pipe")
        startThread(reading: pipe)
    }

    /// Runs work that leaves something to tidy up when it is cancelled.
    ///
    /// `lastWords` is said before the process ends at once, `listener` hears every signal.
    static func tidily<Result, Failure: Error>(
        lastWords: (@Sendable () -> Void)? = nil, listener: (@Sendable (CInt) -> Void)? = nil,
        _ work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        state.withLock {
            $0.tidiers += 1
            $0.lastWords = lastWords
            $0.listener = listener
        }
        defer {
            state.withLock {
                $0.tidiers -= 1
                $0.lastWords = nil
                $0.listener = nil
            }
        }
        return try await work()
    }

    private static func startThread(reading pipe: CInt) {
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { pipe in
                let pipe = CInt(truncatingIfNeeded: Int(bitPattern: pipe))
                while true {
                    var byte: UInt8 = 0
                    let count = read(pipe, &byte, 1)
                    if count == 1 { Interruption.didReceive(CInt(byte)) }
                    if count == 0 { return nil }
                }
            }, UnsafeMutableRawPointer(bitPattern: Int(pipe)))
        precondition(status == 0, "the system gives no more threads")
        pthread_detach(thread)
    }

    private static func didReceive(_ number: CInt) {
        let (isTidied, listener, lastWords) = state.withLock {
            ($0.tidiers > 0, $0.listener, $0.lastWords)
        }
        switch number {
        case SIGWINCH: listener?(number)
        case SIGTSTP:
            if let listener { listener(number) } else { raise(SIGSTOP) }
        default:
            if isTidied, signal == nil {
                received.store(number, ordering: .relaxed)
                flag.cancel()
                listener?(number)
            } else {
                lastWords?()
                _exit(128 + number)
            }
        }
    }
}
