import Testing

@testable import LazyBase
@testable import LazyCLI

@Suite struct MomentParserTests {
    static let times: [(String, Duration)] = [
        ("0", .zero), ("12", .seconds(12)), ("12.5", .milliseconds(12500)),
        ("12.5s", .milliseconds(12500)),
        (".5", .milliseconds(500)), ("5.", .seconds(5)), ("500ms", .milliseconds(500)),
        ("0.001", .milliseconds(1)),
        ("0.123456789", .nanoseconds(123_456_789)), ("1m2s", .seconds(62)),
        ("1m2.5s", .milliseconds(62500)),
        ("1h2m3.5s", .milliseconds(3_723_500)), ("2h", .seconds(7200)), ("3min", .seconds(180)),
        ("1s250ms", .milliseconds(1250)), ("0:02", .seconds(2)), ("01:02.5", .milliseconds(62500)),
        ("00:01:02.5", .milliseconds(62500)), ("90:00", .seconds(5400)),
        ("1:59:59.999", .milliseconds(7_199_999)),
    ]

    @Test(arguments: times) func `a time is parsed exactly`(text: String, time: Duration) {
        #expect(TimestampParser.duration(text) == time)
    }

    @Test(arguments: [
        "", ".", "abc", "-1", "1.2.3", "1m2", "2s1m", "1s1s", "1x", "1:60", "1:2:3:4", "1:", ":1",
        "1:60:00", "1 s",
        "1e3", "٣", "9999999999", "1:-1", "00:00:60", "nan", "inf", "5%",
    ]) func `invalid times are rejected`(text: String) {
        #expect(TimestampParser.duration(text) == nil)
    }
}
