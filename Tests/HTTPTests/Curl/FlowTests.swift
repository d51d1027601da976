import FoundationEssentials
import HTTPSupport
import LazyBase
import LazyLoading
import Testing

@Suite struct FlowTests {
    static let piece = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }

    @Test func `a body that is not pulled pauses its transfer`() async throws {
        let count = 512
        let server = try ScriptedServer { _ in
            [
                .send(ScriptedServer.Response.head(200, count: Self.piece.count * count)),
                .repeat(Self.piece, times: count),
            ]
        }
        let answer = try await HTTPLoader().load(LoadRequest(url: server.url("/")))
        // What the system's socket buffers take is not ours to bound: 4 and 6 MB at most.
        await server.wait { $0.stalls > 0 }
        #expect(server.sight.sentBytes < 14 << 20)
        var received = 0
        while let piece = try await answer.body.next() {
            #expect(piece.first == Self.piece[received % Self.piece.count])
            received += piece.count
        }
        #expect(received == Self.piece.count * count)
    }

    @Test func `dropping a body ends its connection`() async throws {
        let server = try ScriptedServer { _ in Self.endless }
        let loader = HTTPLoader()
        var answer: LoadResponse? = try await loader.load(LoadRequest(url: server.url("/")))
        _ = try await answer?.body.next()
        answer = nil
        await server.wait { $0.closedByClient == 1 && $0.openConnections == 0 }
        #expect(server.sight.openConnections == 0)
    }

    @Test func `dropping a loader closes its connections`() async throws {
        let server = try ScriptedServer { _ in .answer(body: [1]) }
        var loader: HTTPLoader? = HTTPLoader()
        _ = try await loader?.load(LoadRequest(url: server.url("/"))).body.collect()
        #expect(server.sight.openConnections == 1)
        loader = nil
        await server.wait { $0.openConnections == 0 }
        #expect(server.sight.openConnections == 0)
    }

    @Test func `randomly cancelled, dropped and read loads all end`() async throws {
        let server = try ScriptedServer { request in
            let count = request.path.utf8.count % 2 == 0 ? 3 : 40
            return [
                .send(Response.head(200, count: Self.piece.count * count)),
                .repeat(Self.piece, times: count),
            ]
        }
        var configuration = HTTPLoader.Configuration()
        configuration.rateLimit = nil
        var loader: HTTPLoader? = HTTPLoader(configuration: configuration)
        let tasks = (0..<300).map { [loader] index in
            Task { () -> Bool in
                let request = LoadRequest(
                    url: server.url("/" + String(repeating: "x", count: index % 7)))
                guard let loader else { return false }
                do throws(LoadingError) {
                    let answer = try await loader.load(request)
                    for _ in 0..<(index % 5) { _ = try await answer.body.next() }
                    guard index % 3 == 0 else { return true }
                    let rest = try await answer.body.collect()
                    return rest.count <= Self.piece.count * 40
                } catch { return error.code == .cancelled }
            }
        }
        for (index, task) in tasks.enumerated() where index % 4 == 1 {
            if index % 8 == 1 { await Task.yield() }
            task.cancel()
        }
        for task in tasks { #expect(await task.value) }
        loader = nil
        await server.wait { $0.openConnections == 0 }
    }

    @Test(arguments: [true, false])
    func `cancelling ends the connection`(isInBody: Bool) async throws {
        let server = try ScriptedServer { _ in
            isInBody
                ? Response([.send(Response.head(200, count: 9)), .waitForClose]) : [.waitForClose]
        }
        let task = Task { () -> LoadingError.Code? in
            do throws(LoadingError) {
                _ = try await HTTPLoader().load(LoadRequest(url: server.url("/"))).body.collect()
                return nil
            } catch { return error.code }
        }
        await server.wait { $0.requests.count == 1 }
        task.cancel()
        #expect(await task.value == .cancelled)
        await server.wait { $0.openConnections == 0 }
    }

    @Test func `a cancelled task gets nothing`() async throws {
        let server = try ScriptedServer { _ in .answer(body: [1]) }
        let gate = Gate()
        let task = Task { () -> LoadingError.Code? in
            await gate.opened()
            do throws(LoadingError) {
                _ = try await HTTPLoader().load(LoadRequest(url: server.url("/")))
                return nil
            } catch { return error.code }
        }
        task.cancel()
        gate.open()
        #expect(await task.value == .cancelled)
    }

    @Test func `concurrent loads never exceed the limit of connections`() async throws {
        let server = try ScriptedServer { request in .answer(body: Array(request.path.utf8)) }
        var configuration = HTTPLoader.Configuration()
        configuration.rateLimit = nil
        let loader = HTTPLoader(configuration: configuration)
        try await withThrowingTaskGroup { group in
            for index in 0..<200 {
                group.addTask {
                    let request = LoadRequest(url: server.url("/\(index)"))
                    let bytes = try await loader.load(request).body.collect()
                    #expect(bytes == Array("/\(index)".utf8))
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 200)
        #expect(server.sight.maxConnections <= 6)
        #expect(server.sight.connections <= 6)
    }

    @Test func `excess loads wait for the end of others`() async throws {
        let server = try ScriptedServer { _ in Self.endless }
        var configuration = HTTPLoader.Configuration()
        configuration.connectionsPerHost = 1
        let loader = HTTPLoader(configuration: configuration)
        var first: LoadResponse? = try await loader.load(LoadRequest(url: server.url("/1")))
        _ = try await first?.body.next()
        async let second = loader.load(LoadRequest(url: server.url("/2")))
        var impatient = LoadRequest(url: server.url("/3"))
        impatient.totalTimeout = .milliseconds(50)
        await #expect(throws: LoadingError.self) { try await loader.load(impatient) }
        #expect(server.requests.map(\.path) == ["/1"])
        first = nil
        #expect(try await second.head.status == 200)
        #expect(server.requests.map(\.path) == ["/1", "/2"])
    }

    @Test(arguments: ["announced", "endless", "bomb"])
    func `a body beyond the limit is refused`(kind: String) async throws {
        let nginx = try Nginx.shared()
        if kind == "bomb" { try nginx.put([UInt8](repeating: 0, count: 5_000_000), as: "bomb.txt") }
        let server = try ScriptedServer { _ in
            kind == "announced"
                ? .answer(body: [UInt8](repeating: 1, count: 200_000)) : Self.endless
        }
        let url = kind == "bomb" ? nginx.url("/gzip/bomb.txt") : server.url("/")
        var request = LoadRequest(url: url)
        request.maximumBytes = 100_000
        var count = 0
        do throws(LoadingError) {
            let answer = try await HTTPLoader().load(request)
            #expect(kind != "announced")
            while let piece = try await answer.body.next() { count += piece.count }
            Issue.record("the load succeeded")
        } catch {
            #expect(error.code == .tooLarge)
        }
        #expect(count <= 100_000)
        if kind == "endless" { await server.wait { $0.openConnections == 0 } }
    }

    enum Silence: String, CaseIterable, Sendable { case head, body, connection, whole }

    @Test(arguments: Silence.allCases)
    func `a server that goes quiet is left`(when: Silence) async throws {
        let server = try ScriptedServer { _ in
            switch when {
            case .head, .connection: [.waitForClose]
            case .body: [.send(Response.head(200, count: 9)), .text("abc"), .waitForClose]
            case .whole: Self.endless
            }
        }
        var request = LoadRequest(url: server.url("/"))
        request.readTimeout = .milliseconds(when == .whole ? 60_000 : 60)
        if when == .whole { request.totalTimeout = .milliseconds(60) }
        if when == .connection {
            // TEST-NET-1: nobody answers there, or the system refuses.
            request.url = try #require(URL(string: "http://192.0.2.1/"))
            request.connectTimeout = .milliseconds(60)
        }
        do throws(LoadingError) {
            let answer = try await HTTPLoader().load(request)
            while try await answer.body.next() != nil {}
            Issue.record("the load succeeded")
        } catch {
            #expect(error.code == .timeout || when == .connection && error.code == .connect)
        }
        await server.wait { $0.openConnections == 0 }
    }

    @Test func `a slow consumer does not time out`() async throws {
        let server = try ScriptedServer { _ in
            [
                .send(Response.head(200, count: Self.piece.count * 256)),
                .repeat(Self.piece, times: 256),
            ]
        }
        var request = LoadRequest(url: server.url("/"))
        request.readTimeout = .seconds(1)
        let answer = try await HTTPLoader().load(request)
        // Nothing moves for longer than that: the consumer's fault, not the server's.
        await server.wait { $0.stalls > 5 }
        #expect(try await answer.body.collect().count == Self.piece.count * 256)
    }

    @Test func `a slow server does not time out`() async throws {
        let nginx = try Nginx.shared()
        try nginx.put([UInt8](repeating: 5, count: 30_000), as: "drip.bin")
        let answer = try await HTTPLoader().load(LoadRequest(url: nginx.url("/slow/drip.bin")))
        #expect(try await answer.body.collect().count == 30_000)
    }

    private typealias Response = ScriptedServer.Response

    private static var endless: ScriptedServer.Response {
        [.text("HTTP/1.1 200 OK\r\n\r\n"), .repeat(piece, times: nil)]
    }

    /// Compressed so well that it arrives at once, and libcurl has to buffer it.
    @Test func `a compressed body waits for its consumer and loses nothing`() async throws {
        let nginx = try Nginx.shared()
        let bytes = (0..<6_000_000).map { UInt8(truncatingIfNeeded: $0 >> 16) }
        try nginx.put(bytes, as: "waiting.txt")
        let loader = HTTPLoader()
        let answer = try await loader.load(LoadRequest(url: nginx.url("/gzip/waiting.txt")))
        #expect(answer.head.headers["Content-Encoding"] == "gzip")
        // Another load as a whole: the thread has done all it can for the first one.
        _ = try await loader.load(LoadRequest(url: nginx.url("/sync"))).body.collect()
        #expect(try await answer.body.collect() == bytes)
    }

    @Test func `a compressed body ends exactly at the limit`() async throws {
        let nginx = try Nginx.shared()
        try nginx.put([UInt8](repeating: 0, count: 3_000_000), as: "limit.txt")
        let loader = HTTPLoader()
        var request = LoadRequest(url: nginx.url("/gzip/limit.txt"))
        request.maximumBytes = 2_900_000
        let answer = try await loader.load(request)
        _ = try await loader.load(LoadRequest(url: nginx.url("/sync"))).body.collect()
        var count = 0
        do throws(LoadingError) {
            while let piece = try await answer.body.next() { count += piece.count }
            Issue.record("the load succeeded with \(count) bytes")
        } catch { #expect(error.code == .tooLarge) }
        #expect(count <= 2_900_000)
    }

    @Test func `a transfer respects its rate limit`() async throws {
        let body = [UInt8](repeating: 3, count: 3_000_000)
        let server = try ScriptedServer { _ in .answer(body: body) }
        var configuration = HTTPLoader.Configuration()
        configuration.bytesPerSecond = 2_000_000
        let clock = SystemSteadyClock()
        let began = clock.now
        let answer = try await HTTPLoader(configuration: configuration).load(
            LoadRequest(url: server.url("/")))
        #expect(try await answer.body.collect() == body)
        // A second's worth comes at once, the rest takes one; without a bound it is all there.
        #expect(clock.now - began > .milliseconds(300))
    }
}
