public import LazyLoading
public import LazyMedia

/// The error of a load, by the stage that failed.
public indirect enum PipelineError: Error, Sendable, CustomStringConvertible {
    /// Only caches were allowed, and none has the image.
    case dataMissingInCache
    /// The bytes could not be loaded.
    case dataLoadingFailed(LoadingError)
    /// The response has no bytes.
    case dataIsEmpty
    /// No decoder is registered for the type of the bytes.
    ///
    /// Carries what the bytes look like and the server's `Content-Type`.
    case decoderNotRegistered(UnsupportedContent)
    /// The bytes could not be decoded; carries the head of the response that they came with.
    case decodingFailed(MediaError, head: ResponseHead? = nil)
    /// A processor failed; carries its identifier.
    case processingFailed(identifier: String, ProcessingError)
    /// The request has no URL.
    case requestMissing
    /// The closure of the request's source failed.
    case sourceFailed(any Error)
    /// The pipeline was invalidated.
    case pipelineInvalidated
    /// The response exceeds the maximum size.
    case dataDownloadExceededMaximumSize(Int)
    /// The task was cancelled.
    case cancelled

    /// One sentence.
    public var description: String {
        switch self {
        case .dataMissingInCache: "The image is in no cache, and the request allows caches only."
        case .dataLoadingFailed(let error): error.message
        case .dataIsEmpty: "The response has no bytes."
        case .decoderNotRegistered(let content): content.description
        case .decodingFailed(let error, _): error.message
        case .processingFailed(let identifier, let error): "\(identifier): \(error.message)"
        case .requestMissing: "The request has no URL."
        case .sourceFailed(let error): "The source failed: \(error)."
        case .pipelineInvalidated: "The pipeline was invalidated."
        case .dataDownloadExceededMaximumSize(let limit):
            "The response is larger than \(limit) bytes."
        case .cancelled: "The task was cancelled."
        }
    }

    /// The stable name of the error, as in summaries and metrics.
    public var name: String {
        switch self {
        case .dataMissingInCache: "dataMissingInCache"
        case .dataLoadingFailed: "dataLoadingFailed"
        case .dataIsEmpty: "dataIsEmpty"
        case .decoderNotRegistered: "decoderNotRegistered"
        case .decodingFailed: "decodingFailed"
        case .processingFailed: "processingFailed"
        case .requestMissing: "requestMissing"
        case .sourceFailed: "sourceFailed"
        case .pipelineInvalidated: "pipelineInvalidated"
        case .dataDownloadExceededMaximumSize: "dataDownloadExceededMaximumSize"
        case .cancelled: "cancelled"
        }
    }
}

extension PipelineError {
    /// The error of a load with an optional limit of bytes.
    init(_ error: LoadingError, limit: Int?) {
        switch error.code {
        case .cancelled: self = .cancelled
        case .notCached: self = .dataMissingInCache
        case .empty: self = .dataIsEmpty
        case .tooLarge where limit != nil: self = .dataDownloadExceededMaximumSize(limit ?? 0)
        default: self = .dataLoadingFailed(error)
        }
    }

    /// The error of a decoding.
    ///
    /// Where bytes are loaded while they are decoded, it may be the loading that failed.
    init(_ error: MediaError) {
        if error.code == .cancelled {
            self = .cancelled
        } else if let loading = error.loadingError {
            self.init(loading, limit: nil)
        } else {
            self = .decodingFailed(error)
        }
    }
}

extension MediaError {
    /// The failed load that caused the error, if any.
    fileprivate var loadingError: LoadingError? {
        var cause = underlying
        while let error = cause as? MediaError { cause = error.underlying }
        return cause as? LoadingError
    }
}
