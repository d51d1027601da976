import FoundationEssentials
import LazyBase
import LazyLoading
import Testing

/// A case of the RFC: a stored response of an age, a request, and the decision.
struct DecisionCase: CustomTestStringConvertible, Sendable {
    enum Wanted: Sendable {
        case fresh, accepted, whileRevalidating, load, loadOrStale, unavailable
        case ask(HTTPHeaders)
        case askOrStale
    }
    let answer: HTTPHeaders
    let seconds: Int
    let request: HTTPHeaders
    let wanted: Wanted
    let line: Int

    /// Makes a case of a response of an age in seconds; adds a missing `Date`.
    init(
        _ answer: HTTPHeaders, after seconds: Int, request: HTTPHeaders = [:], _ wanted: Wanted,
        line: Int = #line
    ) {
        self.answer = answer
        self.seconds = seconds
        self.request = request
        self.wanted = wanted
        self.line = line
    }

    var testDescription: String { "line \(line)" }

    static let stored = WallTime(seconds: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT
    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    var decision: CacheDecision {
        var headers = answer
        if headers["Date"] == nil { headers["Date"] = Self.date }
        if headers["Date"] == "none" { headers["Date"] = nil }
        let url = address("http://a/")
        let response = StoredResponse(
            url: url, headers: headers, requestTime: Self.stored, responseTime: Self.stored)
        return .decide(
            LoadRequest(url: url, headers: request), stored: [response],
            now: Self.stored + .seconds(seconds))
    }

    var isRight: Bool {
        switch (decision, wanted) {
        case (.serve(0, .fresh), .fresh), (.serve(0, .accepted), .accepted),
            (.serve(0, .whileRevalidating), .whileRevalidating),
            (.load(nil), .load), (.load(0), .loadOrStale), (.unavailable, .unavailable),
            (.revalidate(0, _, true), .askOrStale):
            true
        case (.revalidate(0, let conditions, false), .ask(let expected)): conditions == expected
        default: false
        }
    }
}

let tag: HTTPHeaders = ["If-None-Match": "\"a\""]

/// RFC 9111, RFC 5861 and RFC 8246, case by case.
let decisionTable: [DecisionCase] = [
    // 4.2.1: max-age.
    .init(["Cache-Control": "max-age=60"], after: 0, .fresh),
    .init(["Cache-Control": "max-age=60"], after: 59, .fresh),
    .init(["Cache-Control": "max-age=60"], after: 60, .load),
    .init(["Cache-Control": "max-age=60"], after: 100_000, .load),
    .init(["Cache-Control": "max-age=60", "ETag": "\"a\""], after: 59, .fresh),
    .init(["Cache-Control": "max-age=60", "ETag": "\"a\""], after: 60, .ask(tag)),
    .init(["Cache-Control": "max-age=0", "ETag": "\"a\""], after: 0, .ask(tag)),
    .init(["Cache-Control": "max-age=x", "ETag": "\"a\""], after: 0, .ask(tag)),
    .init(["Cache-Control": "max-age=-5", "ETag": "\"a\""], after: 0, .ask(tag)),
    .init(["Cache-Control": "max-age", "ETag": "\"a\""], after: 0, .ask(tag)),
    .init(["Cache-Control": "max-age=\"60\""], after: 59, .fresh),
    .init(["Cache-Control": "max-age=60, max-age=0"], after: 59, .fresh),
    .init(["Cache-Control": "max-age=0, max-age=60", "ETag": "\"a\""], after: 1, .ask(tag)),
    .init(["Cache-Control": "max-age=99999999999999999999"], after: 1 << 30, .fresh),
    .init(["Cache-Control": "foo=1, max-age=60, bar"], after: 59, .fresh),
    .init(["Cache-Control": "private, max-age=60"], after: 59, .fresh),
    .init(["Cache-Control": "public, max-age=60"], after: 59, .fresh),
    .init(["Cache-Control": "private=\"Set-Cookie\", max-age=60"], after: 59, .fresh),
    // 5.2.2.10, 5.2.2.8: what is for shared caches means nothing here.
    .init(["Cache-Control": "s-maxage=0, max-age=60"], after: 59, .fresh),
    .init(["Cache-Control": "s-maxage=600, max-age=60", "ETag": "\"a\""], after: 61, .ask(tag)),
    .init(["Cache-Control": "s-maxage=600", "ETag": "\"a\""], after: 1, .ask(tag)),
    .init(["Cache-Control": "max-age=60, proxy-revalidate"], after: 59, .fresh),
    .init(
        ["Cache-Control": "max-age=60, proxy-revalidate"], after: 61,
        request: ["Cache-Control": "max-stale"], .accepted),
    // 5.3: Expires.
    .init(["Expires": "Sun, 06 Nov 1994 08:50:37 GMT"], after: 59, .fresh),
    .init(["Expires": "Sun, 06 Nov 1994 08:50:37 GMT"], after: 60, .load),
    .init(["Expires": "Sunday, 06-Nov-94 08:50:37 GMT"], after: 59, .fresh),
    .init(["Expires": "Sun Nov  6 08:50:37 1994"], after: 59, .fresh),
    .init(["Expires": "0", "ETag": "\"a\""], after: 0, .ask(tag)),
    .init(["Expires": "-1", "ETag": "\"a\""], after: 0, .ask(tag)),
    .init(["Expires": "", "ETag": "\"a\""], after: 0, .ask(tag)),
    .init(["Expires": "tomorrow", "ETag": "\"a\""], after: 0, .ask(tag)),
    .init(["Expires": DecisionCase.date, "ETag": "\"a\""], after: 0, .ask(tag)),
    .init(["Expires": "Sat, 05 Nov 1994 08:49:37 GMT", "ETag": "\"a\""], after: 0, .ask(tag)),
    .init(["Expires": "0", "Cache-Control": "max-age=60"], after: 59, .fresh),
    .init(
        [
            "Expires": "Sun, 06 Nov 1994 09:49:37 GMT", "Cache-Control": "max-age=60",
            "ETag": "\"a\"",
        ], after: 61, .ask(tag)),
    .init(
        ["Expires": "Sun, 06 Nov 1994 08:50:37 GMT", "Date": "none"], after: 59, .fresh),
    // The server's clock is an hour behind: Expires is relative to Date.
    .init(
        ["Date": "Sun, 06 Nov 1994 07:49:37 GMT", "Expires": "Sun, 06 Nov 1994 09:49:37 GMT"],
        after: 10, .fresh),
    .init(
        ["Date": "Sun, 06 Nov 1994 07:49:37 GMT", "Expires": "Sun, 06 Nov 1994 08:49:30 GMT"],
        after: 0, .load),
    // 4.2.2: heuristics, a tenth of the time since the last change, a day at most.
    .init(["Last-Modified": "Sun, 06 Nov 1994 08:32:57 GMT"], after: 99, .fresh),
    .init(
        ["Last-Modified": "Sun, 06 Nov 1994 08:32:57 GMT"], after: 101,
        .ask(["If-Modified-Since": "Sun, 06 Nov 1994 08:32:57 GMT"])),
    .init(["Last-Modified": "Sat, 06 Nov 1993 08:49:37 GMT"], after: 86_399, .fresh),
    .init(
        ["Last-Modified": "Sat, 06 Nov 1993 08:49:37 GMT"], after: 86_400,
        .ask(["If-Modified-Since": "Sat, 06 Nov 1993 08:49:37 GMT"])),
    .init(
        ["Last-Modified": "Mon, 07 Nov 1994 08:49:37 GMT"], after: 0,
        .ask(["If-Modified-Since": "Mon, 07 Nov 1994 08:49:37 GMT"])),
    .init(["Last-Modified": "long ago"], after: 0, .ask(["If-Modified-Since": "long ago"])),
    .init([:], after: 0, .load),
    .init(["ETag": "\"a\""], after: 0, .ask(tag)),
    .init(
        ["Last-Modified": "Sun, 06 Nov 1994 08:32:57 GMT", "Cache-Control": "max-age=5"],
        after: 6, .ask(["If-Modified-Since": "Sun, 06 Nov 1994 08:32:57 GMT"])),
    .init(
        ["Last-Modified": "Sat, 06 Nov 1993 08:49:37 GMT", "Expires": "0"], after: 0,
        .ask(["If-Modified-Since": "Sat, 06 Nov 1993 08:49:37 GMT"])),
    // 4.2.3, 5.1: Age.
    .init(["Cache-Control": "max-age=60", "Age": "30"], after: 29, .fresh),
    .init(["Cache-Control": "max-age=60", "Age": "30"], after: 30, .load),
    .init(["Cache-Control": "max-age=60", "Age": "60"], after: 0, .load),
    .init(["Cache-Control": "max-age=60", "Age": "-30"], after: 59, .fresh),
    .init(["Cache-Control": "max-age=60", "Age": "x"], after: 59, .fresh),
    .init(["Cache-Control": "max-age=60", "Age": "30, 5"], after: 30, .load),
    .init(["Cache-Control": "max-age=60", "Age": "99999999999999999999"], after: 0, .load),
    .init(
        ["Cache-Control": "max-age=60", "Date": "Sun, 06 Nov 1994 08:49:07 GMT"], after: 29,
        .fresh),
    .init(
        ["Cache-Control": "max-age=60", "Date": "Sun, 06 Nov 1994 08:49:07 GMT"], after: 30,
        .load),
    .init(
        ["Cache-Control": "max-age=60", "Date": "Sun, 06 Nov 1994 08:49:07 GMT", "Age": "10"],
        after: 29, .fresh),
    .init(
        ["Cache-Control": "max-age=60", "Date": "Sun, 06 Nov 1994 09:49:07 GMT"], after: 59,
        .fresh),
    .init(["Cache-Control": "max-age=60", "Date": "none"], after: 59, .fresh),
    .init(["Cache-Control": "max-age=60", "Date": "garbage"], after: 59, .fresh),
    // Our clock was set back.
    .init(["Cache-Control": "max-age=60"], after: -3600, .fresh),
    // 5.2.2.4: no-cache.
    .init(["Cache-Control": "no-cache", "ETag": "\"a\""], after: 0, .ask(tag)),
    .init(["Cache-Control": "no-cache, max-age=60", "ETag": "\"a\""], after: 0, .ask(tag)),
    .init(["Cache-Control": "no-cache"], after: 0, .load),
    .init(
        ["Cache-Control": "no-cache=\"Set-Cookie\", max-age=60", "ETag": "\"a\""], after: 0,
        .ask(tag)),
    .init(
        ["Cache-Control": "no-cache, stale-while-revalidate=60", "ETag": "\"a\""], after: 1,
        .ask(tag)),
    .init(
        ["Cache-Control": "no-cache, stale-if-error=60", "ETag": "\"a\""], after: 1, .ask(tag)),
    .init(
        ["Cache-Control": "no-cache", "ETag": "\"a\""], after: 1,
        request: ["Cache-Control": "max-stale"], .ask(tag)),
    .init(["Pragma": "no-cache", "ETag": "\"a\""], after: 0, .ask(tag)),
    .init(["Pragma": "no-cache", "Cache-Control": "max-age=60"], after: 0, .fresh),
    // 5.2.2.2: must-revalidate.
    .init(["Cache-Control": "max-age=60, must-revalidate"], after: 59, .fresh),
    .init(
        ["Cache-Control": "max-age=60, must-revalidate", "ETag": "\"a\""], after: 61, .ask(tag)),
    .init(
        ["Cache-Control": "max-age=60, must-revalidate", "ETag": "\"a\""], after: 61,
        request: ["Cache-Control": "max-stale=100"], .ask(tag)),
    .init(
        ["Cache-Control": "max-age=60, must-revalidate, stale-if-error=99", "ETag": "\"a\""],
        after: 61, .ask(tag)),
    .init(
        [
            "Cache-Control": "max-age=60, must-revalidate, stale-while-revalidate=99",
            "ETag": "\"a\"",
        ], after: 61, .ask(tag)),
    // RFC 5861, 3: stale-while-revalidate.
    .init(["Cache-Control": "max-age=60, stale-while-revalidate=30"], after: 59, .fresh),
    .init(
        ["Cache-Control": "max-age=60, stale-while-revalidate=30"], after: 60, .whileRevalidating),
    .init(
        ["Cache-Control": "max-age=60, stale-while-revalidate=30"], after: 90, .whileRevalidating),
    .init(["Cache-Control": "max-age=60, stale-while-revalidate=30"], after: 91, .load),
    .init(
        ["Cache-Control": "max-age=60, stale-while-revalidate=x", "ETag": "\"a\""], after: 61,
        .ask(tag)),
    .init(
        ["Cache-Control": "max-age=60, stale-while-revalidate", "ETag": "\"a\""], after: 61,
        .ask(tag)),
    .init(
        ["Cache-Control": "max-age=60, stale-while-revalidate=30"], after: 61,
        request: ["Cache-Control": "only-if-cached"], .accepted),
    .init(
        ["Cache-Control": "max-age=60, stale-while-revalidate=30", "ETag": "\"a\""], after: 61,
        request: ["Cache-Control": "max-age=30"], .ask(tag)),
    .init(
        ["Cache-Control": "max-age=60, stale-while-revalidate=30", "ETag": "\"a\""], after: 61,
        request: ["Cache-Control": "no-cache"], .ask(tag)),
    // RFC 5861, 4: stale-if-error.
    .init(
        ["Cache-Control": "max-age=60, stale-if-error=30", "ETag": "\"a\""], after: 90,
        .askOrStale),
    .init(
        ["Cache-Control": "max-age=60, stale-if-error=30", "ETag": "\"a\""], after: 91, .ask(tag)),
    .init(["Cache-Control": "max-age=60, stale-if-error=30"], after: 90, .loadOrStale),
    .init(
        ["Cache-Control": "max-age=60", "ETag": "\"a\""], after: 90,
        request: ["Cache-Control": "stale-if-error=30"], .askOrStale),
    .init(
        ["Cache-Control": "max-age=60, stale-if-error=30", "ETag": "\"a\""], after: 5,
        request: ["Cache-Control": "max-age=1"], .askOrStale),
    .init(
        ["Cache-Control": "max-age=60, stale-if-error=30", "ETag": "\"a\""], after: 5,
        request: ["Cache-Control": "no-cache"], .ask(tag)),
    // RFC 8246: immutable.
    .init(
        ["Cache-Control": "max-age=60, immutable"], after: 30,
        request: ["Cache-Control": "max-age=0"], .fresh),
    .init(
        ["Cache-Control": "max-age=60, immutable", "ETag": "\"a\""], after: 61, .ask(tag)),
    .init(
        ["Cache-Control": "max-age=60, immutable", "ETag": "\"a\""], after: 30,
        request: ["Cache-Control": "no-cache"], .ask(tag)),
    // 5.2.1.1: max-age of the request.
    .init(
        ["Cache-Control": "max-age=60"], after: 10, request: ["Cache-Control": "max-age=10"],
        .fresh),
    .init(
        ["Cache-Control": "max-age=60", "ETag": "\"a\""], after: 11,
        request: ["Cache-Control": "max-age=10"], .ask(tag)),
    .init(
        ["Cache-Control": "max-age=60", "ETag": "\"a\""], after: 1,
        request: ["Cache-Control": "max-age=0"], .ask(tag)),
    .init(
        ["Cache-Control": "max-age=60", "ETag": "\"a\""], after: 1,
        request: ["Cache-Control": "max-age=x"], .ask(tag)),
    .init(
        ["Cache-Control": "max-age=60", "ETag": "\"a\""], after: 70,
        request: ["Cache-Control": "max-age=600"], .ask(tag)),
    // 5.2.1.2: max-stale.
    .init(
        ["Cache-Control": "max-age=60"], after: 90, request: ["Cache-Control": "max-stale=30"],
        .accepted),
    .init(
        ["Cache-Control": "max-age=60"], after: 91, request: ["Cache-Control": "max-stale=30"],
        .load),
    .init(
        ["Cache-Control": "max-age=60"], after: 9999, request: ["Cache-Control": "max-stale"],
        .accepted),
    .init(
        ["Cache-Control": "max-age=60"], after: 59, request: ["Cache-Control": "max-stale=30"],
        .fresh),
    .init([:], after: 5, request: ["Cache-Control": "max-stale=30"], .accepted),
    .init(
        ["Cache-Control": "max-age=60", "ETag": "\"a\""], after: 61,
        request: ["Cache-Control": "max-stale=x"], .ask(tag)),
    .init(
        ["Cache-Control": "max-age=60"], after: 85,
        request: ["Cache-Control": "max-age=60, max-stale=30"], .accepted),
    // 5.2.1.3: min-fresh.
    .init(
        ["Cache-Control": "max-age=60"], after: 30, request: ["Cache-Control": "min-fresh=30"],
        .fresh),
    .init(
        ["Cache-Control": "max-age=60"], after: 31, request: ["Cache-Control": "min-fresh=30"],
        .load),
    .init(
        ["Cache-Control": "max-age=60"], after: 0, request: ["Cache-Control": "min-fresh=61"],
        .load),
    .init(
        ["Cache-Control": "max-age=60"], after: 31, request: ["Cache-Control": "min-fresh=x"],
        .fresh),
    .init(
        ["Cache-Control": "max-age=60, stale-while-revalidate=60"], after: 61,
        request: ["Cache-Control": "min-fresh=1"], .load),
    // 5.2.1.4, 5.4: no-cache of the request.
    .init(
        ["Cache-Control": "max-age=60", "ETag": "\"a\""], after: 0,
        request: ["Cache-Control": "no-cache"], .ask(tag)),
    .init(
        ["Cache-Control": "max-age=60"], after: 0, request: ["Cache-Control": "no-cache"], .load),
    .init(
        ["Cache-Control": "max-age=60", "ETag": "\"a\""], after: 0,
        request: ["Pragma": "no-cache"], .ask(tag)),
    .init(
        ["Cache-Control": "max-age=60"], after: 0,
        request: ["Pragma": "no-cache", "Cache-Control": "max-age=600"], .fresh),
    // 5.2.1.5: no-store of the request.
    .init(
        ["Cache-Control": "max-age=60"], after: 0, request: ["Cache-Control": "no-store"], .load),
    // 5.2.1.7: only-if-cached.
    .init(
        ["Cache-Control": "max-age=60"], after: 0,
        request: ["Cache-Control": "only-if-cached"], .fresh),
    .init(
        ["Cache-Control": "max-age=60"], after: 61,
        request: ["Cache-Control": "only-if-cached"], .unavailable),
    .init(
        ["Cache-Control": "max-age=60"], after: 61,
        request: ["Cache-Control": "only-if-cached, max-stale"], .accepted),
    .init(
        ["Cache-Control": "no-cache", "ETag": "\"a\""], after: 0,
        request: ["Cache-Control": "only-if-cached"], .unavailable),
    // 4.3.1: what is asked with.
    .init(
        ["ETag": "W/\"a\""], after: 0, .ask(["If-None-Match": "W/\"a\""])),
    .init(
        ["ETag": "\"a\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], after: 1,
        .ask(["If-None-Match": "\"a\"", "If-Modified-Since": "Sun, 06 Nov 1994 08:49:37 GMT"])),
    .init(["ETag": ""], after: 0, .load),
    // 4.1: Vary.
    .init(["Cache-Control": "max-age=60", "Vary": "*"], after: 0, .load),
    .init(["Cache-Control": "max-age=60", "Vary": "Accept"], after: 0, .fresh),
    .init(
        ["Cache-Control": "max-age=60", "Vary": "Accept"], after: 0,
        request: ["Accept": "image/gif"], .load),
    .init(
        ["Cache-Control": "max-age=60", "Vary": "Accept"], after: 0,
        request: ["Accept-Language": "de"], .fresh),
    .init(
        ["Cache-Control": "max-age=60", "Vary": "Accept, *"], after: 0, .load),
    // Authorization: the cache has one user.
    .init(
        ["Cache-Control": "max-age=60"], after: 0, request: ["Authorization": "Basic x"], .fresh),
]
