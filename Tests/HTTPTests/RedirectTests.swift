import FoundationEssentials
import HTTPSupport
import LazyBase
import LazyLoading
import Testing

@Suite struct RedirectTests {
    let nginx: Nginx
    let loader = HTTPLoader()

    init() throws {
        nginx = try Nginx.shared()
        try nginx.put(Array("there".utf8), as: "redirect.txt")
    }

    /// The error of a failing load.
    private func failure(
        of request: LoadRequest, _ configuration: HTTPLoader.Configuration = .init()
    ) async -> LoadingError? {
        do throws(LoadingError) {
            let answer = try await HTTPLoader(configuration: configuration).load(request)
            _ = try await answer.body.collect()
            return nil
        } catch { return error }
    }

    @Test(arguments: ["once", "three"])
    func `a chain of redirects is followed`(start: String) async throws {
        let request = LoadRequest(url: nginx.url("/redirect/\(start)/redirect.txt"))
        let answer = try await loader.load(request)
        #expect(answer.head.url == nginx.url("/redirect.txt"))
        #expect(answer.head.headers["Location"] == nil)
        #expect(answer.head.isPrivate)
        #expect(try await answer.body.collect() == Array("there".utf8))
    }

    @Test func `a chain of redirects uses one connection`() async throws {
        let request = LoadRequest(url: nginx.url("/redirect/once/redirect.txt?one"))
        _ = try await loader.load(request).body.collect()
        let first = try #require(nginx.log(of: "/redirect/once/redirect.txt?one").first)
        let all = nginx.log(of: "/redirect.txt")
        #expect(all.contains { $0.connection == first.connection })
    }

    @Test func `a redirect loop ends after ten`() async throws {
        let server = try ScriptedServer { _ in .answer(302, headers: [("Location", "/again")]) }
        let error = try #require(await failure(of: LoadRequest(url: server.url("/"))))
        #expect(error.code == .redirect && !error.isTransient)
        #expect(server.requests.count == 11)
        let real = await failure(of: LoadRequest(url: nginx.url("/redirect/loop")))
        #expect(real?.code == .redirect)
    }

    @Test(arguments: [
        "ftp://127.0.0.1/file", "file:///etc/passwd", "javascript:alert(1)", "gopher://127.0.0.1/",
        "http://", "",
    ]) func `only redirects to HTTP are followed`(target: String) async throws {
        let server = try ScriptedServer { request in
            request.path == "/start"
                ? .answer(302, headers: [("Location", target)]) : .answer(body: [1])
        }
        let error = await failure(of: LoadRequest(url: server.url("/start")))
        // An empty reference is the address itself: a loop.
        #expect(error?.code == .redirect)
        #expect(!server.requests.contains { $0.path != "/start" })
    }

    @Test func `a redirect from https to http is refused unless allowed`() async throws {
        let plain = nginx.url("/redirect.txt").absoluteString
        var configuration = HTTPLoader.Configuration()
        configuration.caFile = nginx.authority
        let request = LoadRequest(url: nginx.url("/redirect/to?\(plain)", secure: true))
        let error = try #require(await failure(of: request, configuration))
        #expect(error.code == .redirect && error.message.contains("not encrypted"))
        configuration.allowsDowngrade = true
        #expect(await failure(of: request, configuration) == nil)
    }

    @Test func `custom header fields are not sent to another host`() async throws {
        let other = try ScriptedServer { _ in .answer(body: [1]) }
        let first = try ScriptedServer { request in
            request.path == "/there"
                ? .answer(body: [1])
                : .answer(
                    302,
                    headers: [
                        (
                            "Location",
                            request.path == "/same" ? "/there" : other.url("/x").absoluteString
                        )
                    ])
        }
        let headers: HTTPHeaders = [
            "Authorization": "Bearer 1", "cookie": "a=b", "X-Api-Key": "k", "X-Other": "own",
            "Accept": "image/*",
        ]
        for path in ["/same", "/away"] {
            let request = LoadRequest(url: first.url(path), headers: headers)
            _ = try await loader.load(request).body.collect()
        }
        let same = try #require(first.requests.first { $0.path == "/there" })
        #expect(same["Authorization"] == "Bearer 1" && same["Cookie"] == "a=b")
        #expect(same["X-Other"] == "own")
        let away = try #require(other.requests.first)
        #expect(away["Authorization"] == nil && away["Cookie"] == nil && away["X-Api-Key"] == nil)
        #expect(away["X-Other"] == nil && away["Accept"] == "image/*")
    }

    @Test func `user and password are not sent on nor shown`() async throws {
        let server = try ScriptedServer { request in
            switch request.path {
            case "/start": .answer(302, headers: [("Location", "/end")])
            default: .answer(403)
            }
        }
        let url = try #require(URL(string: "http://me:secret@127.0.0.1:\(server.port)/start"))
        let error = try #require(await failure(of: LoadRequest(url: url)))
        #expect(
            server.requests.map { $0["Authorization"] } == [
                "Basic bWU6c2VjcmV0", "Basic bWU6c2VjcmV0",
            ])
        #expect(error.status == 403)
        #expect(!error.message.contains("secret") && error.message.contains("/end"))
    }

    @Test func `the configuration is asked for each URL`() async throws {
        let asked = Locked<[String]>([])
        var configuration = HTTPLoader.Configuration()
        configuration.allowsAddress = { url in
            asked.withLock { $0.append(url.path()) }
            return url.path() != "/redirect.txt"
        }
        let request = LoadRequest(url: nginx.url("/redirect/once/redirect.txt"))
        #expect(await failure(of: request, configuration)?.code == .redirect)
        #expect(asked.withLock { $0 } == ["/redirect/once/redirect.txt", "/redirect.txt"])
        let direct = await failure(of: LoadRequest(url: nginx.url("/redirect.txt")), configuration)
        #expect(direct?.code == .badAddress)
    }

    @Test(arguments: ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433"])
    func `publicOnly refuses local addresses`(host: String) async throws {
        let server = try ScriptedServer { _ in .answer(body: [1]) }
        var configuration = HTTPLoader.Configuration()
        configuration.addressPolicy = .publicOnly
        let request = LoadRequest(url: server.url("/", host: host))
        let error = try #require(await failure(of: request, configuration))
        #expect(error.code == .badAddress && !error.isTransient)
        #expect(server.sight.connections == 0)
    }
}
