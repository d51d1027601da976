internal import Glibc
internal import LazyBase
public import LazyLoading
public import LazyMedia

/// How programs end, and services respond, for an error: the one table of both.
///
/// Exit codes are those of `sysexits.h`. In HTTP 4xx are faults of the client, 5xx of the source or of this process; for
/// servers and for processes that decode, a service is a gateway.
package struct ErrorStatus: Hashable, Sendable {
    /// The exit code; 130 for cancelled work.
    package let exitCode: Int
    /// The status of an HTTP response; 499 for cancelled work, as in nginx.
    package let http: Int

    private init(_ exitCode: Int, _ http: Int) { (self.exitCode, self.http) = (exitCode, http) }

    // Codes of sysexits.h.
    private static let (usage, badData, noInput, unavailable, software) = (64, 65, 66, 69, 70)
    private static let (cannotCreate, inputOutput, temporary, limit) = (73, 74, 75, 76)
    private static let (noPermission, interrupted) = (77, 130)

    private static let cancelled = ErrorStatus(interrupted, 499)
    private static let unsupported = ErrorStatus(badData, 415)
    private static let unprocessable = ErrorStatus(badData, 422)
    private static let tooLarge = ErrorStatus(limit, 413)
    private static let missing = ErrorStatus(noInput, 404)
    private static let notStored = ErrorStatus(noInput, 504)
    private static let badGateway = ErrorStatus(unavailable, 502)
    private static let lateGateway = ErrorStatus(temporary, 504)
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
        .decoderCrashed: ErrorStatus(badData, 502), .decoderKilled: ErrorStatus(temporary, 503),
        .timedOut: lateGateway, .cancelled: cancelled,
    ]

    /// Limits of what is read, and of what is written.
    private static func ofLimit(_ name: String?) -> ErrorStatus {
        switch name {
        case "maxBytes": ErrorStatus(limit, 422)
        // The result would be larger than its source.
        case "sourceBytes": ErrorStatus(cannotCreate, 422)
        default: tooLarge
        }
    }

    /// An error of the system while media is read; without one a library is missing.
    private static func ofSystem(_ error: SystemError?) -> ErrorStatus {
        switch error?.code {
        case nil: ErrorStatus(unavailable, 500)
        case ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG: missing
        case EACCES, EPERM: ErrorStatus(noPermission, 500)
        case EMFILE, ENFILE: ErrorStatus(temporary, 503)
        default: ErrorStatus(inputOutput, 500)
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
        .badAddress: ErrorStatus(usage, 400), .notFound: missing, .notCached: notStored,
        .dns: badGateway, .connect: badGateway, .tls: badGateway, .malformed: badGateway,
        .redirect: badGateway, .changed: badGateway, .empty: unsupported, .tooLarge: tooLarge,
        .reset: ErrorStatus(temporary, 502), .truncated: ErrorStatus(temporary, 502),
        .timeout: lateGateway, .constrained: ErrorStatus(temporary, 503), .cancelled: cancelled,
    ]

    /// The response of a server that is no success.
    private static func ofResponse(_ status: Int, retries: Bool) -> ErrorStatus {
        switch status {
        case 404, 410: missing
        case 401, 403, 407, 451: ErrorStatus(noPermission, 502)
        case 408, 425, 429: ErrorStatus(temporary, 502)
        case 503 where retries: ErrorStatus(temporary, 502)
        case 413, 414: ErrorStatus(limit, 502)
        default: badGateway
        }
    }

    /// An error of the system while bytes are loaded or stored; without one a library is missing.
    private static func ofLoading(_ error: SystemError?) -> ErrorStatus {
        switch error?.code {
        case nil: ErrorStatus(unavailable, 500)
        case EACCES, EPERM, EROFS: ErrorStatus(noPermission, 500)
        default: ErrorStatus(inputOutput, 500)
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
            case .processingFailed: ErrorStatus(Self.software, 422)
            case .requestMissing: ErrorStatus(Self.usage, 400)
            case .sourceFailed: ErrorStatus(Self.software, 500)
            case .pipelineInvalidated: ErrorStatus(Self.software, 503)
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
