import FoundationEssentials
import LazyBase
import LazyLoading
import Support
import Testing

@Suite struct CachingLoaderTests {
    private static let lost = LoadingError(.connect, "No connection.")

    @Test func `a second load of a fresh resource makes no request`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        #expect(try await rig.load().head.origin == .network)
        rig.clock.advance(by: .seconds(59))
        let second = try await rig.load()
        #expect(second.head.origin == .store)
        #expect(second.bytes == rig.body)
        #expect(second.head.headers["Age"] == "59")
        #expect(rig.network.requests.count == 1)
        #expect(rig.store.appended == rig.body.count)
    }

    @Test func `a stale resource costs a single conditional request`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        try await rig.load()
        rig.clock.advance(by: .seconds(61))
        let second = try await rig.load()
        #expect(second.head.origin == .revalidated)
        #expect(second.bytes == rig.body)
        #expect(rig.network.requests.map { $0.headers["If-None-Match"] } == [nil, "\"v1\""])
        // The 304 has made it fresh again.
        rig.clock.advance(by: .seconds(59))
        #expect(try await rig.load().head.origin == .store)
        #expect(rig.network.requests.count == 2)
    }

    @Test func `a changed resource is loaded again`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        try await rig.load()
        rig.clock.advance(by: .seconds(61))
        rig.origin.change {
            $0.version = 2
            $0.body = [1, 2, 3]
        }
        #expect(try await rig.load().bytes == [1, 2, 3])
        let third = try await rig.load()
        #expect(third.bytes == [1, 2, 3])
        #expect(third.head.origin == .store)
        #expect(rig.network.requests.count == 2)
    }

    enum Stored: String, CaseIterable { case nothing, fresh, stale }
    enum Wanted { case network, store, revalidated, error(LoadingError.Code) }

    static let policies: [(FetchPolicy, Stored, Bool, Wanted)] = [
        (.normal, .nothing, true, .network), (.normal, .fresh, true, .store),
        (.normal, .stale, true, .revalidated), (.normal, .nothing, false, .error(.connect)),
        (.normal, .fresh, false, .store), (.normal, .stale, false, .error(.connect)),
        (.reload, .nothing, true, .network), (.reload, .fresh, true, .network),
        (.reload, .stale, true, .network), (.reload, .fresh, false, .error(.connect)),
        (.reload, .stale, false, .error(.connect)),
        (.cacheElseLoad, .nothing, true, .network), (.cacheElseLoad, .fresh, true, .store),
        (.cacheElseLoad, .stale, true, .store), (.cacheElseLoad, .stale, false, .store),
        (.cacheElseLoad, .nothing, false, .error(.connect)),
        (.cacheOnly, .nothing, true, .error(.notCached)), (.cacheOnly, .fresh, true, .store),
        (.cacheOnly, .stale, true, .store), (.cacheOnly, .fresh, false, .store),
        (.cacheOnly, .stale, false, .store),
        (.noCache, .nothing, true, .network), (.noCache, .fresh, true, .network),
        (.noCache, .stale, true, .network), (.noCache, .fresh, false, .error(.connect)),
    ]

    @Test(arguments: policies) func `each policy is respected`(
        policy: FetchPolicy, stored: Stored, isConnected: Bool, wanted: Wanted
    ) async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        if stored != .nothing { try await rig.load() }
        if stored == .stale { rig.clock.advance(by: .seconds(100)) }
        if !isConnected { rig.origin.change { $0.failure = Self.lost } }
        let before = (rig.network.requests.count, rig.store.appended)
        let error = await failure { try await rig.load(policy) }
        switch wanted {
        case .error(let code):
            #expect(error?.code == code)
            #expect(policy != .cacheOnly || rig.network.requests.count == before.0)
            return
        case .network, .revalidated: #expect(rig.network.requests.count == before.0 + 1)
        case .store: #expect(rig.network.requests.count == before.0)
        }
        #expect(error == nil)
        let isWritten = rig.store.appended > before.1
        if case .network = wanted {
            #expect(isWritten == (policy != .noCache))
        } else {
            #expect(!isWritten)
        }
        let question = rig.network.requests.last?.headers["Cache-Control"]
        #expect(policy != .reload || question == "no-cache")
    }

    @Test func `a reload replaces the stored response`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        try await rig.load()
        rig.origin.change { $0.body = [7] }
        #expect(try await rig.load(.reload).bytes == [7])
        #expect(try await rig.load().bytes == [7])
        #expect(rig.network.requests.count == 2)
    }

    @Test func `no-store of either side stores nothing`() async throws {
        let answer = CachingRig(["Cache-Control": "no-store"])
        let response = try await answer.loader.load(answer.request())
        #expect(response.body.stored == nil)
        #expect(try await response.body.collect() == answer.body)
        #expect(answer.store.keys.isEmpty)
        let request = CachingRig(["Cache-Control": "max-age=60"])
        try await request.load(.normal, ["Cache-Control": "no-store"])
        #expect(request.store.keys.isEmpty)
        #expect(request.store.appended == 0)
    }

    @Test func `stale-while-revalidate serves at once and validates once`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60, stale-while-revalidate=60"])
        try await rig.load()
        rig.clock.advance(by: .seconds(61))
        rig.origin.change {
            $0.version = 2
            $0.body = [1, 2, 3]
        }
        for _ in 0..<3 {
            let response = try await rig.loader.load(rig.request())
            if rig.network.requests.count == 1 { #expect(response.head.origin == .stale) }
        }
        await rig.loader.waitForRevalidations()
        #expect(rig.network.requests.count == 2)
        #expect(try await rig.load().bytes == [1, 2, 3])
        #expect(rig.network.requests.count == 2)
    }

    @Test func `background validation ends with its loader`() async throws {
        let gate = Gate()
        let clock = ManualClock()
        let isSecond = Locked(false)
        let network = ScriptedLoader { request in
            let head = ResponseHead(
                url: request.url,
                headers: [
                    "Cache-Control": "max-age=1, stale-while-revalidate=99", "ETag": "\"a\"",
                ], expectedCount: 1, origin: .network)
            let isFirst = isSecond.withLock { second in
                defer { second = true }
                return !second
            }
            return .init([[1]], head: head) { _ in if !isFirst { await gate.wait() } }
        }
        var loader: CachingLoader? = CachingLoader(
            network, store: MemoryStore(), clocks: clock.clocks)
        let request = LoadRequest(url: address("http://h/"))
        _ = try await loader?.load(request).body.collect()
        clock.advance(by: .seconds(5))
        #expect(try await loader?.load(request).head.origin == .stale)
        await gate.waitForArrival()
        loader = nil
        await gate.waitForCancellation()
    }

    static let errors: [(LoadingError, Bool)] = [
        (lost, true), (LoadingError(.status, "Busy.", status: 503), true),
        (LoadingError(.timeout, "Slow."), true),
        (LoadingError(.status, "Gone.", status: 404), false),
        (LoadingError(.tls, "Bad certificate."), false), (.cancelled, false),
    ]

    @Test(arguments: errors) func `stale-if-error applies to transient errors`(
        error: LoadingError, isServed: Bool
    ) async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60, stale-if-error=60"])
        try await rig.load()
        rig.clock.advance(by: .seconds(100))
        rig.origin.change { $0.failure = error }
        if isServed {
            let answer = try await rig.load()
            #expect(answer.head.origin == .stale)
            #expect(answer.bytes == rig.body)
        } else {
            #expect(await failure { try await rig.load() }?.code == error.code)
        }
        rig.clock.advance(by: .seconds(30))
        #expect(await failure { try await rig.load() }?.code == error.code)
    }

    @Test func `a full store never fails a load`() async throws {
        for capacity in [0, 500, 4_500] {
            let rig = CachingRig(["Cache-Control": "max-age=60"])
            rig.store.state.withLock { $0.capacity = capacity }
            let response = try await rig.loader.load(rig.request())
            // Who has asked for the stored bytes finds them, wherever they are now.
            #expect(response.body.stored?.count == 0)
            #expect(try await response.body.collect() == rig.body)
            #expect(try response.body.stored?.bytes() == rig.body)
            #expect(rig.store.keys.isEmpty)
            #expect(try await rig.load().bytes == rig.body)
        }
    }

    @Test func `an oversized entry is passed on and not stored`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        rig.store.state.withLock { $0.entryLimit = 100 }
        let response = try await rig.loader.load(rig.request())
        #expect(try await response.body.collect() == rig.body)
        #expect(try response.body.stored?.bytes() == rig.body)
        #expect(rig.store.keys.isEmpty)
    }

    @Test func `a failing store is ignored`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60", "Vary": "Accept"])
        for isBroken in [true, false, true] {
            rig.store.state.withLock { $0.isBroken = isBroken }
            let answer = try await rig.load()
            #expect(answer.bytes == rig.body)
            #expect(answer.head.origin == .network)
        }
        #expect(await failure { try await rig.load(.cacheOnly) }?.code == .notCached)
        rig.store.state.withLock { $0.isBroken = false }
        #expect(try await rig.load().head.origin == .store)
    }

    @Test func `damaged entries are loaded again`() async throws {
        for good in [0, 100] {
            let rig = CachingRig(["Cache-Control": "max-age=60"])
            try await rig.load()
            rig.store.state.withLock { state in
                for (key, entry) in state.entries {
                    let body = Blob(DamagedBytes(count: 10_000, good: good))
                    state.entries[key] = StoredEntry(
                        key: key, metadata: entry.metadata, body: body, storedAt: entry.storedAt)
                }
            }
            #expect(await failure { try await rig.load(.cacheOnly) }?.code == .notCached)
            #expect(try await rig.load().bytes == rig.body)
            #expect(try await rig.load().head.origin == .store)
            #expect(rig.network.requests.count == 2)
        }
    }

    @Test func `unknown metadata is ignored`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        try rig.store.store(Blob([1]), metadata: [9, 9], for: "http://host/a.gif")
        #expect(try await rig.load().bytes == rig.body)
    }

    @Test func `variants are stored separately`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60", "Vary": "Accept, X"])
        rig.origin.change {
            $0.edit = { answer, request in
                answer.pieces = [Array((request.headers["Accept"] ?? "none").utf8)]
                answer.head?.expectedCount = answer.pieces[0].count
            }
        }
        for _ in 0..<2 {
            for accept in ["image/gif", "image/webp", "a , b"] {
                let answer = try await rig.load(.normal, ["Accept": accept])
                #expect(String(decoding: answer.bytes, as: UTF8.self) == accept)
            }
            #expect(try await rig.load().bytes == Array("none".utf8))
        }
        #expect(rig.network.requests.count == 4)
        #expect(try await rig.load(.normal, ["Accept": "a,b"]).head.origin == .store)
    }

    @Test func `the URL after redirects is stored`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        let other = try #require(URL(string: "http://other/b.gif"))
        rig.origin.change { $0.edit = { answer, _ in answer.head?.url = other } }
        #expect(try await rig.load().head.url == other)
        let second = try await rig.load()
        #expect(second.head.url == other)
        #expect(second.head.origin == .store)
        #expect(rig.store.keys == ["http://host/a.gif"])
    }

    @Test func `a decoded content coding is not stored`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60", "Content-Encoding": "gzip"])
        rig.origin.change { $0.edit = { answer, _ in answer.head?.expectedCount = nil } }
        try await rig.load()
        let second = try await rig.load()
        #expect(second.head.origin == .store)
        #expect(second.head.headers["Content-Encoding"] == nil)
        #expect(second.head.expectedCount == rig.body.count)
        #expect(second.bytes == rig.body)
    }

    @Test func `a range is served from a fresh whole response, else requested`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        var request = rig.request()
        request.range = .bytes(5_000..<5_010)
        let first = try await rig.loader.load(request)
        #expect(try await first.body.collect() == Array(rig.body[5_000..<5_010]))
        #expect(rig.store.keys.isEmpty)
        try await rig.load()
        let second = try await rig.loader.load(request)
        #expect(second.head.status == 206)
        #expect(second.head.origin == .store)
        #expect(second.head.contentRange?.whole == rig.body.count)
        #expect(try await second.body.collect() == Array(rig.body[5_000..<5_010]))
        #expect(rig.network.requests.count == 2)
    }

    @Test func `two concurrent loads both succeed`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        async let first = rig.load()
        async let second = rig.load()
        #expect(try await first.bytes == rig.body)
        #expect(try await second.bytes == rig.body)
        #expect(try await rig.load().head.origin == .store)
        #expect(rig.store.liveWriters == 0)
    }

    @Test func `requests with own conditions and other schemes bypass the cache`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        try await rig.load()
        let response = try await rig.loader.load(
            rig.request(.normal, ["If-None-Match": "\"v1\""]))
        #expect(response.head.status == 304)
        #expect(rig.network.requests.count == 2)
    }

    @Test func `stored bytes beyond the request's limit are refused`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        try await rig.load()
        var request = rig.request()
        request.maximumBytes = 100
        #expect(await failure { try await rig.loader.load(request) }?.code == .tooLarge)
    }

    @Test(arguments: [
        ("HTTP://Host:80", "http://host/"), ("http://h/a#b", "http://h/a"),
        ("https://h:443/a?b=C%20d", "https://h/a?b=C%20d"), ("http://h:8080/", "http://h:8080/"),
        ("http://h?q", "http://h/?q"),
        ("https://h:80/", "https://h:80/"), ("http://[::1]:80/A", "http://[::1]/A"),
    ]) func `equivalent URLs have one key`(text: String, key: String) throws {
        #expect(CacheKey.of(try #require(URL(string: text))) == key)
    }

    @Test func `a record survives a round trip, and damage does not crash`() {
        let response = StoredResponse(
            url: address("http://a/b?c"), headers: ["A": "b", "C": ""],
            selectingHeaders: ["accept": "x"], requestTime: WallTime(seconds: -5),
            responseTime: WallTime(milliseconds: 12_345), wholeCount: 7, isIdentityCoded: false)
        let record = CacheRecord(response: response, variants: [["accept", "x"], []])
        let metadata = record.metadata
        #expect(CacheRecord(metadata: metadata) == record)
        for count in 0..<metadata.count {
            #expect(CacheRecord(metadata: Array(metadata.prefix(count))) == nil)
        }
        var random = SplitMix(3)
        for _ in 0..<5000 {
            var damaged = metadata
            damaged[.random(in: 0..<damaged.count, using: &random)] = .random(
                in: 0...255, using: &random)
            _ = CacheRecord(metadata: damaged)
        }
    }

    @Test(arguments: [true, false], [[], ["a"]])
    func `a record says whether a response came from a private network`(
        isPrivate: Bool, identifiers: [String]
    ) {
        var response = StoredResponse(
            url: address("http://a/b"), headers: [:], requestTime: WallTime(seconds: 0),
            responseTime: WallTime(seconds: 0))
        response.isPrivate = isPrivate
        let record = CacheRecord(response: response, identifiers: identifiers)
        #expect(CacheRecord(metadata: record.metadata) == record)
        // One that is validated by a public server is no longer private.
        var head = ResponseHead(url: response.url, status: 304, origin: .network)
        response.update(
            from: head, requestTime: response.requestTime, responseTime: response.responseTime)
        #expect(!response.isPrivate)
        response.isPrivate = isPrivate
        head.isPrivate = true
        response.update(
            from: head, requestTime: response.requestTime, responseTime: response.responseTime)
        #expect(response.isPrivate == isPrivate)
    }

    @Test func `keys of users differ and do not reveal them`() throws {
        func key(_ text: String) throws -> String {
            CacheKey.of(try #require(URL(string: text)))
        }
        let one = try key("http://u:secret@H/a")
        let others = try [key("http://u:other@h/a"), key("http://h/a")]
        #expect(try key("HTTP://u:secret@h:80/a") == one)
        #expect(!others.contains(one))
        #expect(!one.contains("secret") && one.hasSuffix("@h/a"))
        // What a listing shows names the same entry.
        #expect(try key(one) == one)
    }

    @Test func `credentials are not stored`() async throws {
        let origin = Origin(
            [1, 2, 3],
            headers: [
                "Cache-Control": "max-age=60", "Vary": "Authorization, Cookie, Accept",
                "Set-Cookie": "session=secret-1",
            ], wall: { .now })
        let network = ScriptedLoader { origin.answer(to: $0) }
        let store = MemoryStore()
        let loader = CachingLoader(network, store: store)
        var request = LoadRequest(url: address("http://me:secret-2@host/a"))
        request.headers = ["Authorization": "secret-3", "Cookie": "secret-4", "Accept": "x"]
        let first = try await loader.load(request)
        #expect(first.head.headers["Set-Cookie"] == "session=secret-1")
        _ = try await first.body.collect()
        let second = try await loader.load(request)
        #expect(second.head.origin == .store)
        #expect(second.head.url == request.url)
        for entry in store.state.withLock({ Array($0.entries.values) }) {
            #expect(!entry.key.contains("secret"))
            #expect(!String(decoding: entry.metadata, as: UTF8.self).contains("secret"))
        }
        request.headers["Authorization"] = "secret-5"
        #expect(try await loader.load(request).head.origin == .network)
        request.policy = .cacheOnly
        request.url = address("http://me:secret-2@host/b")
        let error = await failure { try await loader.load(request) }
        #expect(error?.code == .notCached && error?.message.contains("secret") == false)
    }

    @Test func `a whole response to a range request is stored`() async throws {
        let rig = CachingRig(["Cache-Control": "max-age=60"])
        rig.origin.change { $0.hasRanges = false }
        var request = rig.request()
        request.range = .bytes(0..<100)
        let answer = try await rig.loader.load(request)
        #expect(answer.head.status == 200)
        #expect(try await answer.body.collect() == rig.body)
        #expect(try await rig.load().head.origin == .store)
        #expect(rig.network.requests.count == 1)
    }
}
