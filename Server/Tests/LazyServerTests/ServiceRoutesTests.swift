import FoundationEssentials
import Hummingbird
import HummingbirdTesting
import LazyKit
import LazyPipeline
import LazyServer
import LazyService
import Testing

/// The routes in an application of somebody else, over HTTP.
@Suite struct ServiceRoutesTests {
    private static let media =
        String(
            #filePath.dropLast("Server/Tests/LazyServerTests/ServiceRoutesTests.swift".count))
        + "media"

    /// An application with a route of its own beside the previews.
    private func application() throws -> some ApplicationProtocol {
        var loading = ImagePipeline.Configuration.inMemory
        loading.dataLoader = try RootFolder(Self.media, next: loading.dataLoader)
        let router = Router()
        router.get("hello") { _, _ in "hello" }
        // These five lines mount previews.
        let pipeline = ImagePipeline(configuration: loading)
        var configuration = ServiceConfiguration()
        configuration.pathPrefix = "/previews"
        let service = ImageService(pipeline: pipeline, configuration: configuration)
        router.addPreviews(of: service)
        return Application(router: router)
    }

    @Test func `five lines mount previews in an application`() async throws {
        let application = try application()
        let path = "/previews/unsafe/rs:fit:160:160/plain/local:///clip.mp4@webp"
        let tag = try await application.test(.live) { client in
            try await client.execute(uri: "/hello", method: .get) { response in
                #expect(String(buffer: response.body) == "hello")
            }
            return try await client.execute(uri: path, method: .get) { response in
                #expect(response.status == .ok)
                #expect(response.headers[.contentType] == "image/webp")
                #expect(response.body.readableBytes > 0)
                // What is made is watched for a client that hangs up, on a connection of its own.
                #expect(response.headers[.connection] == "close")
                return response.headers[.eTag]
            }
        }
        try await application.test(.live) { client in
            try await client.execute(
                uri: path, method: .get, headers: [.ifNoneMatch: tag ?? ""]
            ) { response in
                #expect(response.status == .notModified && response.body.readableBytes == 0)
            }
            try await client.execute(uri: path, method: .head) { response in
                #expect(response.status == .ok && response.body.readableBytes == 0)
                #expect(Int(response.headers[.contentLength] ?? "") ?? 0 > 0)
            }
        }
    }

    @Test(arguments: [
        "/previews/unsafe/plain/local:///missing.png", "/previews/unsafe/x:1/plain/local:///a",
        "/previews", "/other",
    ])
    func `what there is not is 404`(path: String) async throws {
        try await application().test(.live) { client in
            try await client.execute(uri: path, method: .get) { response in
                #expect(response.status == .notFound)
            }
        }
    }

    @Test func `probes, metrics and purging are on a router of their own`() async throws {
        var loading = ImagePipeline.Configuration.inMemory
        loading.dataLoader = try RootFolder(Self.media, next: loading.dataLoader)
        let service = ImageService(
            pipeline: ImagePipeline(configuration: loading), configuration: .init())
        let readiness = Readiness()
        let router = Router()
        router.addAdministration(of: service, readiness)
        let path = "/unsafe/w:8/plain/local:///still.jpg@png"
        #expect(await service.respond(to: .init(target: path)).origin == "made")
        try await Application(router: router).test(.live) { client in
            try await client.execute(uri: "/readyz", method: .get) { response in
                #expect(response.status == .serviceUnavailable)
            }
            readiness.begin()
            for probe in ["/livez", "/readyz"] {
                try await client.execute(uri: probe, method: .get) { response in
                    #expect(response.status == .ok)
                }
            }
            try await client.execute(uri: "/metrics", method: .get) { response in
                let text = String(buffer: response.body)
                #expect(text.contains("lazyimg_requests_total{status=\"200\"} 1"))
            }
            try await client.execute(uri: "/local:///still.jpg", method: .delete) { response in
                #expect(response.status == .ok)
            }
        }
        #expect(await service.respond(to: .init(target: path)).origin == "made")
    }
}
