import LazyBase
import LazyLoading
import Support
import Testing

@Suite struct CacheControlTests {
    static let ages: [(String, Int?)] = [
        ("max-age=60", 60), ("MAX-AGE=60", 60), ("max-age=\"60\"", 60), ("max-age = 60", 60),
        ("private, max-age=60", 60), (" ,, max-age=60 ,", 60), ("max-age=60, max-age=5", 60),
        ("max-age=1x, max-age=60", 0), ("max-age", 0), ("max-age=", 0), ("max-age=-1", 0),
        ("max-age=1.5", 0), ("max-age=1x", 0), ("max-age=99999999999999999999", 1 << 31),
        ("max-age=2147483649", 1 << 31), ("max-age=007", 7), ("s-maxage=60", nil), ("", nil),
        ("x=\"max-age=5\"", nil), ("x=\"a, max-age=5\"", nil), ("x=\"\\\", max-age=5\"", nil),
        ("no-cache=\"max-age=1, b\", max-age=9", 9), ("max-agex=4", nil),
    ]

    @Test(arguments: ages) func `all spellings of max-age are parsed`(text: String, age: Int?) {
        #expect(CacheControl(text).maxAge == age)
    }

    @Test func `directives are case-insensitive and span several fields`() {
        var headers: HTTPHeaders = ["Cache-Control": "No-Store, foo=bar"]
        headers.add("cache-control", "MUST-revalidate, Stale-While-Revalidate=30")
        let control = CacheControl(headers)
        #expect(control.isNoStore)
        #expect(control.isMustRevalidate)
        #expect(control.staleWhileRevalidate == 30)
        #expect(!control.isNoCache)
        #expect(control.contains("foo"))
    }

    static let maxStales: [(String, Int?)] = [
        ("max-stale", .max), ("max-stale=5", 5), ("max-stale=x", nil), ("", nil),
    ]

    @Test(arguments: maxStales) func `max-stale needs no number`(text: String, length: Int?) {
        #expect(CacheControl(text).maxStale == length)
    }

    @Test func `no text crashes the parsers`() {
        var random = SplitMix(11)
        let alphabet = Array("max-age=\"\\, ;no-cache09-W/*GMT:Sun Nov\u{e9}\u{0}")
        for _ in 0..<3000 {
            let text = String(
                (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                    alphabet.randomElement(using: &random) ?? "x"
                })
            let headers: HTTPHeaders = [
                "Cache-Control": text, "Vary": text, "ETag": text, "Date": text, "Age": text,
                "Expires": text, "Last-Modified": text,
            ]
            _ = CacheControl(headers).maxAge
            _ = Validator(headers).ifRange
            let instant = WallTime(seconds: 1_000_000_000)
            let response = StoredResponse(
                url: address("http://a/"), headers: headers, requestTime: instant,
                responseTime: instant)
            let freshness = Freshness(of: response, now: instant + .seconds(5))
            #expect(freshness.age >= .zero && freshness.lifetime >= .zero)
            _ = CacheDecision.decide(
                LoadRequest(url: address("http://a/"), headers: headers), stored: [response],
                now: instant)
        }
    }

    static let pragmas: [(HTTPHeaders, Bool)] = [
        (["Pragma": "no-cache"], true), (["Pragma": "NO-CACHE"], true), (["Pragma": "x"], false),
        (["Pragma": "no-cache", "Cache-Control": "max-age=5"], false),
        (["Cache-Control": "no-cache=\"Set-Cookie\""], true),
    ]

    @Test(arguments: pragmas) func `Pragma counts only without Cache-Control`(
        headers: HTTPHeaders, isNoCache: Bool
    ) {
        #expect(CacheControl(headers).isNoCache == isNoCache)
    }
}
