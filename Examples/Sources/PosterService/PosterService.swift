// Renditions of remote media over HTTP: GET /make?url=ADDRESS and what is to be made, by the words of the command line:
// kind=poster&at=25%&width=320&type=webp, or as JSON in rendition={…}. Who asks for the same at the same time shares
// one download and one making; who hangs up cancels his share of them.
//
// Nothing is encoded, hashed or tagged here: this file is routes, and words for them.
//
// usage: PosterService [PORT]; POSTERS_FROM=anywhere also takes addresses of the local network.

import FoundationEssentials
import Hummingbird
import LazyKit
import LazyPipeline

@main struct PosterService {
    static func main() async throws {
        // The preset decodes in processes of its own, which are this program under another name.
        if DecoderProgram.isRequested { DecoderProgram.run() }
        DecoderHost.decodesItself()
        let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
        let isAnywhere = ProcessInfo.processInfo.environment["POSTERS_FROM"] == "anywhere"
        let pipeline = ImagePipeline(
            configuration: .server(limit: 256 << 20, addresses: isAnywhere ? .any : .publicOnly))
        let router = Router()
        router.get("health") { _, _ in "ok\n" }
        for method in [HTTPRequest.Method.get, .head] {
            router.on("make", method: method) { request, _ in
                // Who hangs up cancels.
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    try await answer(request, from: pipeline)
                }
            }
        }
        let address = BindAddress.hostname("127.0.0.1", port: port)
        try await Application(router: router, configuration: .init(address: address)).runService()
    }

    private static func answer(
        _ request: Request, from pipeline: ImagePipeline
    ) async throws -> Response {
        let query = try Query(request.uri.queryParameters)
        do {
            let task = pipeline.renditionTask(for: query.source, as: query.rendition)
            // The head costs no decoding, and the response continues its load.
            let head = try await task.head
            var fields: HTTPFields = [.acceptRanges: "bytes", .contentType: head.type.mimeType]
            fields[.eTag] = head.tag?.description
            fields[.cacheControl] = head.cacheControl
            if let tag = head.tag, let field = request.headers[.ifNoneMatch],
                tag.isNamed(inIfNoneMatch: field)
            {
                task.cancel()
                return answer(.notModified, fields, length: nil)
            }
            if request.method == .head {
                task.cancel()
                return answer(.ok, fields, length: head.byteCount)
            }
            // It may be stored by now, with a tag of its bytes.
            let response = try await task.response
            fields[.eTag] = response.head.tag?.description
            return part(of: response, for: request, fields)
        } catch {
            throw HTTPError(.init(code: error.httpStatus), message: error.description)
        }
    }

    /// An answer without a body, whose length would be another one.
    private static func answer(
        _ status: HTTPResponse.Status, _ fields: HTTPFields, length: Int?
    ) -> Response {
        var response = Response(status: status, headers: fields)
        response.headers[.contentLength] = length.map { String($0) }
        return response
    }

    /// The bytes, or the range of them that the request asks for.
    private static func part(
        of response: RenditionTask.Response, for request: Request, _ fields: HTTPFields
    ) -> Response {
        var fields = fields
        let count = response.body.count
        guard let field = request.headers[.range],
            let range = response.part(ofRange: field, ifRange: request.headers[.ifRange])
        else {
            return Response(status: .ok, headers: fields, body: body(response.pieces))
        }
        guard !range.isEmpty else {
            fields[.contentRange] = "bytes */\(count)"
            return Response(status: .rangeNotSatisfiable, headers: fields)
        }
        fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)"
        return Response(
            status: .partialContent, headers: fields, body: body(response.pieces(of: range)))
    }

    /// A body whose pieces are read as the client takes them.
    private static func body(_ pieces: RenditionTask.Pieces) -> ResponseBody {
        ResponseBody(contentLength: pieces.byteCount) { writer in
            for try await piece in pieces { try await writer.write(ByteBuffer(bytes: piece)) }
            try await writer.finish(nil)
        }
    }
}
