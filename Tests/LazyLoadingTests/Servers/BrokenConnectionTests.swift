import FoundationEssentials
import HTTPSupport
import LazyBase
import LazyLoading
import Support
import Testing

/// Interrupted connections, against a scripted server.
@Suite struct BrokenConnectionTests {
    private let folder = Scratch()
    private let bytes = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 7 / 11) }

    /// Cuts the first responses after a number of bytes of their body.
    private func server(cuts: [Int], tag: String = "\"one\"") throws -> ScriptedServer {
        try ScriptedServer { [bytes] request in
            let whole = ScriptedServer.Response.serve(bytes, to: request, etag: tag)
            guard request.index < cuts.count, case .send(let body)? = whole.actions.last else {
                return whole
            }
            let part = ScriptedServer.Action.send(Array(body.prefix(cuts[request.index])))
            return ScriptedServer.Response(whole.actions.dropLast() + [part, .close])
        }
    }

    private func stack(retries: Int) throws -> CachingLoader {
        let policy = RetryPolicy(maximumRetries: retries, firstDelay: .zero)
        return CachingLoader(
            RetryingLoader(HTTPLoader(), policy: policy),
            store: try DiskStore(folder: folder.path))
    }

    @Test func `two interruptions are invisible to the consumer`() async throws {
        let server = try server(cuts: [100_000, 100_000])
        let request = LoadRequest(url: server.url("/a"))
        let response = try await stack(retries: 2).load(request)
        #expect(try await response.body.collect() == bytes)
        #expect(try response.body.stored?.bytes() == bytes)
        #expect(server.requests.map { $0["Range"] } == [nil, "bytes=100000-", "bytes=200000-"])
        #expect(server.requests.map { $0["If-Range"] } == [nil, "\"one\"", "\"one\""])
    }

    @Test func `the next load continues where retries gave up`() async throws {
        let server = try server(cuts: [100_000, 1_000])
        let request = LoadRequest(url: server.url("/a"))
        let error = await failure { try await stack(retries: 1).load(request).body.collect() }
        #expect(error.map { [.reset, .truncated].contains($0.code) } == true)
        let second = try await stack(retries: 1).load(request)
        #expect(second.head.resumedCount == 101_000)
        #expect(try await second.body.collect() == bytes)
        #expect(server.requests.last?["Range"] == "bytes=101000-")
    }

    @Test func `with a weak tag all of it is read again`() async throws {
        let server = try server(cuts: [100_000, 100_000], tag: "W/\"one\"")
        let request = LoadRequest(url: server.url("/a"))
        let response = try await stack(retries: 2).load(request)
        #expect(try await response.body.collect() == bytes)
        #expect(server.requests.map { $0["Range"] } == [nil, nil, nil])
        #expect(server.requests.map { $0["If-Range"] } == [nil, nil, nil])
    }

    @Test func `with a weak tag the next load starts again where retries gave up`() async throws {
        let server = try server(cuts: [100_000, 90_000], tag: "W/\"one\"")
        let request = LoadRequest(url: server.url("/a"))
        let error = await failure { try await stack(retries: 1).load(request).body.collect() }
        #expect(error.map { [.reset, .truncated].contains($0.code) } == true)
        let second = try await stack(retries: 1).load(request)
        #expect(second.head.origin == .network)
        #expect(try await second.body.collect() == bytes)
    }
}
