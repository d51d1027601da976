import CoreMetrics
import FoundationEssentials
import Hummingbird
import LazyKit
import LazyPipeline
import LazyService
import Testing

@testable import LazyServer

/// The routes in an application of somebody else, over HTTP.
@Suite struct ServiceRoutesTests {
    private static let media =
        String(
            #filePath.dropLast("Server/Tests/LazyServerTests/ServiceRoutesTests.swift".count))
        + "media"

    /// A router with a route of its own beside the previews.
    private func router(uploadBytes: Int = 1_000_000) throws -> Router<BasicRequestContext> {
        var loading = ImagePipeline.Configuration.inMemory
        loading.dataLoader = try RootFolder(Self.media, next: loading.dataLoader)
        let router = Router()
        router.get("hello") { _, _ in "hello" }
        // These five lines mount previews.
        let pipeline = ImagePipeline(configuration: loading)
        var configuration = ServiceConfiguration()
        configuration.pathPrefix = "/previews"
        configuration.uploadBytes = uploadBytes
        let service = ImageService(pipeline: pipeline, configuration: configuration)
        router.addPreviews(of: service)
        return router
    }

    @Test func `five lines mount previews in an application`() async throws {
        let path = "/previews/unsafe/rs:fit:160:160/plain/local:///clip.mp4@webp"
        try await LiveServer.run(try router()) { server in
            #expect(await server.ask("/hello").text == "hello")
            let made = await server.ask(path)
            #expect(made.status == 200 && made.fields["content-type"] == "image/webp")
            #expect(made.count > 0)
            // What is made is watched for a client that hangs up, on a connection of its own.
            #expect(made.fields["connection"] == "close")
            // From memory, and then as it was sent.
            for _ in 0..<3 {
                let stored = await server.ask(path)
                #expect(stored.status == 200 && stored.count == made.count)
                #expect(stored.fields["etag"] == made.fields["etag"])
                #expect(stored.fields["content-length"] == "\(made.count)")
            }
            let tag = made.fields["etag"] ?? ""
            let known = await server.ask(path, ["If-None-Match": tag])
            #expect(known.status == 304 && known.count == 0 && !tag.isEmpty)
            let part = await server.ask(path, ["Range": "bytes=0-9"])
            #expect(part.status == 206 && part.count == 10)
            let head = await server.ask(path, method: "HEAD")
            #expect(head.status == 200 && head.fields["content-length"] == "\(made.count)")
        }
    }

    @Test func `other methods are refused with those that there are`() async throws {
        let path = "/previews/unsafe/w:8/plain/local:///still.jpg@png"
        try await LiveServer.run(try router()) { server in
            for method in ["PUT", "PATCH"] {
                let refused = await server.ask(path, method: method)
                #expect(refused.status == 405)
                #expect(refused.fields["allow"] == "GET, HEAD, POST, OPTIONS")
            }
            let options = await server.ask(path, method: "OPTIONS")
            #expect(options.status == 200 && options.fields["allow"] == "GET, HEAD, POST, OPTIONS")
            #expect(options.fields["access-control-allow-origin"] == nil)
        }
    }

    @Test func `a client that ends what it sends is no fault of the server`() async throws {
        try await LiveServer.run(try router()) { server in
            let statuses = await shell(
                """
                python3 - <<'END'
                import socket
                for number in range(8):
                    client = socket.create_connection(("127.0.0.1", \(server.port)))
                    path = b"/previews/unsafe/w:64/cb:%d/plain/local:///clip.mp4@png" % number
                    client.sendall(b"GET " + path + b" HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
                    client.shutdown(socket.SHUT_WR)
                    print(client.recv(1024)[9:12].decode())
                END
                """
            ).text.split(separator: "\n")
            // Those that are quick enough have their picture.
            #expect(statuses.count == 8, "\(statuses)")
            #expect(Set(statuses).isSubset(of: ["200", "499"]), "\(statuses)")
        }
    }

    /// Files of more bytes than are taken: announced as such, and in chunks; both are answered while they are sent.
    @Test(arguments: ["Content-Length: 50000000", "Transfer-Encoding: chunked"])
    func `a file that is too large is answered, and its connection closed`(
        length: String
    ) async throws {
        try await LiveServer.run(try router()) { server in
            let text = await server.run(
                """
                client = connect()
                head = b"POST /previews/unsafe/plain/upload:x@png HTTP/1.1\\r\\nHost: x\\r\\n\(length)\\r\\n\\r\\n"
                part = bytes(65536)
                if b"chunked" in head: part = b"10000\\r\\n" + part + b"\\r\\n"
                client.sendall(head)
                try:
                    for number in range(64): client.sendall(part)
                except OSError: pass
                print(rest(client).decode())
                """)
            #expect(text.hasPrefix("HTTP/1.1 413 "), "\(text)")
            #expect(text.lowercased().contains("connection: close"), "\(text)")
            #expect(text.lowercased().contains("x-content-type-options: nosniff"), "\(text)")
            #expect(text.contains("A file has at most 1000000 bytes."), "\(text)")
        }
    }

    @Test func `a client that asks whether it may send a file is told to`() async throws {
        try await LiveServer.run(try router()) { server in
            let text = await server.run(
                """
                file = open("\(Self.media)/still.jpg", "rb").read()
                client = connect()
                client.sendall(b"POST /previews/unsafe/w:8/plain/upload:x@png HTTP/1.1\\r\\nHost: x\\r\\n"
                    + b"Expect: 100-continue\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(file))
                print(client.recv(100).decode())
                client.sendall(file)
                print(client.recv(100).decode())
                """)
            #expect(text.hasPrefix("HTTP/1.1 100 Continue"), "\(text)")
            #expect(text.contains("HTTP/1.1 200 "), "\(text)")
        }
    }

    @Test(arguments: [
        "", "GET /hello HT", "GET /hello HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n",
        "POST /previews/unsafe/plain/upload:x@png HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 9\\r\\n\\r\\n1",
    ])
    func `a connection without a whole request is closed`(sent: String) async throws {
        try await LiveServer.run(try router(), idleTimeout: .seconds(1)) { server in
            let text = await server.run(
                """
                client = connect()
                client.sendall(b"\(sent)")
                rest(client)
                print("closed")
                """)
            #expect(text == "closed\n", "\(text)")
        }
    }

    @Test(arguments: [
        "/previews/unsafe/plain/local:///missing.png", "/previews/unsafe/x:1/plain/local:///a",
        "/previews", "/other",
    ])
    func `what there is not is 404`(path: String) async throws {
        try await LiveServer.run(try router()) { #expect(await $0.ask(path).status == 404) }
    }

    @Test(arguments: [
        ("/SECRET/w:10/plain/local:///a.png", "", "/w:10/plain/local:///a.png"),
        ("/info/SECRET/plain/local:///a.png", "", "/plain/local:///a.png"),
        ("/img/SECRET/w:1/plain/a?b", "/img", "/w:1/plain/a"),
        ("/img/info/SECRET/plain/a%3Fb", "/img", "/plain/a"), ("/livez", "/img", ""),
        ("/S/plain/http://me:word@h/a@png", "", "/plain/http://***@h/a@png"),
        ("/S/plain/http%3A%2f%2Fme:w%40rd%40h%2Fa", "", "/plain/http%3A%2f%2F***%40h%2Fa"),
        ("/S/w:1/plain/http://h/a@b@png", "", "/w:1/plain/http://h/a@b@png"),
    ])
    func `logs have no signature and no password`(target: String, prefix: String, shown: String) {
        #expect(
            RequestLog<BasicRequestContext>.shown(target, behind: prefix) == shown[...])
    }

    @Test func `what was sent once is asked for again when it may be another`() async throws {
        var loading = ImagePipeline.Configuration.inMemory
        loading.dataLoader = try RootFolder(Self.media, next: loading.dataLoader)
        let service = ImageService(
            pipeline: ImagePipeline(configuration: loading), configuration: .init())
        let router = Router()
        router.addPreviews(of: service)
        router.addAdministration(of: service, Readiness())
        let path = "/unsafe/w:8/plain/local:///still.jpg@png"
        try await LiveServer.run(router) { server in
            for _ in 0..<3 { #expect(await server.ask(path).status == 200) }
            #expect(await server.ask("/local:///still.jpg", method: "DELETE").text.hasPrefix("2 "))
            // It is made anew, which the end of its connection tells.
            #expect(await server.ask(path).fields["connection"] == "close")
            #expect(await server.ask(path).status == 200)
            // Keys that were set since count at once.
            let pair = URLSignature.Pair(key: "aa", salt: "bb")
            service.configuration.signature = URLSignature(pairs: [pair].compactMap { $0 })
            #expect(await server.ask(path).status == 403)
        }
    }

    @Test func `probes, metrics and purging are on a router of their own`() async throws {
        var loading = ImagePipeline.Configuration.inMemory
        loading.dataLoader = try RootFolder(Self.media, next: loading.dataLoader)
        let service = ImageService(
            pipeline: ImagePipeline(configuration: loading), configuration: .init())
        let readiness = Readiness()
        let router = Router()
        router.addAdministration(
            of: service, readiness, metrics: PrometheusMetrics(), decoders: DecoderHost())
        let path = "/unsafe/w:8/plain/local:///still.jpg@png"
        #expect(await service.respond(to: .init(target: path)).origin == "made")
        try await LiveServer.run(router) { server in
            #expect(await server.ask("/readyz").status == 503)
            readiness.begin()
            for probe in ["/livez", "/readyz", "/metrics"] {
                #expect(await server.ask(probe).status == 200)
                let head = await server.ask(probe, method: "HEAD")
                #expect(head.status == 200 && head.fields["content-length"] != "0")
                for method in ["POST", "OPTIONS", "DELETE"] {
                    let refused = await server.ask(probe, method: method)
                    #expect(refused.status == 405 && refused.fields["allow"] == "GET, HEAD")
                }
            }
            let text = await server.ask("/metrics").text
            for line in [
                "lazyimg_requests_total{status=\"200\"} 1",
                "lazyimg_hits_percent{layer=\"memory\"} 0",
                "lazyimg_decoders_started_total 0", "lazyimg_decoders_ended_total{by=\"crash\"} 0",
            ] { #expect(text.contains(line), "\(text)") }
            #expect(await server.ask("/local:///still.jpg", method: "DELETE").status == 200)
        }
        #expect(await service.respond(to: .init(target: path)).origin == "made")
    }

    @Test func `stages that have not been are left out of the metrics`() {
        let metrics = PrometheusMetrics()
        let timer = metrics.makeTimer(label: "lazyimg.stage", dimensions: [("stage", "fetch")])
        _ = metrics.makeTimer(label: "lazyimg.stage", dimensions: [("stage", "decode")])
        _ = metrics.makeCounter(label: "lazyimg.loads", dimensions: [])
        #expect(metrics.text == "# TYPE lazyimg_loads_total counter\nlazyimg_loads_total 0.0\n")
        timer.recordNanoseconds(1)
        #expect(metrics.text.contains("lazyimg_stage_seconds_count{stage=\"fetch\"} 1\n"))
        #expect(!metrics.text.contains("decode"))
    }

    @Test func `the page of development signs what it asks for`() async throws {
        let pair = URLSignature.Pair(key: "746573742d6b6579", salt: "746573742d73616c74")
        var configuration = ServiceConfiguration()
        configuration.signature = URLSignature(pairs: [pair].compactMap { $0 })
        let service = ImageService(
            pipeline: ImagePipeline(configuration: .inMemory), configuration: configuration)
        let router = Router()
        router.addDevelopmentPage(of: service)
        router.addPreviews(of: service)
        try await LiveServer.run(router) { server in
            #expect(await server.ask("/").text.contains("<title>lazyimg-server"))
            let signed = await server.ask("/sign?path=%2Fasd").text
            #expect(signed == "/oWaL7QoW5TsgbuiS9-5-DI8S3Ibbo1gdB2SteJh3a20/asd")
        }
    }
}
