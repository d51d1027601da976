import Glibc

/// The exit codes of `sysexits.h` that the commands use, for scripts and schedulers.
package enum ExitStatus: Equatable {
    /// All is done.
    case success
    /// Some of several inputs failed.
    case someFailed
    /// The command line is not right.
    case usage
    /// The media is damaged, cut off, encrypted or of an unsupported kind.
    case badData
    /// An input is not there: no such file, no such address, not in the cache.
    case noInput
    /// A library that the input needs is missing, or a server is not to be had.
    case unavailable
    /// A fault of lazyimg.
    case software
    /// An output exists already or cannot be created.
    case cannotCreate
    /// Reading or writing failed.
    case inputOutput
    /// What may well go better later: a server that is busy, silent or broke off.
    case temporary
    /// The media or a download goes beyond a limit.
    case limit
    /// The system or a server does not permit it.
    case noPermission
    /// A signal ended the work.
    case interrupted(by: CInt?)

    /// The number that the process ends with.
    package var number: CInt {
        switch self {
        case .success: 0
        case .someFailed: 1
        case .usage: 64
        case .badData: 65
        case .noInput: 66
        case .unavailable: 69
        case .software: 70
        case .cannotCreate: 73
        case .inputOutput: 74
        case .temporary: 75
        case .limit: 76
        case .noPermission: 77
        case .interrupted(let signal): 128 + (signal ?? SIGINT)
        }
    }

    /// Whether a signal ended the work.
    package var isInterruption: Bool {
        if case .interrupted = self { true } else { false }
    }
}
