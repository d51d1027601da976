import Glibc
internal import LazyPipeline

/// The exit codes of `sysexits.h` that the commands use, for scripts and schedulers.
enum ExitStatus: Equatable {
    /// Success.
    case success
    /// Some of several inputs failed.
    case someFailed
    /// The command line is wrong.
    case usage
    /// The media is damaged, truncated, encrypted or unsupported.
    case badData
    /// An input is missing: no such file, no such URL, not in the cache.
    case noInput
    /// A library is missing, or a server is unavailable.
    case unavailable
    /// An internal error.
    case software
    /// An output exists already or cannot be created.
    case cannotCreate
    /// Reading or writing failed.
    case inputOutput
    /// A temporary error: a server that is busy, silent or closed the connection.
    case temporary
    /// The media or a download is over a limit.
    case limit
    /// Permission denied by the system or a server.
    case noPermission
    /// A signal ended the work.
    case interrupted(by: CInt?)

    /// The exit code.
    var number: CInt {
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

    /// The status for an error, by the table of all errors.
    init(_ status: ErrorStatus) {
        let all: [ExitStatus] = [
            .usage, .badData, .noInput, .unavailable, .cannotCreate, .inputOutput, .temporary,
            .limit, .noPermission,
        ]
        let interrupted = ExitStatus.interrupted(by: Interruption.signal)
        self =
            status.exitCode > 128
            ? interrupted : all.first { Int($0.number) == status.exitCode } ?? .software
    }

    /// Whether a signal ended the work.
    var isInterruption: Bool {
        if case .interrupted = self { true } else { false }
    }
}
