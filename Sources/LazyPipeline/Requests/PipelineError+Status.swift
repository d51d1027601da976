internal import LazyLoading
internal import LazyMedia

extension PipelineError {
    /// The HTTP status with which a service responds to the failed load.
    ///
    /// 4xx for faults of the client, 5xx for faults of the source or this process; 499 for
    /// cancelled loads, as in nginx. For processes that decode the service is a gateway: 502 where
    /// one crashed, 503 where one was killed, 504 where it did not answer in time.
    public var httpStatus: Int {
        switch self {
        case .dataMissingInCache: 504
        case .dataLoadingFailed(let error): error.httpStatus
        case .dataIsEmpty, .decoderNotRegistered: 415
        case .decodingFailed(let error): error.httpStatus
        case .processingFailed: 422
        case .requestMissing: 400
        case .sourceFailed: 500
        case .pipelineInvalidated: 503
        case .dataDownloadExceededMaximumSize: 413
        case .cancelled: 499
        }
    }
}

extension LoadingError {
    fileprivate var httpStatus: Int {
        switch code {
        case .badAddress: 400
        case .notFound: 404
        case .status where [404, 410].contains(status): 404
        case .notCached, .timeout: 504
        case .empty: 415
        case .tooLarge: 413
        case .constrained: 503
        case .cancelled: 499
        case .environment: 500
        default: 502
        }
    }
}

extension MediaError {
    fileprivate var httpStatus: Int {
        switch code {
        case .unsupported, .coverOnly, .noCover: 415
        case .limitExceeded: 413
        case .environment: 500
        case .decoderCrashed: 502
        case .decoderKilled: 503
        case .timedOut: 504
        case .cancelled: 499
        default: 422
        }
    }
}
