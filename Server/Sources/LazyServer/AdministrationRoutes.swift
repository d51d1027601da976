internal import HTTPTypes
public import Hummingbird
public import LazyIsolation
public import LazyService

extension RouterMethods {
    /// Answers `/livez`, `/readyz`, `/metrics`, and `DELETE /ADDRESS`, which removes all that was made of a source.
    ///
    /// For a port of its own, which strangers do not reach.
    @discardableResult
    public func addAdministration(
        of service: ImageService, _ readiness: Readiness, metrics: PrometheusMetrics? = nil,
        decoders: DecoderHost? = nil
    ) -> Self {
        addProbe("livez") { Response(.ok, "ok\n") }
        addProbe("readyz") {
            readiness.takesRequests
                ? Response(.ok, "ok\n") : Response(.serviceUnavailable, "ending\n")
        }
        addProbe("metrics") {
            let text =
                service.metrics + (decoders?.statistics.metrics ?? "") + (metrics?.text ?? "")
            return Response(.ok, text, type: "text/plain; version=0.0.4")
        }
        on("/**", method: .delete) { request, _ -> EditedResponse<String> in
            let address = request.uri.string.dropFirst().prefix { $0 != "?" }
            do {
                let count = try await service.remove(source: String(address), isEncoded: true)
                return EditedResponse(response: "\(count) entries were removed.\n")
            } catch { throw HTTPError(.notFound, message: "\(error)") }
        }
        return self
    }
    /// Answers GET and HEAD, and tells of them where another method is asked for.
    private func addProbe(_ path: RouterPath, _ answer: @escaping @Sendable () -> Response) {
        get(path) { _, _ in answer() }
        head(path) { _, _ in answer().createHeadResponse() }
        for method in [HTTPRequest.Method.post, .put, .patch, .delete, .options, .trace, .connect] {
            on(path, method: method) { _, _ in
                Response(status: .methodNotAllowed, headers: [.allow: "GET, HEAD"])
            }
        }
    }
}

extension Response {
    fileprivate init(
        _ status: HTTPResponse.Status, _ text: String, type: String = "text/plain; charset=utf-8"
    ) {
        self.init(
            status: status, headers: [.contentType: type],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
