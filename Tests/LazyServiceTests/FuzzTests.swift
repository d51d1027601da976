import FoundationEssentials
import LazyEditing
import LazyLoading
import LazyMedia
import LazyRenditions
import Support
import Testing

@testable import LazyService

/// Paths that nobody writes: each is answered, and none is a fault of the service.
@Suite struct FuzzTests {
    private static let values = [
        "", "0", "1", "-1", "2", "50", "0.5", "1e9", "1e-9", "268435456", "99999999999999999999",
        "-9223372036854775808", "9223372036854775807", "nan",
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

    /// `LAZYIMG_FUZZ=13` makes all of it as many times as long: more than 100,000 paths, and 10,000 files with theirs.
    private static let factor =
        ProcessInfo.processInfo.environment["LAZYIMG_FUZZ"].flatMap { Int($0) } ?? 1

    /// Some options of the grammar, with usual and unusual arguments.
    private static func options(_ random: inout SplitMix) -> String {
        var parts: [String] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let name = OptionForms.names.randomElement(using: &random) ?? "w"
            let counts = OptionForms.form(name)?.arguments ?? 1...1
            var words = [name]
            let most = min(counts.upperBound, counts.lowerBound + 3)
            for _ in 0..<Int.random(in: counts.lowerBound...most, using: &random) {
                let isUsual = Int.random(in: 0..<10, using: &random) < 8
                words.append((isUsual ? usual : values).randomElement(using: &random) ?? "")
            }
            parts.append(words.joined(separator: ":"))
        }
        return parts.joined(separator: "/")
    }

    @Test(arguments: UInt64(0)..<8) func `any options are read and planned, or refused`(
        seed: UInt64
    ) throws {
        var random = SplitMix(seed)
        var rules = OptionRules()
        rules.allowsBounds = true
        var planned = 0
        let facts = Self.sources.compactMap { SourceFacts(json: Array($0.utf8)) }
        try #require(facts.count == Self.sources.count)
        for _ in 0..<1000 * Self.factor {
            let ending = Self.endings.randomElement(using: &random) ?? ""
            let path = Self.options(&random) + "/plain/local:///x@" + ending
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

    /// Small files of each kind, so that each answer takes milliseconds.
    private static let files = [
        "still-rgb8.png", "still.jpg", "counter.gif", "still.webp", "clip.mp4",
    ]

    @Test func `any path is answered without a fault of the service`() async throws {
        var random = SplitMix(52)
        let served = try Served {
            $0.allowsBounds = true
            // What takes long is late, and not wrong.
            ($0.deadline, $0.grace) = (.seconds(5), .zero)
            $0.longestSide = 256
        }
        for _ in 0..<150 * Self.factor {
            let ending = Self.endings.randomElement(using: &random) ?? ""
            let file = Self.files.randomElement(using: &random) ?? "still.png"
            let path = "/unsafe/\(Self.options(&random))/plain/local:///\(file)@\(ending)"
            let status = await served.get(path).status
            #expect((200..<500).contains(status) || status == 504, "\(status) \(path)")
        }
    }

    @Test func `any file and any operations are answered without a fault of the service`()
        async throws
    {
        var random = SplitMix(53)
        let served = try Served { ($0.deadline, $0.grace) = (.seconds(5), .zero) }
        let files = try Self.files.map { try Media.array($0) }
        let words = [
            "autorotate", "convert", "fit", "smartcrop", "crop", "", "\\u0000", "jpeg", "png",
            "webp", "gif", "-1", "0", "1e99", "64", "99999999999999999999", "true",
        ]
        for _ in 0..<800 * Self.factor {
            let operations = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                func word() -> String { words.randomElement(using: &random) ?? "" }
                let number =
                    ["64", "1", "0", "-1", "1e99", "0.5", "null", "[]", "{}"]
                    .randomElement(using: &random) ?? "1"
                return """
                    {"operation":"\(word())","params":{"width":\(number),"height":"\(word())",\
                    "type":"\(word())","quality":\(number)}}
                    """
            }
            var text = "[" + operations.joined(separator: ",") + "]"
            if Int.random(in: 0..<8, using: &random) == 0 {
                text = String(text.dropLast(Int.random(in: 0...text.count, using: &random)))
            }
            var file = files.randomElement(using: &random) ?? []
            file = Array(file.prefix(1 << 16))
            for _ in 0..<Int.random(in: 0...4, using: &random) where !file.isEmpty {
                file[Int.random(in: 0..<file.count, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
            }
            if Bool.random(using: &random) {
                file = Array(file.prefix(Int.random(in: 0...file.count, using: &random)))
            }
            let path =
                "/pipeline?operations="
                + PercentEncoding.encode(Array(text.utf8), allowed: "-._~")
            let status = try await served.post(path, file).status
            #expect((200..<500).contains(status) || status == 504, "\(status) \(text)")
        }
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
