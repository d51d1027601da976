import Glibc
internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline

extension CommandFailure {
    /// The failure of a command for an error of loading.
    init(_ error: LoadingError, about input: String) {
        if let system = error.underlying as? SystemError, error.code == .environment {
            self.init(loading: error, system)
        } else {
            let (status, hint) = Self.outcome(of: error)
            self.init(status, error.code.rawValue, error.message, hint: hint)
        }
        self.input = input
        httpStatus = error.status
    }

    /// The failure of a command for an error of the pipeline.
    init(_ error: PipelineError, about input: String) {
        switch error {
        case .dataLoadingFailed(let error): self.init(error, about: input)
        case .decodingFailed(let error): self.init(error, about: input)
        case .decoderNotRegistered(let content) where content.type == .unknown:
            let naming = content.naming.map { MediaError(.unsupported, $0) }
            self.init(naming ?? .unknownContent, about: input)
        case .decoderNotRegistered, .dataIsEmpty:
            self.init(.badData, "unsupported", error.description)
        case .dataMissingInCache:
            self.init(LoadingError(.notCached, error.description), about: input)
        case .dataDownloadExceededMaximumSize:
            // The server has no ranges, or the format needs all bytes.
            self.init(
                .limit, LoadingError.Code.tooLarge.rawValue, error.description,
                hint: "Download it with 'lazyimg fetch', or allow more with --max-download.")
        case .requestMissing: self = .usage("The URL is malformed.")
        case .cancelled:
            self.init(.interrupted(by: Interruption.signal), "cancelled", error.description)
        case .processingFailed, .sourceFailed, .pipelineInvalidated:
            self.init(.software, "internal", error.description)
        }
        self.input = input
    }

    private static func outcome(of error: LoadingError) -> (ExitStatus, hint: String?) {
        switch error.code {
        case .badAddress: (.usage, nil)
        case .notFound: (.noInput, "Check the URL.")
        case .notCached: (.noInput, "Omit --offline to use the network.")
        case .status: outcome(ofStatus: error)
        case .timeout: (.temporary, "Allow more with --timeout, --max-time or --min-rate.")
        case .reset, .truncated: (.temporary, "The same command continues the download.")
        case .constrained:
            (.temporary, "Set LAZYIMG_LOW_DATA=0, or name a URL with --low-data.")
        case .tooLarge:
            (.limit, "Allow more with --max-download.")
        case .malformed, .changed: (.unavailable, "Download it with 'lazyimg fetch'.")
        case .empty: (.badData, nil)
        case .cancelled: (.interrupted(by: Interruption.signal), nil)
        case .environment: (.unavailable, "See 'lazyimg doctor' for missing libraries.")
        default: (.unavailable, nil)
        }
    }

    private static func outcome(
        ofStatus error: LoadingError
    ) -> (ExitStatus, hint: String?) {
        let patience = error.retryAfter.map {
            let seconds = $0.wholeSeconds
            return "Try again in \(seconds) \(seconds == 1 ? "second" : "seconds") or later."
        }
        return switch error.status ?? 0 {
        case 404, 410: (.noInput, "Check the URL.")
        case 401, 407: (.noPermission, "Send credentials with --header 'Authorization: …'.")
        case 403, 451: (.noPermission, nil)
        case 408, 425, 429: (.temporary, patience ?? "Try again later.")
        case 413, 414: (.limit, nil)
        case 503 where error.retryAfter != nil: (.temporary, patience)
        default: (.unavailable, patience)
        }
    }

    private init(loading error: LoadingError, _ system: SystemError) {
        switch system.code {
        case EACCES, EPERM, EROFS: self.init(.noPermission, "permission", error.message)
        default: self.init(.inputOutput, "io", error.message)
        }
    }
}
