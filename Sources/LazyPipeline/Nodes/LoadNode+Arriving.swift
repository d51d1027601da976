internal import LazyBase
internal import LazyLoading
internal import LazyMedia

/// What there is of a body without a known length, once a picture of it can be decoded.
enum ArrivingBody: Sendable {
    /// All of it, with its length.
    case whole(LoadResponse)
    /// The part that has the picture.
    case part(Blob, ResponseHead)
    /// It has to be loaded to its end.
    case other
}

extension LoadNode {
    /// Receives a body without a known length until a picture of it can be decoded.
    func arriving(
        _ response: LoadResponse, for choice: PosterChoice
    ) async throws(PipelineError) -> ArrivingBody {
        var limits = configuration.limits
        limits.inputBytes = configuration.maximumResponseDataSize ?? limits.inputBytes
        let bytes = StreamedBytes.begin(unending: response, limits: limits)
        let registration = unit.flag.onCancel { bytes.cancelReads() }
        defer { unit.flag.forget(registration) }
        let opening = ArrivingOpening(
            for: .poster(choice), decoders: configuration.decoders, limits: limits,
            flag: unit.flag, clock: clock)
        let opened: ArrivingOpening.Opened
        do throws(MediaError) {
            opened = try await BlockingPool.remote.run { () throws(MediaError) in
                try opening.open(bytes)
            }
        } catch {
            throw Self.failure(error, limits.inputBytes)
        }
        var head = response.head
        switch opened {
        case .whole(let blob):
            head.expectedCount = blob.count
            return .whole(LoadResponse(head: head, body: LoadBody(blob)))
        case .part(let part, _): return .part(part, head)
        case .playing, .other: return .other
        }
    }

    private static func failure(_ error: MediaError, _ most: Int?) -> PipelineError {
        if let loading = error.underlying as? LoadingError {
            return PipelineError(loading, limit: most)
        }
        guard let most, error.excess?.limit == DecodingLimits.Kind.inputBytes.rawValue else {
            return PipelineError(error)
        }
        return .dataDownloadExceededMaximumSize(most)
    }
}
