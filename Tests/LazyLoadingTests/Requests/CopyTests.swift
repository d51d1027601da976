import FoundationEssentials
import Testing

@testable import LazyLoading

/// Requests and heads are values, although copies share their fields until one changes.
@Suite struct CopyTests {
    private let url = URL(string: "https://example.com/a.gif")

    @Test func `a copy of a request changes alone`() throws {
        let request = LoadRequest(url: try #require(url))
        var copy = request
        #expect(copy == request && copy.hashValue == request.hashValue)
        copy.headers["Accept"] = "image/gif"
        copy.maximumBytes = 7
        #expect(request.headers["Accept"] == nil && request.maximumBytes == nil)
        #expect(copy.headers["Accept"] == "image/gif" && copy.maximumBytes == 7)
        #expect(copy != request)
        copy.headers = request.headers
        copy.maximumBytes = nil
        #expect(copy == request && Set([copy, request]).count == 1)
    }

    @Test func `a copy of a head changes alone`() throws {
        let head = ResponseHead(url: try #require(url), expectedCount: 5, origin: .network)
        var copy = head
        copy.origin = .store
        copy.expectedCount = nil
        #expect(head.origin == .network && head.expectedCount == 5)
        #expect(copy.origin == .store && copy.expectedCount == nil && copy.url == head.url)
    }
}
