internal import HTTPTypes
internal import Hummingbird
internal import LazyPipeline
internal import LazyService
internal import Synchronization

/// Answers from memory as they were sent, for equal requests that follow at once: fields and bytes are made once.
final class RepeatedResponses: Sendable {
    private struct Key: Hashable {
        let target: String
        let accept: String?
    }

    private struct Kept {
        /// The answer without its body, which is not to be kept twice.
        let answer: ServiceResponse
        let status: HTTPResponse.Status
        let fields: HTTPFields
        let body: ByteBuffer
    }

    private struct State {
        var responses: [Key: Kept] = [:]
        var byteCount = 0
    }

    /// The bytes that are kept, those of results that memory has lost since among them.
    private static let most = 8 << 20
    /// What the fields, the target and the tables take of each.
    private static let overhead = 2 << 10
    private static let mostOfOne = 256 << 10

    private let service: ImageService
    private let state = Mutex(State())

    init(of service: ImageService) { self.service = service }

    /// The response to an equal request before this one; nil where it has to be asked for.
    func response(to request: Request) -> Response? {
        guard let key = key(of: request),
            let kept = state.withLock({ $0.responses[key] }), service.repeats(kept.answer)
        else { return nil }
        return Response(
            status: kept.status, headers: kept.fields, body: .init(byteBuffer: kept.body))
    }

    /// Keeps a response for equal requests.
    func keep(_ response: Response, of answer: ServiceResponse, to request: Request) {
        guard let key = key(of: request), case .pieces(let pieces) = answer.body,
            pieces.byteCount <= Self.mostOfOne, let bytes = pieces.bytesInMemory
        else { return }
        var bare = answer
        bare.body = .none
        let kept = Kept(
            answer: bare, status: response.status, fields: response.headers,
            body: ByteBuffer(bytes: bytes))
        state.withLock { state in
            if let before = state.responses.removeValue(forKey: key) {
                state.byteCount -= before.body.readableBytes + Self.overhead
            }
            if state.byteCount + bytes.count > Self.most { state = State() }
            state.responses[key] = kept
            state.byteCount += bytes.count + Self.overhead
        }
    }

    /// What equal requests have in common; nil for those that want a part, have a condition, or want no body.
    private func key(of request: Request) -> Key? {
        guard request.method == .get, request.headers[.range] == nil,
            request.headers[.ifNoneMatch] == nil
        else { return nil }
        return Key(target: request.uri.string, accept: request.headers[.accept])
    }
}
