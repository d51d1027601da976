import LazyMedia
import LazyRenditions
import Testing

@testable import LazyService

/// What is made of sources, without making it.
@Suite struct PlanTests {
    private static let film =
        #"{"type":"mp4","width":640,"height":360,"frameCount":125,"durationUs":5000000,"streams":[{}]}"#
    private static let animation =
        #"{"type":"gif","width":30,"height":20,"frameCount":5,"durationUs":500000,"streams":[]}"#

    private static func plan(
        _ options: String, of source: String, _ change: (inout RenditionRules) -> Void = { _ in }
    ) throws -> RenditionPlan {
        var rules = OptionRules()
        rules.allowsBounds = true
        let (read, _) = try rules.read("/\(options)/plain/local:///x")
        var renditionRules = RenditionRules()
        change(&renditionRules)
        let facts = try #require(SourceFacts(json: Array(source.utf8)))
        return try RenditionPlanning(
            options: read, facts: facts, rules: renditionRules, accepts: .none
        ).plan()
    }

    @Test(arguments: [film, animation], [Int.max, Int.max - 1, 1 << 40])
    func `a bound of frames may be any number`(source: String, most: Int) throws {
        for options in ["maf:\(most)/f:webp", "maf:\(most)/lz_animate:1"] {
            let plan = try Self.plan(options, of: source)
            #expect(try Rendition(json: plan.rendition.json) == plan.rendition)
        }
        let plan = try Self.plan("f:webp", of: source) { $0.bounds.frames = most }
        #expect(try Rendition(json: plan.rendition.json) == plan.rendition)
    }

    @Test(arguments: [
        ("", film, PosterChoice.auto), ("da:1/", film, .auto), ("maf:1/", film, .auto),
        ("da:1/vts:2/", film, .at(.seconds(2))), ("maf:1/pg:3/", film, .index(3)),
        ("", animation, .auto), ("da:1/", animation, .first), ("maf:1/", animation, .first),
    ])
    func `stills of animations are their first picture, and those of films their best one`(
        options: String, source: String, choice: PosterChoice
    ) throws {
        let plan = try Self.plan(options + "f:jpg", of: source)
        guard case .poster(let made) = plan.rendition.kind else {
            Issue.record("\(plan.rendition.json)")
            return
        }
        #expect(made == choice)
    }

    @Test(arguments: [
        ("w:15", false, MediaType.jpeg), ("w:15", true, .png), ("w:15/bg:fff", true, .jpeg),
        ("rs:fit:15:15/ex:1", false, .jpeg), ("rs:fit:14:9/el:1/ex:1", false, .png),
        ("w:32", true, .avif), ("rs:force:16:16", false, .avif),
        ("w:15/rot:90/rs:force:40:15", false, .jpeg),
    ])
    func `a picture that is too small for AVIF is another one`(
        options: String, hasAlpha: Bool, type: MediaType
    ) throws {
        let source = """
            {"type":"png","width":60,"height":60,"frameCount":1,"hasAlpha":\(hasAlpha),"streams":[]}
            """
        let plan = try Self.plan(options + "/f:avif", of: source)
        #expect(plan.rendition.output.type == type)
    }

    @Test func `an animation may have factors that are beyond all sizes`() throws {
        let most = 1 << 28
        _ = try Self.plan("w:\(most)/z:\(most)/dpr:\(most)/lz_animate:1", of: Self.film)
    }
}
