import LazyBase
import LazyLoading
import Support
import Testing

@Suite struct HTTPDateTests {
    static let now = WallTime(seconds: 1_800_000_000)  // January 2027

    static let dates: [(String, Int64)] = [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
        ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("Sun, 06 Nov 1994 08:49:37 UTC", 784_111_777),
        ("Saturday, 01-Jan-77 00:00:00 GMT", 3_376_684_800),  // 50 years ahead is ahead
        ("Saturday, 01-Jan-78 00:00:00 GMT", 252_460_800),  // 51 are the past
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
    ]

    @Test(arguments: dates) func `all three formats are parsed`(text: String, seconds: Int64) {
        #expect(HTTPDate.parse(text, now: Self.now) == WallTime(seconds: seconds))
    }

    @Test(arguments: [
        "", "0", "-1", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 November 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 994 08:49:37 GMT", "Sun, 06 Nov 19944 08:49:37 GMT",
        "1994-11-06T08:49:37Z", "784111777", "Thu, 29 Feb 2023 00:00:00 GMT",
        "Sun Nov  6 08:49:37 94", "Sun, 06 Nov 1994 08:49 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
    ]) func `malformed dates are refused`(text: String) {
        #expect(HTTPDate.parse(text, now: Self.now) == nil)
    }

    @Test func `dates of ten thousand years survive a round trip`() {
        var random = SplitMix(7)
        for _ in 0..<2000 {
            let instant = WallTime(
                seconds: .random(in: -62_135_596_800...253_402_300_799, using: &random))
            let text = HTTPDate.text(of: instant)
            guard instant.seconds >= -30_610_224_000 else { continue }  // from the year 1000 on
            #expect(HTTPDate.parse(text) == instant, "\(text)")
        }
        #expect(
            HTTPDate.text(of: WallTime(seconds: 784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }
}
