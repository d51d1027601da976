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
        get("livez") { _, _ in "ok\n" }
        get("readyz") { _, _ -> EditedResponse<String> in
            readiness.takesRequests
                ? EditedResponse(status: .ok, response: "ok\n")
                : EditedResponse(status: .serviceUnavailable, response: "ending\n")
        }
        get("metrics") { _, _ -> Response in
            let text =
                service.metrics + (decoders?.statistics.metrics ?? "") + (metrics?.text ?? "")
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
                body: .init(byteBuffer: ByteBuffer(string: text)))
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
}
