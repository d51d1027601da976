import FoundationEssentials
import HTTPSupport
import LazyBase
import LazyLoading
import Testing

@Suite struct SecureTests {
    let nginx: Nginx
    let bytes = [UInt8](repeating: 3, count: 20_000_000)

    init() throws {
        nginx = try Nginx.shared()
        try nginx.put(Array("secure".utf8), as: "secure.txt")
    }

    private var trusting: HTTPLoader.Configuration {
        var configuration = HTTPLoader.Configuration()
        configuration.caFile = nginx.authority
        return configuration
    }

    private func code(_ configuration: HTTPLoader.Configuration, _ url: URL) async -> LoadingError
        .Code?
    {
        do throws(LoadingError) {
            _ = try await HTTPLoader(configuration: configuration).load(LoadRequest(url: url))
            return nil
        } catch { return error.code }
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a certificate of a trusted authority is taken, and HTTP 2 spoken`(host: String)
        async throws
    {
        let url = nginx.url("/secure.txt?\(host)", secure: true, host: host)
        let answer = try await HTTPLoader(configuration: trusting).load(LoadRequest(url: url))
        #expect(try await answer.body.collect() == Array("secure".utf8))
        #expect(nginx.log(of: "/secure.txt?\(host)").first?.version == "HTTP/2.0")
    }

    @Test func `an untrusted certificate is refused`() async throws {
        var configuration = trusting
        configuration.caFile = nil
        #expect(await code(configuration, nginx.url("/secure.txt", secure: true)) == .tls)
        #expect(nginx.log(of: "/secure.txt").isEmpty)
    }

    @Test func `a certificate for another name is refused`() async throws {
        // The authority is trusted, and libcurl itself leads every name below localhost to this
        // machine; the certificate is for localhost alone. Only the name is wrong.
        let other = nginx.url("/secure.txt?other", secure: true, host: "other.localhost")
        #expect(await code(trusting, other) == .tls)
        #expect(nginx.log(of: "/secure.txt?other").isEmpty)
    }

    @Test func `a server without TLS is a TLS error`() async throws {
        let server = try ScriptedServer { _ in .answer(body: [1]) }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        // It waits for a request to end; what it reads is no request.
        let task = Task { await code(trusting, url) }
        await server.wait { $0.connections == 1 }
        server.stop()
        #expect(await task.value == .tls)
    }

    @Test func `a missing file of authorities is reported`() async throws {
        var configuration = trusting
        configuration.caFile = "/nowhere/ca.pem"
        #expect(await code(configuration, nginx.url("/secure.txt", secure: true)) == .environment)
    }

    @Test func `many loads share one connection`() async throws {
        var configuration = trusting
        configuration.rateLimit = nil
        let loader = HTTPLoader(configuration: configuration)
        try await withThrowingTaskGroup { group in
            for index in 0..<50 {
                let url = nginx.url("/secure.txt?many\(index)", secure: true)
                group.addTask {
                    _ = try await loader.load(LoadRequest(url: url)).body.collect()
                }
            }
            try await group.waitForAll()
        }
        let connections = (0..<50).flatMap {
            nginx.log(of: "/secure.txt?many\($0)").map(\.connection)
        }
        #expect(connections.count == 50)
        #expect(Set(connections).count == 1)
    }

    @Test func `a paused body does not stop others`() async throws {
        try nginx.put(bytes, as: "neighbor.bin")
        let loader = HTTPLoader(configuration: trusting)
        let url = nginx.url("/neighbor.bin", secure: true)
        let resting = try await loader.load(LoadRequest(url: url))
        _ = try await resting.body.next()
        for _ in 0..<3 {
            let answer = try await loader.load(LoadRequest(url: url))
            #expect(try await answer.body.collect() == bytes)
        }
        var count = 0
        while let piece = try await resting.body.next() { count += piece.count }
        #expect(count > bytes.count - (1 << 20))
    }
}
