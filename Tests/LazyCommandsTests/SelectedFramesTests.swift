import LazyMedia
import Support
import Testing

@testable import CommandSupport
@testable import LazyBatch
@testable import LazyCommands
@testable import LazyFiles
@testable import LazyTerminal
@testable import MediaJobs

@Suite struct SelectedFramesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var what: String
        var selection: FrameSelection
        var indices: [Int]
        var testDescription: String { what }
    }

    private static func selection(_ change: (inout FrameSelection) -> Void) -> FrameSelection {
        var selection = FrameSelection()
        change(&selection)
        return selection
    }

    // Ten frames of 100 ms; 0, 4 and 8 are keyframes.
    static let cases: [Case] = [
        Case(what: "all", selection: FrameSelection(), indices: Array(0..<10)),
        Case(
            what: "from the frame on screen",
            selection: selection { $0.start = .milliseconds(250) },
            indices: Array(2..<10)),
        Case(
            what: "from a boundary", selection: selection { $0.start = .milliseconds(300) },
            indices: Array(3..<10)),
        Case(
            what: "up to a boundary", selection: selection { $0.end = .milliseconds(300) },
            indices: [0, 1, 2]),
        Case(
            what: "a part",
            selection: selection {
                $0.start = .milliseconds(250)
                $0.end = .milliseconds(450)
            }, indices: [2, 3, 4]),
        Case(what: "every third", selection: selection { $0.every = 3 }, indices: [0, 3, 6, 9]),
        Case(
            what: "every third from a start",
            selection: selection {
                $0.every = 3
                $0.start = .milliseconds(200)
            }, indices: [2, 5, 8]),
        Case(
            what: "keyframes", selection: selection { $0.keyframesOnly = true }, indices: [0, 4, 8]),
        Case(
            what: "every second keyframe",
            selection: selection {
                $0.keyframesOnly = true
                $0.every = 2
            }, indices: [0, 8]),
        Case(what: "at most two", selection: selection { $0.maximum = 2 }, indices: [0, 1]),
        Case(what: "after the end", selection: selection { $0.start = .seconds(5) }, indices: []),
        Case(
            what: "four a second", selection: selection { $0.rate = Rational(4, 1) },
            indices: [0, 2, 5, 7]),
        Case(
            what: "twenty a second for a part",
            selection: selection {
                $0.rate = Rational(20, 1)
                $0.start = .milliseconds(150)
                $0.end = .milliseconds(400)
            }, indices: [1, 2, 2, 3, 3]),
        Case(
            what: "one in ten seconds", selection: selection { $0.rate = Rational(1, 10) },
            indices: [0]),
    ]

    @Test(arguments: cases) func `the wanted frames come in order`(item: Case) throws {
        var media = ScriptedMedia(count: 10)
        media.keyframes = [0, 4, 8]
        let frames = SelectedFrames(try media.makeReader(ReaderOptions()), item.selection)
        var indices: [Int] = []
        var positions: [Int] = []
        while let frame = try frames.next() {
            indices.append(frame.sourceIndex)
            positions.append(frame.position)
        }
        #expect(indices == item.indices)
        #expect(positions == Array(0..<item.indices.count))
    }

    @Test func `resampled frames agree with the playhead, also at uneven delays`() throws {
        var media = ScriptedMedia(count: 6)
        media.durations = [10, 330, 5, 5, 700, 41]
        let frames = SelectedFrames(
            try media.makeReader(ReaderOptions()),
            Self.selection { $0.rate = Rational(30000, 1001) })
        let playhead = Playhead(media.index, plays: 1)
        var count = 0
        while let frame = try frames.next() {
            let time = frame.timing.presentation.duration
            #expect(frame.sourceIndex == playhead.position(at: time)?.frame)
            #expect(frame.timing.index == count)
            count += 1
        }
        // 1091 ms at 29.97 frames a second.
        #expect(count == 33)
    }

    @Test func `an error comes once and then the end, for all workers`() throws {
        var media = ScriptedMedia(count: 3)
        media.fault = (1, MediaError(.limitExceeded, "Too much."))
        let frames = SharedFrames(
            SelectedFrames(try media.makeReader(ReaderOptions()), FrameSelection()))
        #expect(try frames.next()?.sourceIndex == 0)
        #expect(throws: MediaError.self) { try frames.next() }
        #expect(try frames.next()?.position == nil)
    }
}
