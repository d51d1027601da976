import Glibc
internal import LazyMedia
import Synchronization

/// Signals, taken by a thread of their own, so that no code has to run inside a handler.
///
/// Where nothing has to be tidied up, SIGINT, SIGTERM and SIGHUP end the process at once. Inside
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
    private static let state = Mutex(State())

    /// Takes the signals over; call it before any other thread is made.
    static func install() {
        // A pipe without a reader is an error to be told by write(), not the end of the process.
        Glibc.signal(SIGPIPE, SIG_IGN)
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
            sigaddset(&signals, number)
        }
        for number in [SIGWINCH, SIGTSTP, SIGCONT] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        startThread()
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

    // As under nohup, or in the background of a script.
    private static func isIgnored(_ number: CInt) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func startThread() {
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { _ in
                var all = sigset_t()
                pthread_sigmask(SIG_BLOCK, nil, &all)
                while true {
                    var number: CInt = 0
                    if sigwait(&all, &number) == 0 { Interruption.didReceive(number) }
                }
            }, nil)
        precondition(status == 0, "the system gives no more threads")
        pthread_detach(thread)
    }

    private static func didReceive(_ number: CInt) {
        let (isTidied, listener, lastWords) = state.withLock {
            ($0.tidiers > 0, $0.listener, $0.lastWords)
        }
        switch number {
        case SIGWINCH, SIGCONT: listener?(number)
        case SIGTSTP:
            if let listener { listener(number) } else { kill(getpid(), SIGSTOP) }
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
