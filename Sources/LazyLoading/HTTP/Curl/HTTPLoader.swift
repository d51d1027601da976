/// Loads over HTTP and HTTPS with libcurl; all loads share one thread.
///
/// Supports HTTP/1.1 and HTTP/2, reuses connections, decodes content codings, and checks and follows
/// redirects. The first load loads libcurl and starts the thread; both the thread and the
/// connections end when the loader and all of its bodies are dropped.
public final class HTTPLoader: DataLoading {
    /// The settings of a loader.
    public typealias Configuration = HTTPConfiguration

    /// The settings of the loader.
    public let configuration: Configuration
    private let engine: CurlEngine

    /// Makes a loader; costs nothing until it loads.
    public init(configuration: Configuration = .init()) {
        self.configuration = configuration
        engine = CurlEngine(configuration)
    }

    /// Begins a load and returns when the head of the final response has arrived; the body is pulled.
    public func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        var step = try RedirectStep(of: request, configuration: configuration)
        while true {
            let transfer = try engine.start(step)
            let response = try await transfer.response()
            switch response.outcome {
            case .body: return Self.loadResponse(response, of: transfer)
            case .failure(let error): throw error
            case .redirect(let location):
                try await transfer.drain()
                step = try step.following(
                    location, status: response.head.status, isPublic: response.isPublic)
            }
        }
    }

    private static func loadResponse(
        _ response: HTTPResponse, of transfer: RunningTransfer
    ) -> LoadResponse {
        let body = LoadBody(end: { transfer.abandon() }) { () async throws(LoadingError) in
            try await transfer.next()
        }
        return LoadResponse(head: response.head, body: body)
    }
}
