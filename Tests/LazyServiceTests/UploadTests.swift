import FoundationEssentials
import LazyBase
import LazyMedia
import Support
import Testing

@testable import LazyService

/// Files that come with a request.
@Suite(.timeLimit(.minutes(2))) struct UploadTests {
    private static let keys = URLSignature.Pair(key: "746573742d6b6579", salt: "746573742d73616c74")

    @Test func `a file that is sent is the source`() async throws {
        let served = try Served()
        let path = "/unsafe/w:40/plain/upload:a%20b.gif@webp"
        let first = try await served.post(path, Media.array("counter.gif"))
        #expect(first.status == 200 && first.origin == "made")
        #expect(try await Served.media(first).info.type == .webpAnimation)
        #expect(first.fields["Cache-Control"] == "no-store")
        #expect(try await served.post(path, Media.array("counter.gif")).origin == "memory")
        let other = try await served.post(path, Media.array("still.jpg"))
        #expect(try await Served.media(other).info.type == .webp)
    }

    @Test func `a file needs a signature or a token`() async throws {
        let pair = try #require(Self.keys)
        let served = try Served {
            $0.signature = URLSignature(pairs: [pair])
            $0.uploadToken = "word"
        }
        let path = "/w:8/plain/upload:x@png"
        let bytes = try Media.array("still.jpg")
        #expect(try await served.post("/unsafe" + path, bytes).status == 403)
        let right = ["authorization": "Bearer word"]
        #expect(try await served.post("/unsafe" + path, bytes, right).status == 200)
        let wrong = ["authorization": "Bearer words"]
        #expect(try await served.post("/unsafe" + path, bytes, wrong).status == 403)
        let signed = try #require(served.service.configuration.signature.signed(path))
        #expect(try await served.post(signed, bytes).status == 200)
    }

    @Test func `files and sources are not mistaken for each other`() async throws {
        let served = try Served()
        #expect(await served.get("/unsafe/plain/upload:x@png").status == 404)
        let post = try await served.post("/unsafe/plain/local:///still.jpg@png", [1])
        #expect(post.status == 404)
        let large = try await served.post(
            "/unsafe/plain/upload:x@png", [], ["content-length": "999999999999"])
        #expect(large.status == 413)
    }

    @Test func `a file that turns out to be too large is refused as others are`() async throws {
        let served = try Served()
        let file = UploadedFile(limit: 10)
        try file.append([1, 2, 3])
        #expect(throws: (any Error).self) { try file.append(Array(repeating: 0, count: 8)) }
        let request = ServiceRequest(method: "POST", target: "/unsafe/plain/upload:x@png")
        let response = await served.service.respond(to: request, uploading: file)
        #expect(response.status == 413)
        #expect(response.fields["X-Content-Type-Options"] == "nosniff")
        let text = String(decoding: try await Served.bytes(response), as: UTF8.self)
        #expect(text == "A file has at most 10 bytes.\n")
    }

    /// What file managers ask for, as they ask for it.
    private static func pipeline(_ operations: String, key: String = "") -> String {
        "/pipeline?operations="
            + PercentEncoding.encode(Array(operations.utf8), allowed: "-._~") + "&key=\(key)"
    }

    private static func operation(_ name: String, _ type: String) -> String {
        """
        [{"operation":"autorotate"},{"operation":"\(name)","params":{"width":64,"height":64,\
        "stripmeta":"true","type":"\(type)","norotation":"true","quality":"80"}}]
        """
    }

    @Test(arguments: ["still.jpg", "still.heic", "counter.gif", "still.tiff", "still.webp"])
    func `a pipeline makes previews of files`(name: String) async throws {
        let served = try Served()
        let bytes = try Media.array(name)
        for type in ["jpeg", "png", "webp"] {
            let fit = try await served.post(Self.pipeline(Self.operation("fit", type)), bytes)
            #expect(fit.status == 200, "\(fit)")
            #expect(fit.fields["Content-Type"] == "image/\(type)")
            let size = try await Served.media(fit).info.size
            #expect(max(size.width, size.height) <= 64)
            #expect(fit.fields["Image-Width"] == "\(size.width)")
            #expect(fit.fields["Image-Height"] == "\(size.height)")
            let media = try await Served.media(fit)
            #expect(media.info.frameCount ?? 1 == 1)
        }
        let crop = try await served.post(Self.pipeline(Self.operation("smartcrop", "jpeg")), bytes)
        #expect(crop.status == 200, "\(crop)")
    }

    @Test(arguments: [
        ("[{\"operation\":\"fit\"}]", 400), ("[{\"operation\":\"pyramid\"}]", 400), ("[]", 400),
        ("{", 400), ("[{\"operation\":\"fit\",\"params\":{\"width\":\"x\"}}]", 400),
    ])
    func `a wrong pipeline is refused`(operations: String, status: Int) async throws {
        let response = try await Served().post(
            Self.pipeline(operations), Media.array("still.jpg"))
        #expect(response.status == status)
    }

    @Test(arguments: ["<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "%PDF-1.4\n"])
    func `documents are refused by name`(text: String) async throws {
        let response = try await Served().post(
            Self.pipeline("[{\"operation\":\"convert\",\"params\":{\"type\":\"png\"}}]"),
            Array(text.utf8))
        #expect(response.status == 415)
        let words = String(decoding: try await Served.bytes(response), as: UTF8.self)
        #expect(words.contains(text.contains("svg") ? "SVG" : "PDF"), "\(words)")
    }
}
