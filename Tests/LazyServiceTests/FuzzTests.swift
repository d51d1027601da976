import LazyEditing
import LazyMedia
import LazyRenditions
import Support
import Testing

@testable import LazyService

/// Paths that nobody writes: each is answered, and none is a fault of the service.
@Suite struct FuzzTests {
    private static let values = [
        "", "0", "1", "-1", "2", "50", "0.5", "1e9", "1e-9", "268435456", "99999999999999999999",
        "nan",
        "inf", "true", "fit", "fill", "fill-down", "force", "auto", "no", "soea", "sm", "fp", "re",
        "ff0",
        "ff8800", "webp", "jpg", "mp4", "png", "1-2", "-3-", "1-2,-1--0.5", "5-1", "%25",
        "caf%C3%A9", "64",
        "65536", "0x10", "+3", "auto:1", "25%25", "99999999999-",
    ]
    private static let usual = ["", "0", "1", "1", "2", "50", "0.5", "100", "no"]
    private static let endings = [
        "", "", "webp", "jpg", "png", "gif", "avif", "apng", "mp4", "webm", "vtt", "json", "svg",
        "xyz",
    ]
    private static let sources: [String] = [
        #"{"type":"mp4","width":640,"height":360,"frameCount":125,"durationUs":5000000,"streams":[{}]}"#,
        #"{"type":"webm","width":1,"height":9999,"frameCount":null,"durationUs":null,"streams":[{}]}"#,
        #"{"type":"gif","width":3,"height":1,"frameCount":5,"durationUs":500000,"streams":[]}"#,
        #"{"type":"png","width":65535,"height":1,"frameCount":1,"hasAlpha":true,"streams":[]}"#,
        #"{"type":"jpeg","width":640,"height":480,"frameCount":1,"byteCount":9,"streams":[]}"#,
    ]

    @Test(arguments: UInt64(0)..<8) func `any options are read and planned, or refused`(
        seed: UInt64
    ) throws {
        var random = SplitMix(seed)
        var rules = OptionRules()
        rules.allowsBounds = true
        var planned = 0
        let facts = Self.sources.compactMap { SourceFacts(json: Array($0.utf8)) }
        try #require(facts.count == Self.sources.count)
        for _ in 0..<1000 {
            var parts: [String] = []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let name = OptionForms.names.randomElement(using: &random) ?? "w"
                let counts = OptionForms.form(name)?.arguments ?? 1...1
                var words = [name]
                let most = min(counts.upperBound, counts.lowerBound + 3)
                for _ in 0..<Int.random(in: counts.lowerBound...most, using: &random) {
                    let isUsual = Int.random(in: 0..<10, using: &random) < 8
                    words.append(
                        (isUsual ? Self.usual : Self.values).randomElement(using: &random) ?? "")
                }
                parts.append(words.joined(separator: ":"))
            }
            let ending = Self.endings.randomElement(using: &random) ?? ""
            let path = parts.joined(separator: "/") + "/plain/local:///x@" + ending
            guard let (options, _) = try? rules.read(path) else { continue }
            for facts in facts {
                let layout = options.placement.layout(of: facts.size)
                #expect(layout.part.clipped(to: facts.size) == layout.part, "\(path)")
                #expect(layout.kept.clipped(to: layout.scaled) == layout.kept, "\(path)")
                let planning = RenditionPlanning(
                    options: options, facts: facts, rules: .init(), accepts: .none)
                do {
                    let plan = try planning.plan()
                    planned += 1
                    #expect(!plan.rendition.identifier.isEmpty)
                    // What is written is read as the same.
                    #expect(try Rendition(json: plan.rendition.json) == plan.rendition, "\(path)")
                } catch let error as ServiceError {
                    #expect((400..<500).contains(error.status), "\(path): \(error)")
                }
            }
        }
        #expect(planned > 100)
    }

    @Test func `any text is a path or refused`() {
        var random = SplitMix(1)
        let pieces = [
            "/", "plain", ":", "%", "@", ".", "%2F", "é", "?", "=", "a", "://", "http", "\u{0}",
            "rs",
        ]
        for _ in 0..<20_000 {
            let text = (0..<12).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            guard let path = try? ServicePath(target: "/s/" + text) else { continue }
            _ = try? OptionRules().read(path.path)
            // A repaired path is repaired.
            #expect(ServicePath.repaired(path.path) == path.path || path.path.contains(":/"))
        }
    }
}
