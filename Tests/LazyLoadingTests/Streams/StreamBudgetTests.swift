import FoundationEssentials
import LazyBase
import Support
import Testing

@testable import LazyLoading

/// Playlists and manifests that cost their reader far more than their size.
@Suite struct StreamBudgetTests {
    private let base = StreamBase(address("http://example.org/a/list"), isPrivate: false)

    /// A document, and what it has many of.
    struct Document: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let kind: StreamKind
        let text: String

        init(_ name: String, hls text: String) {
            (testDescription, kind) = (name, .hls)
            self.text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + text + "#EXT-X-ENDLIST\n"
        }

        init(_ name: String, dash set: String, root: String = "", periods: Int = 1) {
            (testDescription, kind) = (name, .dash)
            let period =
                "<Period><AdaptationSet mimeType='video/mp4'>\(set)</AdaptationSet></Period>"
            text =
                "<MPD mediaPresentationDuration='PT1S'>\(root)"
                + String(repeating: period, count: periods) + "</MPD>"
        }
    }

    private static func times(_ count: Int, _ text: String) -> String {
        String(repeating: text, count: count)
    }

    private static func timeline(_ count: Int) -> String {
        "<SegmentTimeline><S t='0' d='1' r='\(count - 1)'/></SegmentTimeline></SegmentTemplate>"
    }

    private static func template(_ media: String, _ count: Int) -> String {
        "<SegmentTemplate timescale='1000' media='\(media)'>" + timeline(count)
    }

    private static let representation = "<Representation id='1' width='64' height='48'/>"

    /// Each would make gigabytes of text or of segments if all of it were made.
    static let products = [
        Document(
            "representations", dash: template("$Number$", 99_999) + times(999, representation)),
        Document(
            "an address", dash: template(times(60_000, "A") + "$Number$", 99_999) + representation),
        Document(
            "a base",
            dash: template("$Number$", 99_999)
                + "<Representation width='1' height='1'><BaseURL>\(times(60_000, "A"))/</BaseURL></Representation>"
        ),
        Document(
            "representations in periods",
            dash: template("$Number$", 100) + times(100, representation), periods: 300),
        Document(
            "a variable",
            hls: "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\(times(60_000, "A"))\"\n"
                + times(99_999, "#EXTINF:1,\n{$a}\n")),
        Document(
            "variables in keys and maps",
            hls: "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\(times(60_000, "A"))\"\n"
                + times(
                    50_000,
                    "#EXT-X-KEY:METHOD=AES-128,URI=\"{$a}\"\n#EXT-X-MAP:URI=\"{$a}\"\n#EXTINF:1,\na\n#EXT-X-DISCONTINUITY\n"
                )),
        Document(
            "variants with variables",
            hls: "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\(times(60_000, "A"))\"\n"
                + times(999, "#EXT-X-STREAM-INF:BANDWIDTH=1\n{$a}\n")),
    ]

    private func read(
        _ document: Document, _ budget: StreamBudget
    ) throws(StreamError) -> StreamPlaylist? {
        let bytes = Array(document.text.utf8)
        switch document.kind {
        case .hls:
            if case .segments(let playlist) = try HLSPlaylist(bytes, base, budget) {
                return playlist
            }
        case .dash:
            let manifest = try DASHManifest(bytes, base, now: .now, budget)
            let source = try manifest.source(of: manifest.variants[0], budget)
            if case .segments(let playlist)? = source { return playlist }
        }
        return nil
    }

    @Test(arguments: products)
    func `what is kept of a playlist is its size and that of one rendition`(
        document: Document
    ) throws {
        let limits = StreamLimits(memory: 80_000_000, time: nil)
        let playlist = try read(document, .within(limits))
        guard let playlist else { return }
        // The last address can be made by itself.
        _ = try playlist.resource(of: playlist.count - 1)
    }

    /// Each is more memory than allowed, or an address that is too long.
    static let excesses = [
        Document(
            "an id in an address",
            dash: template(times(3000, "$RepresentationID$"), 2)
                + "<Representation id='\(times(30_000, "A"))' width='64' height='48'/>"),
        Document("elements", dash: times(200_000, "<S/>") + representation),
        Document("attributes", dash: "<S " + times(300, "a='' ") + "/>" + representation),
        Document("segments", hls: times(100_000, "#EXTINF:1,\na\n")),
        Document(
            "ranges",
            hls: "#EXTINF:1,\na\n"
                + (0..<100_000).map { "#EXTINF:1,\n#EXT-X-GAP\n#EXT-X-BYTERANGE:1@0\n\($0)\n" }
                .joined()),
        Document(
            "values",
            hls: (0..<200).map {
                "#EXT-X-DEFINE:NAME=\"a\($0)\",VALUE=\"\(times(60_000, "A"))\"\n"
            }.joined() + "#EXTINF:1,\na\n"),
        Document(
            "empty variables",
            hls: "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\"\n#EXTINF:1,\n\(times(100_000, "{$a}"))\n"),
        Document(
            "lengths of variables",
            hls:
                "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\(times(30_000, "A"))\"\n#EXTINF:1,\n{$a}{$a}{$a}\n"
        ),
    ]

    @Test(arguments: excesses)
    func `more than the limit is an error`(document: Document) {
        let limits = StreamLimits(memory: 10_000_000, time: nil)
        #expect(throws: StreamError.self) {
            _ = try read(document, .within(limits)).map { try $0.resource(of: 0) }
        }
    }

    @Test(arguments: [products[1], products[4]])
    func `time and cancellation end it in between`(document: Document) {
        #expect {
            _ = try read(document, .within(StreamLimits(memory: nil, time: .zero)))
        } throws: { error in
            if case StreamError.tooSlow = error { true } else { false }
        }
        let flag = CancellationFlag()
        flag.cancel()
        #expect {
            _ = try read(document, .within(StreamLimits(memory: nil, time: nil), flag))
        } throws: { error in
            if case StreamError.loading(let reason) = error {
                reason.code == .cancelled
            } else {
                false
            }
        }
    }

    /// Texts that a reader which looks ahead for each of them reads by the square of their length.
    static let squares = [
        Document(
            "ampersands",
            dash:
                "<Representation id='\(times(100_000, "&"))' width='1' height='1'><BaseURL>a</BaseURL></Representation>"
        ),
        Document("comments", dash: times(100_000, "<!--") + "-->" + representation),
        Document(
            "keys", hls: "#EXT-X-KEY:METHOD=NONE" + times(100_000, ",a=b") + "\n#EXTINF:1,\na\n"),
        Document("gaps", hls: times(20_000, "#EXTINF:1,\n#EXT-X-GAP\na\n") + "#EXTINF:1,\na\n"),
        Document("lines", hls: times(100_000, "#\n") + "#EXTINF:1,\na\n"),
        Document("codecs", hls: "#EXT-X-STREAM-INF:CODECS=\"\(times(60_000, ","))\"\na\n"),
    ]

    @Test(.timeLimit(.minutes(1)), arguments: squares)
    func `text is looked through once`(document: Document) throws {
        _ = try read(document, .unlimited)
    }

    @Test func `a budget is one for all playlists of a stream`() throws {
        let text = Array(Document("", hls: Self.times(50_000, "#EXTINF:1,\na\n")).text.utf8)
        let limits = StreamLimits(memory: 10_000_000, time: nil)
        let first = StreamBudget.within(limits)
        _ = try HLSPlaylist(text, base, first)
        let second = StreamBudget(limits, after: first.cost, CancellationFlag())
        #expect(throws: StreamError.self) { _ = try HLSPlaylist(text, base, second) }
    }
}
