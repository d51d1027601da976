import FoundationEssentials
import LazyBase
import Support
import Testing

@testable import LazyLoading

/// Responses are separated by user.
@Suite struct CredentialTests {
    /// Responds with the secret of the request.
    private static func network(_ headers: HTTPHeaders) -> ScriptedLoader {
        ScriptedLoader { request in
            var answer = ScriptedLoader.Answer()
            var fields = headers
            fields["Date"] = HTTPDate.text(of: .now)
            let secret = request.headers.fields.map(\.value).joined() + "for everybody else"
            answer.head = ResponseHead(url: request.url, headers: fields, origin: .network)
            answer.pieces = [Array(secret.utf8)]
            return answer
        }
    }

    private static func request(_ name: String, _ value: String?) -> LoadRequest {
        var request = LoadRequest(url: address("http://host/picture"))
        request.secretHeaders = ["X-Session"]
        request.headers[name] = value
        return request
    }

    @Test(
        arguments: ["Authorization", "cookie", "X-API-Key", "x-session"],
        ["max-age=60", "private, max-age=60", "public, max-age=60"])
    func `a response is only served with the same credentials`(
        name: String, control: String
    ) async throws {
        let store = MemoryStore()
        let loader = CachingLoader(Self.network(["Cache-Control": control]), store: store)
        for origin in [ResponseHead.Origin.network, .store] {
            for secret in ["secret-1", "secret-2", nil] {
                let response = try await loader.load(Self.request(name, secret))
                #expect(response.head.origin == origin)
                let text = String(decoding: try await response.body.collect(), as: UTF8.self)
                #expect(text == (secret ?? "") + "for everybody else")
            }
        }
        for entry in store.state.withLock({ Array($0.entries.values) }) {
            #expect(!entry.key.contains("secret"))
            #expect(!String(decoding: entry.metadata, as: UTF8.self).contains("secret"))
        }
    }

    @Test func `Vary applies within one user's responses`() async throws {
        let store = MemoryStore()
        let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Vary": "X-Session, Accept"]
        let loader = CachingLoader(Self.network(headers), store: store)
        for origin in [ResponseHead.Origin.network, .store] {
            for secret in ["secret-1", "secret-2"] {
                for accept in ["a", "b"] {
                    var request = Self.request("X-Session", secret)
                    request.headers["Accept"] = accept
                    let response = try await loader.load(request)
                    #expect(response.head.origin == origin)
                    _ = try await response.body.collect()
                }
            }
        }
        for entry in store.state.withLock({ Array($0.entries.values) }) {
            #expect(!entry.key.contains("secret"))
            #expect(!String(decoding: entry.metadata, as: UTF8.self).contains("secret"))
        }
    }

    @Test func `a partial download is not continued for another user`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        var first = rig.request()
        first.headers["Authorization"] = "one"
        var response: LoadResponse? = try await rig.loader.load(first)
        for _ in 0..<4 { _ = try await response?.body.next() }
        response = nil
        var second = rig.request()
        second.headers["Authorization"] = "two"
        #expect(try await rig.loader.load(second).head.origin == .network)
        #expect(try await rig.loader.load(first).head.origin == .resumed)
    }

    @Test func `a digest depends on the URL and the secrets`() {
        func digest(_ url: String, _ headers: HTTPHeaders) -> String? {
            LoadRequest(url: address(url), headers: headers)
                .credentialDigest(salt: CacheKey.of(address(url)))
        }
        let one = digest("http://a/", ["Authorization": "x"])
        #expect(one == digest("HTTP://A:80", ["authorization": "x", "Accept": "y"]))
        let others = [
            digest("http://b/", ["Authorization": "x"]), digest("http://a/", ["Cookie": "x"]),
            digest("http://a/", ["Authorization": "y"]), digest("http://a/", ["Accept": "x"]),
            digest("http://a/", ["Authorization": "x", "Cookie": ""]),
        ]
        #expect(!others.contains(one))
        #expect(Set(others).count == others.count)
        #expect(others[3] == nil)
    }

    static let shared: [(Bool, String, Bool)] = [
        (false, "max-age=5", true), (false, "", true), (false, "private", false),
        (false, "private=\"set-cookie\", max-age=5", false), (false, "no-store", false),
        (true, "max-age=5", false), (true, "", false), (true, "public", true),
        (true, "s-maxage=5", true), (true, "max-age=5, must-revalidate", true),
        (true, "public, private", false), (true, "public, no-store", false),
    ]

    @Test(arguments: shared) func `a shared cache keeps what RFC 9111, 3.5 allows`(
        credentials: Bool, control: String, isStorable: Bool
    ) async throws {
        let store = MemoryStore()
        let headers: HTTPHeaders = control.isEmpty ? [:] : ["Cache-Control": control]
        let loader = CachingLoader(Self.network(headers), store: store, isShared: true)
        for name in ["Authorization", "X-Session"] {
            let request = Self.request(name, credentials ? "x" : nil)
            _ = try await loader.load(request).body.collect()
            let isStored = store.state.withLock { !$0.entries.isEmpty }
            #expect(isStored == isStorable, "\(name)")
        }
    }

    @Test func `a user in the URL is a credential`() async throws {
        let store = MemoryStore()
        let loader = CachingLoader(
            Self.network(["Cache-Control": "max-age=60"]), store: store, isShared: true)
        let request = LoadRequest(url: address("http://me:secret@host/"))
        _ = try await loader.load(request).body.collect()
        #expect(store.state.withLock { $0.entries.isEmpty })
    }

    @Test(arguments: [
        ("max-age=5, s-maxage=100", 50, true), ("max-age=100, s-maxage=5", 50, false),
        ("s-maxage=100", 50, true), ("max-age=100", 50, true),
    ]) func `s-maxage counts in a shared cache`(
        control: String, age: Int, isFresh: Bool
    ) {
        let start = WallTime(seconds: 1_000_000)
        let response = StoredResponse(
            url: address("http://a/"), headers: ["Cache-Control": control], requestTime: start,
            responseTime: start)
        let decision = CacheDecision.decide(
            LoadRequest(url: address("http://a/")), stored: [response], isShared: true,
            now: start + .seconds(age))
        #expect(decision == (isFresh ? .serve(0, .fresh) : .load(staleOnError: nil)))
    }

    @Test(arguments: [
        ("https://a/x", "https://a/y", true), ("https://a/x", "https://A:443/y", true),
        ("https://a/x", "http://a/y", false), ("https://a/x", "https://a:444/y", false),
        ("https://a/x", "https://b.a/y", false),
    ]) func `header fields are not sent to another origin`(
        from: String, to: String, isSame: Bool
    ) {
        var request = LoadRequest(url: address(from))
        request.headers = [
            "Authorization": "1", "X-Own": "2", "Referer": "3", "Accept": "4", "range": "5",
        ]
        let names = request.moved(to: address(to)).headers.fields.map(\.name)
        #expect(names == (isSame ? request.headers.fields.map(\.name) : ["Accept", "range"]))
        request.secretHeaders = ["accept"]
        #expect(request.moved(to: address(to)).headers["Accept"] == (isSame ? "4" : nil))
    }
}
