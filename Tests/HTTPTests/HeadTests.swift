import LazyBase
import Testing

@testable import LazyLoading

@Suite struct HeadTests {
    @Test(
        arguments: [
            ("bytes 0-99/200", 0..<100, 200), ("bytes 5-5/6", 5..<6, 6),
            ("BYTES  1-2/*", 1..<3, nil),
            ("bytes 100-199/200", 100..<200, 200),
        ] as [(String, Range<Int>, Int?)]) func `a place is read`(
            text: String, range: Range<Int>, whole: Int?
        )
    {
        let place = ContentRange.parse(text)
        #expect(place?.range == range && place?.whole == whole)
    }

    @Test(arguments: [
        "", "bytes", "bytes */200", "bytes 5-4/10", "bytes 0-10/10", "bytes -1-5/10", "items 0-1/2",
        "bytes 0-1", "bytes 0-1/2/3", "bytes +0-1/2", "bytes 0-9223372036854775807/*",
        "bytes 0-99999999999999999999/*", "bytes a-b/c", "bytes 0-1/x", "bytes=0-1/2",
    ]) func `what is no place is none`(text: String) {
        #expect(ContentRange.parse(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", false), ("10.1.2.3", false), ("172.16.0.1", false), ("172.32.0.1", true),
        ("192.168.1.1", false), ("169.254.169.254", false), ("100.64.0.1", false),
        ("100.128.0.1", true), ("0.0.0.0", false), ("224.0.0.1", false), ("255.255.255.255", false),
        ("8.8.8.8", true), ("93.184.216.34", true), ("198.17.0.1", true), ("198.19.0.1", false),
        ("::1", false), ("::", false), ("fe80::1", false), ("fd00::1", false), ("ff02::1", false),
        ("2606:4700::1111", true), ("2001:db8::1", false), ("2001:4860:4860::8888", true),
        ("2001:0:1::1", false), ("::ffff:10.0.0.1", false), ("::ffff:8.8.8.8", true),
        ("64:ff9b::7f00:1", false), ("64:ff9b::808:808", true), ("2002:7f00:1::", false),
        ("2002:808:808::", true), ("4000::1", false),
    ]) func `public addresses are told from others`(text: String, isPublic: Bool) throws {
        #expect(try #require(IPAddress(text)).isPublic == isPublic)
    }

    @Test(
        arguments: [
            ("0", 0), ("120", 120), ("99999999999999999999", Int(Int32.max)),
            ("Fri, 15 Jan 2027 08:00:30 GMT", 30), ("Friday, 15-Jan-27 08:01:00 GMT", 60),
            ("Fri Jan 15 07:59:00 2027", 0), ("soon", nil), ("-1", nil), ("", nil), ("1.5", nil),
        ] as [(String, Int?)]) func `the time to wait is read in all its forms`(
            text: String, seconds: Int?
        )
    {
        // Friday, 15 January 2027, 08:00:00 UTC.
        let now = WallTime(seconds: 1_800_000_000)
        #expect(RetryAfter.parse(text, now: now) == seconds.map { .seconds($0) })
    }

    @Test func `the last head counts, with folded lines`() {
        var reader = HeadReader(fieldLimit: 9, byteLimit: 1000)
        let lines = [
            "HTTP/1.1 100 Continue\r\n", "A: 1\r\n", "\r\n", "HTTP/2 200\r\n", "b:2 \r\n",
            "C: \r\n",
            " more\r\n", "b: 3\n", "\r\n",
        ]
        let steps = lines.map { take($0, &reader) }
        #expect(steps.dropLast().allSatisfy { $0 == .more })
        #expect(steps.last == .whole)
        #expect(reader.status == 200)
        #expect(reader.headers.fields.map(\.name) == ["b", "C", "b"])
        #expect(reader.headers["B"] == "2, 3" && reader.headers["c"] == " more")
    }

    @Test func `fields and bytes are limited`() {
        var reader = HeadReader(fieldLimit: 2, byteLimit: 60)
        for line in ["HTTP/1.1 200 OK\r\n", "A: 1\r\n", "A: 2\r\n"] {
            #expect(take(line, &reader) == .more)
        }
        #expect(take("A: 3\r\n", &reader) == .fault("more than 2 header fields"))
        var other = HeadReader(fieldLimit: 9, byteLimit: 20)
        #expect(take("HTTP/1.1 200 OK\r\n", &other) == .more)
        #expect(take("A: 1\r\n", &other) == .fault("a head of more than 20 bytes"))
    }

    private func take(_ line: String, _ reader: inout HeadReader) -> HeadReader.Step {
        Array(line.utf8).withUnsafeBytes { reader.take($0) }
    }
}
