internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline

extension CommandFailure {
    /// The failure of a command for an error of loading.
    init(_ error: LoadingError, about input: String) {
        let status = ErrorStatus(error).exit
        if error.code == .environment, error.underlying is SystemError {
            self.init(status, status == .noPermission ? "permission" : "io", error.message)
        } else {
            self.init(status, error.code.rawValue, error.message, hint: Self.hint(of: error))
        }
        self.input = input
        httpStatus = error.status
    }

    /// The failure of a command for an error of the pipeline.
    init(_ error: PipelineError, about input: String) {
        switch error {
        case .dataLoadingFailed(let error): self.init(error, about: input)
        case .decodingFailed(let error, _): self.init(error, about: input)
        case .decoderNotRegistered(let content) where content.type == .unknown:
            let naming = content.naming.map { MediaError(.unsupported, $0) }
            self.init(naming ?? .unknownContent, about: input)
        case .decoderNotRegistered, .dataIsEmpty:
            self.init(ErrorStatus(error).exit, "unsupported", error.description)
        case .dataMissingInCache:
            self.init(LoadingError(.notCached, error.description), about: input)
        case .dataDownloadExceededMaximumSize:
            // The server has no ranges, or the format needs all bytes.
            self.init(
                ErrorStatus(error).exit, LoadingError.Code.tooLarge.rawValue,
                error.description,
                hint: "Download it with 'lazyimg fetch', or allow more with --max-download.")
        case .requestMissing: self = .usage("The URL is malformed.")
        case .cancelled:
            self.init(ErrorStatus(error).exit, "cancelled", error.description)
        case .processingFailed, .sourceFailed, .pipelineInvalidated:
            self.init(ErrorStatus(error).exit, "internal", error.description)
        }
        self.input = input
    }

    private static func hint(of error: LoadingError) -> String? {
        switch error.code {
        case .notFound: "Check the URL."
        case .notCached: "Omit --offline to use the network."
        case .status: hint(ofStatus: error)
        case .timeout: "Allow more with --timeout, --max-time or --min-rate."
        case .reset, .truncated:
            "The same command continues the download, or begins anew where the server names no version."
        case .constrained: "Set LAZYIMG_LOW_DATA=0, or name a URL with --low-data."
        case .tooLarge: "Allow more with --max-download."
        case .malformed, .changed: "Download it with 'lazyimg fetch'."
        case .environment: "See 'lazyimg doctor' for missing libraries."
        default: nil
        }
    }

    private static func hint(ofStatus error: LoadingError) -> String? {
        let patience = error.retryAfter.map {
            let seconds = $0.wholeSeconds
            return "Try again in \(seconds) \(seconds == 1 ? "second" : "seconds") or later."
        }
        return switch error.status ?? 0 {
        case 404, 410: "Check the URL."
        case 401, 407: "Send credentials with --header 'Authorization: …'."
        case 403, 413, 414, 451: nil
        case 408, 425, 429: patience ?? "Try again later."
        default: patience
        }
    }
}
