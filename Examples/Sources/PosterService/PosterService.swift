// Posters over HTTP: GET /poster?url=ADDRESS&width=320 answers with a PNG. Who asks for the same at
// the same time shares one download and one decode; who hangs up cancels his share of them.
//
// usage: PosterService [PORT]; POSTERS_FROM=anywhere also takes addresses of the local network.

import FoundationEssentials
import Hummingbird
import LazyKit

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
        router.get("poster") { request, _ in
            // Who hangs up cancels.
            try await request.body.consumeWithCancellationOnInboundClose { _ in
                try await poster(for: request, from: pipeline)
            }
        }
        let address = BindAddress.hostname("127.0.0.1", port: port)
        try await Application(router: router, configuration: .init(address: address)).runService()
    }

    private static func poster(
        for request: Request, from pipeline: ImagePipeline
    ) async throws -> Response {
        let query = request.uri.queryParameters
        guard let text = query["url"], let url = URL(string: String(text)),
            ["http", "https"].contains(url.scheme)
        else { throw HTTPError(.badRequest, message: "An http or https URL is required: ?url=…") }
        guard let width = Int(query["width"] ?? "320"), (1...2048).contains(width) else {
            throw HTTPError(.badRequest, message: "The width has to be a number from 1 to 2048.")
        }
        var wanted = ImageRequest(url: url)
        wanted.selection = .poster(.auto)
        wanted.thumbnail = .init(size: TargetSize(width: width, fit: .scaleDown))
        do {
            let png = try await pipeline.image(for: wanted).encoded(as: .png)
            return answer(png, to: request)
        } catch let error as PipelineError {
            throw HTTPError(.init(code: error.httpStatus), message: error.description)
        }
    }

    private static func answer(_ png: [UInt8], to request: Request) -> Response {
        // FNV-1a: the same image has the same tag in every process.
        let hash = png.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        let tag = "\"\(String(hash, radix: 36))\""
        let fields: HTTPFields = [.eTag: tag, .cacheControl: "public, max-age=3600"]
        if let asked = request.headers[.ifNoneMatch], asked == "*" || asked.contains(tag) {
            return Response(status: .notModified, headers: fields)
        }
        var headers = fields
        headers[.contentType] = "image/png"
        return Response(
            status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: png)))
    }
}
