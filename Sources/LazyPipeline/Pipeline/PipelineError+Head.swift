public import LazyLoading
internal import LazyMedia

extension PipelineError {
    /// The head of the response that could not be used: its status and header fields.
    ///
    /// Of a status that is no success, of bytes that cannot be decoded, and of an image that cannot be
    /// processed; nil if there was no response, or if it came from the data cache.
    public var head: ResponseHead? {
        switch self {
        case .dataLoadingFailed(let error): error.head
        case .decoderNotRegistered(let content): content.head
        case .decodingFailed(let error): (error.underlying as? FailedResponse)?.head
        case .processingFailed(_, let error): (error.underlying as? FailedResponse)?.head
        default: nil
        }
    }

    /// The error with the head of the response that was decoded or processed.
    func of(_ head: ResponseHead?) -> PipelineError {
        guard let head, self.head == nil else { return self }
        switch self {
        case .decodingFailed(let error):
            return .decodingFailed(
                MediaError(
                    error.code, error.message, excess: error.excess,
                    underlying: FailedResponse(head: head, underlying: error.underlying)))
        case .processingFailed(let identifier, let error):
            let cause = FailedResponse(head: head, underlying: error.underlying)
            return .processingFailed(
                identifier: identifier, ProcessingError(error.message, underlying: cause))
        default: return self
        }
    }
}

/// The response whose body an error is about, on the way to what caused the error.
struct FailedResponse: Error {
    let head: ResponseHead
    let underlying: (any Error)?
}
