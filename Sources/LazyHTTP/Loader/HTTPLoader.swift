import LazyBytes
public import LazyLoading

/// Loads over HTTP and HTTPS by libcurl, any number of loads on one thread of its own.
///
/// Speaks HTTP/1.1 and 2, keeps connections, undoes content codings and follows redirects, each of
/// which is checked. libcurl is loaded, and the thread started, by the first load; both the thread
/// and the connections end when the loader and all bodies it made are dropped.
public final class HTTPLoader: DataLoading {
    /// The settings of the loader.
    public let configuration: Configuration
    private let engine: CurlEngine

    /// Makes a loader; costs nothing until it loads.
    public init(configuration: Configuration = .init()) {
        self.configuration = configuration
        engine = CurlEngine(configuration)
    }

    /// Begins a load and returns once the head of the last answer is there; the body is pulled.
    public func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        var hop = try Hop(of: request, configuration: configuration)
        while true {
            let transfer = try engine.start(hop)
            let answer = try await transfer.answer()
            switch answer.meaning {
            case .body: return response(answer, of: transfer)
            case .failure(let error): throw error
            case .redirect(let location):
                try await transfer.drain()
                hop = try hop.following(location, status: answer.head.status)
            }
        }
    }

    private func response(_ answer: Answer, of transfer: RunningTransfer) -> LoadResponse {
        let body = LoadBody(end: { transfer.abandon() }) { () async throws(LoadingError) in
            try await transfer.next()
        }
        return LoadResponse(head: answer.head, body: body)
    }
}
