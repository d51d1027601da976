internal import Glibc
internal import LazyBase
public import LazyLoading
public import LazyMedia

/// The exit codes of `sysexits.h` that programs of ours use, for scripts and schedulers.
package enum ExitStatus: Hashable, Sendable {
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
    /// A signal ended the work; nil where it is not known which one.
    case interrupted(by: CInt?)

    /// The exit code.
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

/// How programs end, and services respond, for an error: the one table of both.
///
/// Exit codes are those of `sysexits.h`. In HTTP 4xx are faults of the client, 5xx of the source or of this process; for
/// servers and for processes that decode, a service is a gateway.
package struct ErrorStatus: Hashable, Sendable {
    /// How a program ends.
    package let exit: ExitStatus
    /// The status of an HTTP response; 499 for cancelled work, as in nginx.
    package let http: Int

    private init(_ exit: ExitStatus, _ http: Int) { (self.exit, self.http) = (exit, http) }

    /// The exit code; 130 for cancelled work.
    package var exitCode: Int { Int(exit.number) }

    private static let cancelled = ErrorStatus(.interrupted(by: nil), 499)
    private static let unsupported = ErrorStatus(.badData, 415)
    private static let unprocessable = ErrorStatus(.badData, 422)
    private static let tooLarge = ErrorStatus(.limit, 413)
    private static let missing = ErrorStatus(.noInput, 404)
    private static let notStored = ErrorStatus(.noInput, 504)
    private static let badGateway = ErrorStatus(.unavailable, 502)
    private static let lateGateway = ErrorStatus(.temporary, 504)
}

extension ErrorStatus {
    /// The status of an error of media; where bytes could not be loaded, that of the load.
    package init(_ error: MediaError) {
        if let loading = error.underlying as? LoadingError {
            self.init(loading)
            return
        }
        self =
            switch error.code {
            case .environment: Self.ofSystem(error.underlying as? SystemError)
            case .limitExceeded: Self.ofLimit(error.excess?.limit)
            default: Self.ofMedia[error.code] ?? Self.unprocessable
            }
    }

    private static let ofMedia: [MediaError.Code: ErrorStatus] = [
        .unsupported: unsupported, .coverOnly: unsupported, .noCover: unsupported,
        .malformed: unprocessable, .truncated: unprocessable, .encrypted: unprocessable,
        .notFound: unprocessable, .trackNotFound: unprocessable, .notWritable: unprocessable,
        .decoderCrashed: ErrorStatus(.badData, 502), .decoderKilled: ErrorStatus(.temporary, 503),
        .timedOut: lateGateway, .cancelled: cancelled,
    ]

    /// Limits of what is read, and of what is written.
    private static func ofLimit(_ name: String?) -> ErrorStatus {
        switch name {
        case "maxBytes": ErrorStatus(.limit, 422)
        // The result would be larger than its source.
        case "sourceBytes": ErrorStatus(.cannotCreate, 422)
        default: tooLarge
        }
    }

    /// An error of the system while media is read; without one a library is missing.
    private static func ofSystem(_ error: SystemError?) -> ErrorStatus {
        switch error?.code {
        case nil: ErrorStatus(.unavailable, 500)
        case ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG: missing
        case EACCES, EPERM: ErrorStatus(.noPermission, 500)
        case EMFILE, ENFILE: ErrorStatus(.temporary, 503)
        default: ErrorStatus(.inputOutput, 500)
        }
    }
}

extension ErrorStatus {
    /// The status of an error of loading.
    package init(_ error: LoadingError) {
        self =
            switch error.code {
            case .status: Self.ofResponse(error.status ?? 0, retries: error.retryAfter != nil)
            case .environment: Self.ofLoading(error.underlying as? SystemError)
            default: Self.ofLoads[error.code] ?? Self.badGateway
            }
    }

    private static let ofLoads: [LoadingError.Code: ErrorStatus] = [
        .badAddress: ErrorStatus(.usage, 400), .notFound: missing, .notCached: notStored,
        .dns: badGateway, .connect: badGateway, .tls: badGateway, .malformed: badGateway,
        .redirect: badGateway, .changed: badGateway, .empty: unsupported, .tooLarge: tooLarge,
        .reset: ErrorStatus(.temporary, 502), .truncated: ErrorStatus(.temporary, 502),
        .timeout: lateGateway, .constrained: ErrorStatus(.temporary, 503), .cancelled: cancelled,
    ]

    /// The response of a server that is no success.
    private static func ofResponse(_ status: Int, retries: Bool) -> ErrorStatus {
        switch status {
        case 404, 410: missing
        case 401, 403, 407, 451: ErrorStatus(.noPermission, 502)
        case 408, 425, 429: ErrorStatus(.temporary, 502)
        case 503 where retries: ErrorStatus(.temporary, 502)
        case 413, 414: ErrorStatus(.limit, 502)
        default: badGateway
        }
    }

    /// An error of the system while bytes are loaded or stored; without one a library is missing.
    private static func ofLoading(_ error: SystemError?) -> ErrorStatus {
        switch error?.code {
        case nil: ErrorStatus(.unavailable, 500)
        case EACCES, EPERM, EROFS: ErrorStatus(.noPermission, 500)
        default: ErrorStatus(.inputOutput, 500)
        }
    }
}

extension ErrorStatus {
    /// The status of an error of a pipeline.
    package init(_ error: PipelineError) {
        self =
            switch error {
            case .dataMissingInCache: Self.notStored
            case .dataLoadingFailed(let error): ErrorStatus(error)
            case .dataIsEmpty, .decoderNotRegistered: Self.unsupported
            case .decodingFailed(let error, _): ErrorStatus(error)
            case .processingFailed: ErrorStatus(.software, 422)
            case .requestMissing: ErrorStatus(.usage, 400)
            case .sourceFailed: ErrorStatus(.software, 500)
            case .pipelineInvalidated: ErrorStatus(.software, 503)
            case .dataDownloadExceededMaximumSize: Self.tooLarge
            case .cancelled: Self.cancelled
            }
    }
}

extension PipelineError {
    /// The HTTP status with which a service responds to the failed load.
    ///
    /// 4xx for faults of the client, 5xx for faults of the source or this process; 499 for
    /// cancelled loads, as in nginx. For processes that decode the service is a gateway: 502 where
    /// one crashed, 503 where one was killed, 504 where it did not answer in time.
    public var httpStatus: Int { ErrorStatus(self).http }

    /// The exit code of a program that ends for this error, by `sysexits.h`.
    public var exitCode: Int { ErrorStatus(self).exitCode }
}

extension LoadingError {
    /// The HTTP status with which a service responds to the failed load; see `PipelineError.httpStatus`.
    public var httpStatus: Int { ErrorStatus(self).http }

    /// The exit code of a program that ends for this error, by `sysexits.h`.
    public var exitCode: Int { ErrorStatus(self).exitCode }
}

extension MediaError {
    /// The HTTP status with which a service responds to media of this fault; see `PipelineError.httpStatus`.
    public var httpStatus: Int { ErrorStatus(self).http }

    /// The exit code of a program that ends for this error, by `sysexits.h`.
    public var exitCode: Int { ErrorStatus(self).exitCode }
}
