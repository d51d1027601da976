public import LazyLoading

extension PipelineError {
    /// The head of the response that could not be used: its status and header fields.
    ///
    /// Of a status that is no success, of bytes that cannot be decoded, and of an image that cannot be
    /// processed; nil if there was no response, or if it came from the data cache.
    public var head: ResponseHead? {
        switch self {
        case .dataLoadingFailed(let error): error.head
        case .decoderNotRegistered(let content): content.head
        case .decodingFailed(_, let head): head
        case .processingFailed(_, let error): error.head
        default: nil
        }
    }

    /// The error with the head of the response that was decoded or processed.
    func of(_ head: ResponseHead?) -> PipelineError {
        guard let head, self.head == nil else { return self }
        switch self {
        case .decodingFailed(let error, _): return .decodingFailed(error, head: head)
        case .processingFailed(let identifier, var error):
            error.head = head
            return .processingFailed(identifier: identifier, error)
        default: return self
        }
    }
}
