import FoundationEssentials
import Support
import Testing

@testable import LazyLoading

/// Manifests of DASH in the forms that the standard has for segments.
@Suite struct DASHManifestTests {
    private let base = StreamBase(address("http://example.org/a/main.mpd"), isPrivate: false)

    /// The sources of all variants.
    private func variants(
        _ period: String, _ attributes: String = "mediaPresentationDuration=\"PT10S\"",
        now: Date = .now
    ) throws(StreamError) -> [DASHSource] {
        let text = "<?xml version='1.0'?><MPD \(attributes)>\(period)</MPD>"
        let manifest = try DASHManifest(Array(text.utf8), base, now: now, .unlimited)
        var sources: [DASHSource] = []
        for variant in manifest.variants {
            if let source = try manifest.source(of: variant, .unlimited) { sources.append(source) }
        }
        return sources
    }

    private func playlist(_ source: DASHSource?) throws -> ReadPlaylist? {
        guard case .segments(let playlist)? = source else { return nil }
        return try ReadPlaylist(playlist)
    }

    private func names(_ source: DASHSource?) throws -> [String]? {
        try playlist(source)?.segments.map { $0.resource.url.lastPathComponent }
    }

    private func set(_ inner: String, _ representation: String = "") -> String {
        """
        <Period><AdaptationSet contentType="video">\(inner)
        <Representation id="v1" bandwidth="900" width="640" height="360">\(representation)</Representation>
        </AdaptationSet></Period>
        """
    }

    @Test func `numbers count from the first one to the end`() throws {
        let found = try variants(
            set(
                "<SegmentTemplate media='$RepresentationID$-$Number%03d$.m4s' initialization='$RepresentationID$.mp4' duration='4' startNumber='7'/>"
            ))
        #expect(try names(found.first) == ["v1-007.m4s", "v1-008.m4s", "v1-009.m4s"])
        let segments = try #require(try playlist(found.first)?.segments)
        #expect(segments.map(\.duration) == [.seconds(4), .seconds(4), .seconds(2)])
        #expect(segments[0].map?.resource.url.absoluteString == "http://example.org/a/v1.mp4")
    }

    @Test func `a timeline repeats, and jumps to a time`() throws {
        let found = try variants(
            set(
                """
                <SegmentTemplate media='$Time$_$Bandwidth$$$.m4s' timescale='10'><SegmentTimeline>
                <S t='100' d='20' r='1'/><S d='5'/><S t='200' d='10' r='-1'/>
                </SegmentTimeline></SegmentTemplate>
                """))
        #expect(
            try names(found.first)?.prefix(4) == [
                "100_900$.m4s", "120_900$.m4s", "140_900$.m4s", "200_900$.m4s",
            ])
        #expect(try playlist(found.first)?.segments[2].duration == .seconds(0.5))
    }

    @Test func `bases add up, and templates are inherited`() throws {
        let found = try variants(
            """
            <BaseURL>b/</BaseURL><Period><BaseURL>c/</BaseURL>
            <AdaptationSet mimeType="video/mp4"><SegmentTemplate duration="5" timescale="1"/>
            <Representation id="x"><BaseURL>d/&amp;/</BaseURL><SegmentTemplate media="$Number$"/></Representation>
            </AdaptationSet><AdaptationSet mimeType="audio/mp4"><Representation id="s"/></AdaptationSet></Period>
            """)
        #expect(found.count == 1)
        #expect(
            try playlist(found.first)?.segments.map(\.resource.url.absoluteString) == [
                "http://example.org/a/b/c/d/&/1", "http://example.org/a/b/c/d/&/2",
            ])
    }

    @Test func `a list has ranges`() throws {
        let found = try variants(
            set(
                "",
                """
                <BaseURL>all.mp4</BaseURL><SegmentList duration="5"><Initialization range="0-99"/>
                <SegmentURL mediaRange="100-199"/><SegmentURL media="other" mediaRange="0-4"/></SegmentList>
                """))
        let segments = try #require(try playlist(found.first)?.segments)
        #expect(segments.map(\.resource.range) == [100..<200, 0..<5])
        #expect(segments[0].map?.resource.range == 0..<100)
        #expect(segments.map { $0.resource.url.lastPathComponent } == ["all.mp4", "other"])
    }

    @Test func `a base has an index, or is one segment`() throws {
        let indexed = try variants(
            set("", "<BaseURL>all.mp4</BaseURL><SegmentBase indexRange='800-899'/>"))
        guard case .index(let index, let map, _)? = indexed.first else {
            Issue.record("no index")
            return
        }
        #expect(index.range == 800..<900 && map == 0..<800)
        let whole = try variants(set("", "<BaseURL>all.mp4</BaseURL>"))
        #expect(try playlist(whole.first)?.segments.count == 1)
        #expect(try playlist(whole.first)?.all.duration == .seconds(10))
    }

    @Test func `periods follow each other`() throws {
        let period = { (name: String) in
            set("<SegmentTemplate media='\(name)$Number$' duration='5'/>").replacing(
                "<Period>", with: "<Period duration='PT10S'>")
        }
        let found = try variants(period("a") + period("b"), "")
        #expect(try names(found.first) == ["a1", "a2", "b1", "b2"])
        #expect(try playlist(found.first)?.segments.map(\.run) == [0, 0, 1, 1])
        #expect(try playlist(found.first)?.all.duration == .seconds(20))
    }

    @Test func `the newest segment of a live stream is the last complete one`() throws {
        let start = try Date("2026-01-02T03:04:05Z", strategy: .iso8601)
        let live = "type='dynamic' availabilityStartTime='2026-01-02T03:04:05Z'"
        let found = try variants(
            set("<SegmentTemplate media='$Number$' duration='4'/>"), live, now: start + 41)
        #expect(try names(found.first) == ["10"])
        #expect(try playlist(found.first)?.all.isLive == true)
        #expect(throws: StreamError.self) {
            _ = try variants(
                set("<SegmentTemplate media='$Number$' duration='4'/>"), live, now: start + 3)
        }
        let listed = try variants(
            set(
                "<SegmentTemplate media='$Time$'><SegmentTimeline><S t='8' d='4' r='2'/></SegmentTimeline></SegmentTemplate>"
            ),
            live)
        #expect(try playlist(listed.first)?.all.playable().count == 1)
        #expect(
            try (playlist(listed.first)?.all.playable()).map(ReadPlaylist.init)?.segments[0]
                .resource.url
                .lastPathComponent == "16")
    }

    @Test(arguments: [
        ("urn:mpeg:dash:mp4protection:2011", "Common Encryption"),
        ("urn:uuid:9A04F079-9840-4286-AB92-E65BE0885F95", "PlayReady"),
    ])
    func `protection is named`(scheme: String, name: String) throws {
        let found = try variants(
            set(
                "<ContentProtection schemeIdUri='\(scheme)'/><SegmentTemplate media='$Number$' duration='1'/>"
            ))
        guard case .protected(let system)? = found.first else {
            Issue.record("not protected")
            return
        }
        #expect(system == name)
    }

    @Test(
        arguments: [
            ("PT1H2M3.5S", 3723.5), ("P1DT1S", 86_401), ("PT0S", 0), ("P0Y0M0DT2S", 2), ("1S", nil),
            ("PT", 0), ("PT5", nil), ("P1Y", nil), ("PT-1S", nil), ("PT1e9S", nil),
        ] as [(String, Double?)])
    func `durations are those of XML Schema`(text: String, seconds: Double?) {
        #expect(DASHTime.duration(text) == seconds.map { .seconds($0) })
    }

    @Test(arguments: [
        "<a>", "<a></b>", "<a b></a>", "<a b=c></a>", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
        "<a b='", "", "<", "</a>", String(repeating: "<a>", count: 100_000),
    ])
    func `what is no XML is refused`(text: String) throws {
        #expect(try XMLElement(document: Array(text.utf8), .unlimited) == nil)
    }

    @Test func `XML has attributes, elements and text`() throws {
        let text =
            "<?xml?><!-- <b> --><x:a y:k='1 &gt; &#48;&#x41;' q=\"a>b\">te&amp;xt<b/><c>d</c></x:a>"
        let root = try #require(try XMLElement(document: Array(text.utf8), .unlimited))
        #expect(root.name == "a" && root["k"] == "1 > 0A" && root["q"] == "a>b")
        #expect(root.text == "te&xt" && root.children.map(\.name) == ["b", "c"])
        #expect(root.first("c")?.text == "d")
    }
}
