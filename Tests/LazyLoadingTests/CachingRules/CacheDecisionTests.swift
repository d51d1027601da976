import FoundationEssentials
import LazyBase
import LazyLoading
import Testing

@Suite struct CacheDecisionTests {
    private static let url = address("http://a/")
    private static let now = DecisionCase.stored

    @Test(arguments: decisionTable) func `decisions follow the RFC`(row: DecisionCase) {
        #expect(row.isRight, "wanted \(row.wanted), got \(row.decision)")
    }

    static let policies: [(FetchPolicy, [Int], CacheDecision)] = [
        (.normal, [], .load(staleOnError: nil)), (.normal, [5], .serve(0, .fresh)),
        (.normal, [500], .load(staleOnError: nil)),
        (.reload, [5], .load(staleOnError: nil)), (.noCache, [5], .load(staleOnError: nil)),
        (.cacheElseLoad, [], .load(staleOnError: nil)),
        (.cacheElseLoad, [500], .serve(0, .accepted)), (.cacheOnly, [], .unavailable),
        (.cacheOnly, [500], .serve(0, .accepted)), (.cacheOnly, [5], .serve(0, .accepted)),
        // Of several that match, the latest.
        (.normal, [9, 5, 8], .serve(1, .fresh)), (.cacheOnly, [9, 5, 8], .serve(1, .accepted)),
    ]

    @Test(arguments: policies) func `a policy overrides the rules`(
        policy: FetchPolicy, ages: [Int], wanted: CacheDecision
    ) {
        let stored = ages.map { age in
            StoredResponse(
                url: Self.url, headers: ["Cache-Control": "max-age=60"],
                requestTime: Self.now + .seconds(-age), responseTime: Self.now + .seconds(-age))
        }
        let request = LoadRequest(url: Self.url, policy: policy)
        #expect(CacheDecision.decide(request, stored: stored, now: Self.now) == wanted)
    }

    @Test(arguments: [
        ("max-age=60", 90, true), ("max-age=60", 91, false),
        ("max-age=60, stale-if-error=9", 70, false), ("max-age=60, must-revalidate", 70, false),
        ("s-maxage=60", 70, false), ("no-cache", 5, false),
    ]) func `a cache says how long it serves on errors where a server does not`(
        control: String, age: Int, isServed: Bool
    ) {
        let stored = StoredResponse(
            url: Self.url, headers: ["Cache-Control": control],
            requestTime: Self.now + .seconds(-age), responseTime: Self.now + .seconds(-age))
        let decision = CacheDecision.decide(
            LoadRequest(url: Self.url), stored: [stored], isShared: true, staleIfError: 30,
            now: Self.now)
        #expect(decision == .load(staleOnError: isServed ? 0 : nil))
    }

    @Test func `the response delay is part of the age`() {
        let response = StoredResponse(
            url: Self.url, headers: ["Age": "5"], requestTime: Self.now,
            responseTime: Self.now + .seconds(3))
        let age = Freshness(of: response, now: Self.now + .seconds(10)).age
        #expect(age == .seconds(5 + 3 + 7))
    }

    static let storable: [(String, HTTPHeaders, Int, HTTPHeaders, Bool)] = [
        ("GET", [:], 200, [:], true), ("POST", [:], 200, ["Cache-Control": "max-age=5"], false),
        ("GET", [:], 200, ["Cache-Control": "no-store"], false),
        ("GET", [:], 200, ["Cache-Control": "No-Store, max-age=5"], false),
        ("GET", [:], 200, ["Cache-Control": "no-store, must-understand"], true),
        ("GET", [:], 299, ["Cache-Control": "no-store, must-understand"], false),
        ("GET", ["Cache-Control": "no-store"], 200, [:], false),
        ("GET", [:], 200, ["Cache-Control": "no-cache"], true),
        ("GET", [:], 200, ["Cache-Control": "private"], true),
        ("GET", ["Authorization": "x"], 200, [:], true), ("GET", [:], 200, ["Vary": "*"], false),
        ("GET", [:], 200, ["Vary": "Accept"], true), ("GET", [:], 206, [:], false),
        ("GET", [:], 304, [:], false), ("GET", [:], 404, [:], true), ("GET", [:], 410, [:], true),
        ("GET", [:], 500, [:], false), ("GET", [:], 302, [:], false),
        ("GET", [:], 302, ["Cache-Control": "max-age=5"], true),
        ("GET", [:], 302, ["Expires": "0"], true), ("GET", [:], 100, [:], false),
    ]

    @Test(arguments: storable) func `storable responses are stored`(
        method: String, request: HTTPHeaders, status: Int, headers: HTTPHeaders, isStorable: Bool
    ) {
        #expect(
            Storability.isStorable(
                method: method, requestHeaders: request, status: status, headers: headers)
                == isStorable)
    }

    static let varying: [(String, HTTPHeaders, HTTPHeaders, Bool)] = [
        ("", ["Accept": "a"], ["Accept": "b"], true),
        ("Accept", ["Accept": "a"], ["Accept": "a"], true),
        ("Accept", ["accept": "a,b"], ["ACCEPT": "a , b"], true),
        ("Accept", ["Accept": "a"], ["Accept": "b"], false),
        ("Accept", ["Accept": "a"], [:], false), ("Accept", [:], [:], true),
        ("Accept, Cookie", ["Accept": "a"], ["Accept": "a", "Cookie": "c"], false),
        ("*", [:], [:], false),
    ]

    @Test(arguments: varying) func `a varying response matches equal fields`(
        vary: String, first: HTTPHeaders, second: HTTPHeaders, matches: Bool
    ) {
        let vary = Vary(["Vary": vary])
        #expect(vary.matches(second, vary.selection(of: first)) == matches)
    }

    static let ranges: [(HTTPHeaders, String?)] = [
        (["ETag": "\"a\""], "\"a\""), (["ETag": "W/\"a\""], nil), ([:], nil),
        (
            ["Last-Modified": "Sun, 06 Nov 1994 08:49:36 GMT", "Date": DecisionCase.date],
            "Sun, 06 Nov 1994 08:49:36 GMT"
        ),
        (["Last-Modified": DecisionCase.date, "Date": DecisionCase.date], nil),
        (["Last-Modified": DecisionCase.date], nil),
        (
            [
                "ETag": "W/\"a\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:36 GMT",
                "Date": DecisionCase.date,
            ], nil
        ),
    ]

    @Test(arguments: ranges) func `If-Range needs a strong validator`(
        headers: HTTPHeaders, value: String?
    ) {
        #expect(Validator(headers).ifRange == value)
    }

    @Test func `a 304 replaces fields except those of the body`() {
        var response = StoredResponse(
            url: Self.url,
            headers: [
                "ETag": "\"a\"", "Content-Length": "5", "Content-Type": "image/gif", "X": "old",
                "Y": "kept",
            ], requestTime: Self.now, responseTime: Self.now)
        let head = ResponseHead(
            url: Self.url, status: 304,
            headers: [
                "Content-Length": "0", "X": "new", "x": "newer", "Cache-Control": "max-age=5",
                "Connection": "close, Z", "Z": "hop", "Content-Type": "text/html",
            ], origin: .network)
        response.update(from: head, requestTime: Self.now, responseTime: Self.now + .seconds(9))
        #expect(response.headers["X"] == "new, newer")
        #expect(response.headers["Y"] == "kept")
        #expect(response.headers["Content-Length"] == "5")
        #expect(response.headers["Content-Type"] == "image/gif")
        #expect(response.headers["Cache-Control"] == "max-age=5")
        #expect(response.headers["Z"] == nil)
        #expect(response.headers["Connection"] == nil)
        #expect(response.responseTime == Self.now + .seconds(9))
    }
}
