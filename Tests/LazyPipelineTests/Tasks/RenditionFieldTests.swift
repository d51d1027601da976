import LazyBase
import LazyMedia
import LazyPipeline
import LazyRenditions
import Testing

/// What the fields of HTTP ask for: tags and ranges of results.
@Suite struct RenditionFieldTests {
    private func response(isStored: Bool = true) async throws -> RenditionTask.Response {
        let rig = RenditionRig()
        let pipeline = rig.pipeline {
            if !isStored { ($0.renditionCacheLimit, $0.dataCache) = (0, nil) }
        }
        return try await pipeline.data(for: RenditionRig.request, as: RenditionRig.poster)
    }

    @Test func `If-None-Match is compared weakly`() async throws {
        for isStored in [true, false] {
            let tag = try #require(try await response(isStored: isStored).head.tag)
            #expect(tag.description == (isStored ? "" : "W/") + "\"\(tag.text)\"")
            let named = [
                "\"\(tag.text)\"", "W/\"\(tag.text)\"", "*", " \"x\" , W/\"\(tag.text)\"\t",
                "\"a\",\"\(tag.text)\"",
            ]
            for field in named { #expect(tag.isNamed(inIfNoneMatch: field), "\(field)") }
            for field in ["", tag.text, "\"x\"", "w/\"\(tag.text)\"", "\"\(tag.text)x\""] {
                #expect(!tag.isNamed(inIfNoneMatch: field), "\(field)")
            }
        }
    }

    @Test func `If-Range is compared strongly`() async throws {
        let stored = try await response()
        let tag = try #require(stored.head.tag)
        let made = try #require(try await response(isStored: false).head.tag)
        #expect(tag.isNamed(inIfRange: tag.description))
        #expect(!tag.isNamed(inIfRange: "W/\(tag)") && !tag.isNamed(inIfRange: "*"))
        #expect(!made.isNamed(inIfRange: made.description))
        #expect(stored.part(ofRange: "bytes=0-0", ifRange: tag.description) == 0..<1)
        #expect(stored.part(ofRange: "bytes=0-0", ifRange: "\"other\"") == nil)
    }

    static let ranges: [(String, Range<Int>?)] = [
        ("bytes=0-9", 0..<10), ("bytes=90-", 90..<100), ("bytes=90-999", 90..<100),
        ("bytes=-10", 90..<100), ("bytes=-1000", 0..<100), ("Bytes=5-5", 5..<6),
        ("bytes= 1 - 2 ", 1..<3), ("bytes=99-99", 99..<100),
        // 416: there is no such part.
        ("bytes=100-", 100..<100), ("bytes=100-200", 100..<100), ("bytes=-0", 100..<100),
        ("bytes=999999999999999999-", 100..<100),
        // The whole is sent.
        ("bytes=0-1,5-6", nil), ("bytes=9-1", nil), ("bytes=-", nil), ("bytes=a-b", nil),
        ("bytes=+1-2", nil), ("items=0-1", nil), ("bytes 0-1", nil), ("", nil),
        ("bytes=9999999999999999999-", nil), ("bytes=--1", nil), ("bytes=1-2-3", nil),
    ]

    @Test func `a range is that of RFC 9110`() async throws {
        let response = try await response()
        for (field, range) in Self.ranges {
            #expect(response.part(ofRange: field) == range, "\(field)")
        }
        var bytes: [UInt8] = []
        for try await piece in response.pieces(of: 4..<5) { bytes += piece }
        #expect(bytes == Array("1".utf8))
    }

    @Test func `what is left of the source's life is that of the result`() async throws {
        var head = try await response().head
        #expect(head.cacheControl == "public, max-age=600")
        head.age = .seconds(599.5)
        #expect(head.cacheControl == "no-cache")
        head.age = .seconds(1000)
        #expect(head.cacheControl == "no-cache")
        head.lifetime = nil
        #expect(head.cacheControl == nil)
    }
}
