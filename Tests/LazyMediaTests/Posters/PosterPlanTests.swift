import Support
import Testing

@testable import LazyMedia

@Suite struct PosterPlanTests {
    @Test(
        arguments: [
            // A second with one keyframe: a tenth is as good as the start.
            (frames: 10, milliseconds: 100, keys: [0], first: [0]),
            // Ten seconds: the next keyframes, each once.
            (frames: 100, milliseconds: 100, keys: [0, 22, 90], first: [22, 90]),
            // A recent keyframe, not an old one.
            (frames: 100, milliseconds: 100, keys: [0, 8, 50], first: [8, 50]),
            // An old keyframe does not represent the time: exact frames come first.
            (frames: 100, milliseconds: 100, keys: [0], first: [10, 15, 20, 25, 6]),
        ])
    func `keyframes near a tenth come first, each once`(
        frames: Int, milliseconds: Int, keys: [Int], first: [Int]
    ) throws {
        var media = ScriptedMedia(count: frames, milliseconds: Int64(milliseconds))
        media.keyframes = Set(keys)
        let plan = PosterPlan(media.index, length: media.index.duration)
        let round = try #require(plan.rounds.first)
        #expect(round.times == first.map { .milliseconds($0 * milliseconds) })
        #expect(!round.keyframesOnly)
    }

    @Test(
        arguments: [
            (milliseconds: 100, keys: [0], start: 0),
            (milliseconds: 100, keys: [0, 3, 90], start: 3),
            // More than a second before a tenth.
            (milliseconds: 101, keys: [0], start: nil),
            // The first frame is a recent keyframe, and so was sampled already.
            (milliseconds: 20, keys: [0], start: nil),
        ] as [(milliseconds: Int, keys: [Int], start: Int?)])
    func `the keyframe before a tenth is offered within a second`(
        milliseconds: Int, keys: [Int], start: Int?
    ) throws {
        var media = ScriptedMedia(count: 100, milliseconds: Int64(milliseconds))
        media.keyframes = Set(keys)
        let plan = PosterPlan(media.index, length: media.index.duration)
        let round = try #require(plan.rounds.first { $0.isExact })
        #expect(round.start == start.map { .milliseconds($0 * milliseconds) })
        #expect(plan.rounds.filter { $0.start != nil }.count <= 1)
    }

    @Test(arguments: [2, 5, 17, 100, 1000])
    func `no frame is sampled twice, and no round is empty`(count: Int) {
        var media = ScriptedMedia(count: count, milliseconds: 40)
        media.keyframes = Set(stride(from: 0, to: count, by: 12))
        let plan = PosterPlan(media.index, length: media.index.duration)
        let times = plan.rounds.flatMap(\.times)
        #expect(Set(times).count == times.count)
        #expect(plan.rounds.allSatisfy { !$0.times.isEmpty })
        let asked = (PosterPlan.near + PosterPlan.far).map { media.index.duration * $0 }
        for time in asked {
            let frame = media.index.frame(at: time).map { media.index.timings[$0] }
            #expect(times.contains { $0 == frame?.presentation.duration }, "\(time)")
        }
    }

    @Test(arguments: [[0], [0, 40, 55, 60, 80], [0, 50, 59]])
    func `in a part its frames and keyframes are sampled`(keys: [Int]) throws {
        var media = ScriptedMedia(count: 100, milliseconds: 100)
        media.keyframes = Set(keys)
        let range = Duration.seconds(5)..<Duration.seconds(6)
        let plan = PosterPlan(media.index, length: media.index.duration, within: range)
        for round in plan.rounds {
            #expect(round.times.allSatisfy(range.contains))
            #expect(round.start.map(range.contains) ?? true)
        }
        let seen = Set(plan.rounds.flatMap(\.times))
        for number in [50, 51, 52, 53, 54, 55, 56, 57, 58, 59] {
            #expect(seen.contains(.milliseconds(100 * number)), "\(number)")
        }
        let unknown = PosterPlan(length: .seconds(100), within: .seconds(90) ..< .seconds(200))
        #expect(unknown.rounds[0].times.first == .seconds(91))
        #expect(unknown.rounds.flatMap(\.times).allSatisfy { $0 < .seconds(100) })
    }

    @Test func `without an index, rounds alternate between keyframes and frames`() {
        let plan = PosterPlan(length: .seconds(100))
        #expect(plan.rounds.map(\.keyframesOnly) == [true, false, true, false])
        #expect(plan.rounds[0].times.first == .seconds(10))
        #expect(PosterPlan(length: .seconds(1)).rounds[0].times == [.milliseconds(100)])
    }
}
