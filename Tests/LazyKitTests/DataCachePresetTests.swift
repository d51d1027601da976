import HTTPSupport
import LazyBase
import LazyLoading
import Support
import Testing

@testable import LazyKit

/// The preset with a data cache, against a server that breaks off.
@Suite struct DataCachePresetTests {
    private typealias Response = ScriptedServer.Response

    @Test func `a broken download is continued, and nothing whole is kept beside the data cache`()
        async throws
    {
        let bytes = try Self.bytes(of: "clip.mp4")
        let server = try ScriptedServer { request in
            request.index == 0
                ? [
                    .send(Response.head(200, headers: [("ETag", "\"1\"")], count: bytes.count)),
                    .send(Array(bytes[..<100_000])), .close,
                ]
                : .serve(bytes, to: request, etag: "\"1\"")
        }
        let scratch = Scratch()
        defer { withExtendedLifetime(scratch) {} }
        let store = try DiskStore(folder: scratch.path("cache"))
        let url = server.url("/clip.mp4")
        var configuration = ImagePipeline.Configuration.withDataCache(
            name: "none", sizeLimit: 1 << 20, parts: store, retries: .none)
        configuration.dataCache = nil
        let request = ImageRequest(url: url)
        let first = ImagePipeline(configuration: configuration)
        await #expect(throws: PipelineError.self) { try await first.data(for: request) }
        #expect(store.statistics().partialCount == 1)

        let second = ImagePipeline(configuration: configuration)
        let data = try await second.data(for: request)
        #expect(try data.data.bytes(at: 0, count: data.data.count) == bytes)
        #expect(server.requests.last?["Range"] == "bytes=100000-")
        #expect(store.statistics().partialCount == 0)
        #expect(store.statistics().count == 0)
    }

    private static func bytes(of name: String) throws -> [UInt8] {
        try FileBytes(path: Media.path(name)).contiguous().withBytes { Array($0) }
    }
}
