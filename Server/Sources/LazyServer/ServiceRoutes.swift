internal import HTTPTypes
public import Hummingbird
internal import LazyPipeline
public import LazyService

/// The routes of a service in an application on Hummingbird.
///
/// ```swift
/// let pipeline = ImagePipeline(configuration: .server(limit: 256 << 20))
/// var configuration = ServiceConfiguration()
/// configuration.pathPrefix = "/previews"
/// let service = ImageService(pipeline: pipeline, configuration: configuration)
/// router.addPreviews(of: service)
/// ```
extension RouterMethods {
    /// Answers everything below the path prefix of a service.
    @discardableResult
    public func addPreviews(of service: ImageService) -> Self {
        let path = RouterPath(service.configuration.pathPrefix + "/**")
        let repeated = RepeatedResponses(of: service)
        for method in [HTTPRequest.Method.get, .head] {
            on(path, method: method) { request, _ in
                if let response = repeated.response(to: request) { return response }
                let asked = ServiceRequest(request)
                if let ready = service.readyResponse(to: asked) {
                    let response = Response(ready)
                    repeated.keep(response, of: ready, to: request)
                    return response
                }
                // Who hangs up cancels what nobody else waits for. A connection that is watched for that is closed
                // after the answer, which the client must know.
                do {
                    return try await request.body.consumeWithCancellationOnInboundClose { _ in
                        var response = Response(await service.respond(to: asked))
                        response.headers[.connection] = "close"
                        return response
                    }
                } catch is CancellationError {
                    return .hungUp
                }
            }
        }
        // DELETE is administration, which may be on the same router.
        for method in [HTTPRequest.Method.options, .put, .patch, .trace, .connect] {
            on(path, method: method) { request, _ in
                Response(await service.respond(to: ServiceRequest(request)))
            }
        }
        on(path, method: .post) { request, _ in
            let asked = ServiceRequest(request)
            // Who may not send a file is told so before it is read.
            if let refusal = service.refusal(ofUpload: asked) { return Response(refusal) }
            let file = UploadedFile(limit: service.configuration.uploadBytes)
            do {
                return try await request.body.consumeWithCancellationOnInboundClose { body in
                    for try await buffer in body {
                        // The answer says why a file is not taken.
                        guard (try? file.append(Array(buffer: buffer))) != nil else { break }
                    }
                    // As above: a connection that is watched is closed.
                    var response = Response(await service.respond(to: asked, uploading: file))
                    response.headers[.connection] = "close"
                    return response
                }
            } catch is CancellationError {
                return .hungUp
            }
        }
        return self
    }
}

extension ServiceRequest {
    /// The request as the service sees it: what was signed is not decoded.
    ///
    /// Of its fields it has those that a service looks at.
    init(_ request: Request) {
        var fields: [String: String] = [:]
        for name in Self.names {
            if let value = request.headers[name] { fields[name.canonicalName] = value }
        }
        self.init(
            method: request.method.rawValue, target: request.uri.string, fields: fields)
    }
}

extension ServiceRequest {
    private static let names: [HTTPField.Name] = [
        .accept, .authorization, .contentLength, .ifNoneMatch, .ifRange, .range,
    ]
}

extension Response {
    /// For logs, and for a client that has only ended what it sends.
    fileprivate static var hungUp: Response {
        Response(
            status: .init(code: 499, reasonPhrase: "Client Closed Request"),
            headers: [.connection: "close"])
    }

    /// The bytes that are handed over in one piece, which is several times as quick.
    private static let mostAtOnce = 256 << 10

    /// An answer as the framework sends it.
    init(_ answer: ServiceResponse) {
        var fields = HTTPFields()
        for (name, value) in answer.fields {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        let status = HTTPResponse.Status(code: answer.status)
        switch answer.body {
        case .none:
            if let length = answer.length { fields[.contentLength] = "\(length)" }
            self.init(status: status, headers: fields)
        case .bytes(let bytes):
            self.init(status: status, headers: fields, body: .init(byteBuffer: .init(bytes: bytes)))
        case .pieces(let pieces):
            if pieces.byteCount <= Self.mostAtOnce, let bytes = pieces.bytesInMemory {
                self.init(
                    status: status, headers: fields,
                    body: .init(byteBuffer: .init(bytes: bytes)))
                return
            }
            self.init(
                status: status, headers: fields,
                body: ResponseBody(contentLength: pieces.byteCount) { writer in
                    // Each piece is read when the client has taken the one before.
                    for try await piece in pieces {
                        try await writer.write(ByteBuffer(bytes: piece))
                    }
                    try await writer.finish(nil)
                })
        }
    }
}
