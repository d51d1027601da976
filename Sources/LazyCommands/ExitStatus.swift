import Glibc

/// The exit codes of `sysexits.h` that the commands use, for scripts and schedulers.
enum ExitStatus: Equatable {
    /// All is done.
    case success
    /// Some of several inputs failed.
    case someFailed
    /// The command line is not right.
    case usage
    /// The media is damaged, cut off, encrypted or of an unsupported kind.
    case badData
    /// An input is not there.
    case noInput
    /// A library that the input needs is missing, such as FFmpeg for video.
    case unavailable
    /// A fault of lazyimg.
    case software
    /// An output exists already or cannot be created.
    case cannotCreate
    /// Reading or writing failed.
    case inputOutput
    /// The media goes beyond a limit.
    case limit
    /// The system does not permit it.
    case noPermission
    /// A signal ended the work.
    case interrupted

    /// The number that the process ends with.
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
        case .limit: 76
        case .noPermission: 77
        case .interrupted: 128 + (Interruption.signal ?? SIGINT)
        }
    }
}
