import LazyBase
import LazyMedia
import Support
import Testing

@testable import LazyEditing

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
            selection: selection { $0.part.start = .milliseconds(250) },
            indices: Array(2..<10)),
        Case(
            what: "from a boundary", selection: selection { $0.part.start = .milliseconds(300) },
            indices: Array(3..<10)),
        Case(
            what: "up to a boundary", selection: selection { $0.part.end = .milliseconds(300) },
            indices: [0, 1, 2]),
        Case(
            what: "a part",
            selection: selection {
                $0.part.start = .milliseconds(250)
                $0.part.end = .milliseconds(450)
            }, indices: [2, 3, 4]),
        Case(what: "every third", selection: selection { $0.every = 3 }, indices: [0, 3, 6, 9]),
        Case(
            what: "every third from a start",
            selection: selection {
                $0.every = 3
                $0.part.start = .milliseconds(200)
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
        Case(
            what: "after the end", selection: selection { $0.part.start = .seconds(5) }, indices: []
        ),
        Case(
            what: "four a second", selection: selection { $0.rate = Rational(4, 1) },
            indices: [1, 3, 6, 8]),
        Case(
            what: "twenty a second for a part",
            selection: selection {
                $0.rate = Rational(20, 1)
                $0.part.start = .milliseconds(150)
                $0.part.end = .milliseconds(400)
            }, indices: [1, 2, 2, 3, 3]),
        Case(
            what: "one in ten seconds", selection: selection { $0.rate = Rational(1, 10) },
            indices: [9]),
    ]

    @Test(arguments: cases, [false, true])
    func `the wanted frames come in order`(item: Case, isIndexed: Bool) throws {
        var media = ScriptedMedia(count: 10)
        media.keyframes = [0, 4, 8]
        let decoded = Locked<[Int]>([])
        media.willDecode = { number in decoded.withLock { $0.append(number) } }
        let frames = try Self.frames(of: media, item.selection, isIndexed: isIndexed)
        var indices: [Int] = []
        var positions: [Int] = []
        while let frame = try frames.next() {
            indices.append(frame.sourceIndex)
            positions.append(frame.position)
        }
        #expect(indices == item.indices)
        #expect(positions == Array(0..<item.indices.count))
        guard isIndexed else {
            // Of those behind the part only the first, which ends it.
            if let last = indices.last, item.selection.part.end != nil {
                #expect(decoded.withLock { $0.last ?? 0 } <= last + 1)
            }
            return
        }
        // No other frame, and none twice.
        let distinct = zip(indices, [-1] + indices).filter { $0 != $1 }.map(\.0)
        #expect(decoded.withLock { $0 } == distinct)
    }

    @Test(arguments: cases)
    func `pictures that are not chosen are left out`(item: Case) throws {
        var media = ScriptedMedia(count: 10)
        media.keyframes = [0, 4, 8]
        media.guessedShare = 1
        let made = Locked<[Int]>([])
        media.willDecode = { number in made.withLock { $0.append(number) } }
        let frames = try Self.frames(of: media, item.selection)
        var indices: [Int] = []
        while let frame = try frames.next() { indices.append(frame.sourceIndex) }
        #expect(indices == item.indices)
        #expect(media.log.made == 1)
        var spared = Set(made.withLock { $0 }).subtracting(indices)
        // Those before the first step of a rate, and the last one, may be chosen.
        if item.selection.rate != nil, let first = indices.first {
            spared = spared.filter { $0 > first + 1 }
        }
        #expect(spared.subtracting([9]).isEmpty, "\(spared)")
    }

    @Test(arguments: cases)
    func `a frame that lasts longer than it seemed is read again`(item: Case) throws {
        var media = ScriptedMedia(count: 10)
        media.keyframes = [0, 4, 8]
        media.guessedShare = 100
        let frames = try Self.frames(of: media, item.selection)
        var indices: [Int] = []
        while let frame = try frames.next() { indices.append(frame.sourceIndex) }
        #expect(indices == item.indices)
        #expect(media.log.made <= 2)
        if item.what == "four a second" { #expect(media.log.made == 2) }
    }

    private static func frames(
        of media: ScriptedMedia, _ selection: FrameSelection, isIndexed: Bool = false
    ) throws -> SelectedFrames {
        try SelectedFrames(selection, index: isIndexed ? media.index : nil) {
            () throws(MediaError) in try media.makeReader(ReaderOptions())
        }
    }

    /// Milliseconds of frames, the rate, and the part that is taken.
    @Test(
        arguments: [
            [10, 330, 5, 5, 700, 41], [100, 100, 100], [0, 40, 0, 40], [1, 1, 1], [7, 900],
        ] as [[Int64]],
        [Rational(7, 1), Rational(30000, 1001), Rational(1, 2), Rational(1000, 1)])
    func `frames at a rate are those of an edit`(durations: [Int64], rate: Rational) throws {
        // An edit leaves the times of still parts alone, which have steps of their own here.
        let step = 1000 / rate.doubleValue
        guard
            durations.allSatisfy({ Double($0) < step })
                || durations.allSatisfy({ $0 == 0 || Double($0) >= step })
                || durations.count < 6
        else { return }
        for isIndexed in [false, true] {
            for share in [nil, 1, 50] as [Int64?] {
                try compare(durations, rate, isIndexed: isIndexed, share)
            }
        }
    }

    private func compare(
        _ durations: [Int64], _ rate: Rational, isIndexed: Bool, _ guessedShare: Int64?
    ) throws {
        var media = ScriptedMedia(count: durations.count)
        media.guessedShare = guessedShare
        media.durations = durations
        for part in Self.parts {
            let end = part.end ?? ClipEdit.toTheEnd
            let edit = ClipEdit(segments: [part.start..<end], frameRate: rate)
            let plan = try? EditPlan(media.index, edit)
            // One frame that stands for several steps, in steps that all lengths are multiples of.
            let step = plan.map { $0.base.doubleValue * rate.doubleValue } ?? 1
            let sources = plan?.entries.flatMap { entry in
                let steps = Int((Double(entry.length) * step).rounded())
                return Array(repeating: entry.source, count: steps)
            }
            let frames = try Self.frames(
                of: media, FrameSelection(part: part, rate: rate), isIndexed: isIndexed)
            var indices: [Int] = []
            while let frame = try frames.next() {
                let time = Duration.seconds(1) * (Double(indices.count) / rate.doubleValue)
                let difference = frame.timing.presentation.duration - part.start - time
                #expect(abs(difference / .microseconds(1)) < 1)
                indices.append(frame.sourceIndex)
            }
            #expect(indices == sources ?? [], "\(part)")
        }
    }

    private static let parts = [
        ClipPart(), ClipPart(start: .milliseconds(11)), ClipPart(end: .milliseconds(345)),
        ClipPart(start: .milliseconds(20), end: .milliseconds(350)),
        ClipPart(start: .seconds(60)),
    ]

    @Test func `play at 7 a second shows the frame in the middle of each step`() throws {
        let media = ScriptedMedia(count: 20, milliseconds: 40)
        let frames = try Self.frames(of: media, FrameSelection(rate: Rational(7, 1)))
        var indices: [Int] = []
        while let frame = try frames.next() { indices.append(frame.sourceIndex) }
        // Middles at 71, 214, 357, 500, 642 and 785 ms.
        #expect(indices == [1, 5, 8, 12, 16, 19])
    }

    /// Seconds of three frames, the limit of frames, and the frames that come out before it.
    @Test(
        arguments: [
            ([1, 1_000_000_000, 1], nil, 10), ([500, 500, 99_001], nil, 10_000),
            ([1, 1, 99], 1000, 20), ([1, 1, 98], 1000, nil),
        ] as [([Int64], Int?, Int?)], [false, true])
    func `a rate makes no more frames than the limit, or a million`(
        lengths: ([Int64], Int?, Int?), isIndexed: Bool
    ) throws {
        let (seconds, limit, expected) = lengths
        var media = ScriptedMedia(count: 3)
        media.durations = seconds.map { $0 * 1000 }
        var selection = FrameSelection(rate: Rational(10, 1))
        let make = { [media] () throws(MediaError) in try media.makeReader(ReaderOptions()) }
        let limits = DecodingLimits(frames: limit)
        let frames = try SelectedFrames(
            selection, index: isIndexed ? media.index : nil, limits: limits, of: make)
        var count = 0
        do throws(MediaError) {
            while try frames.next() != nil { count += 1 }
            #expect(expected == nil)
        } catch {
            #expect(error.code == .limitExceeded && error.excess?.limit == "frames")
            // Nothing of the frame that is shown for too long.
            #expect(count == expected)
        }
        // A number that is asked for ends it sooner.
        selection.maximum = 15
        let few = try SelectedFrames(
            selection, index: isIndexed ? media.index : nil, limits: limits, of: make)
        for _ in 0..<15 { #expect(try few.next() != nil) }
        #expect(try few.next() == nil)
    }

    @Test func `where the index lists frames that are not there, all are read`() throws {
        let media = ScriptedMedia(count: 7)
        let frames = try SelectedFrames(
            FrameSelection(every: 2), index: ScriptedMedia(count: 20).index
        ) { () throws(MediaError) in try media.makeReader(ReaderOptions()) }
        var indices: [Int] = []
        while let frame = try frames.next() { indices.append(frame.sourceIndex) }
        #expect(indices == [0, 2, 4, 6])
        #expect(media.log.made == 2)
    }

    @Test func `an error of damage is that of a whole reading`() throws {
        var media = ScriptedMedia(count: 9)
        media.fault = (3, MediaError(.malformed, "Damaged."))
        let frames = try Self.frames(of: media, FrameSelection(every: 4), isIndexed: true)
        #expect(try frames.next()?.sourceIndex == 0)
        // Frame 4 could be sought; of a whole reading the error is that of frame 3.
        #expect(try frames.next()?.sourceIndex == 4)
        media.fault = (4, MediaError(.malformed, "Damaged."))
        let others = try Self.frames(of: media, FrameSelection(every: 4), isIndexed: true)
        #expect(try others.next()?.sourceIndex == 0)
        #expect(throws: MediaError.self) { try others.next() }
        #expect(media.log.made == 3)
    }

    @Test func `an empty index says nothing`() throws {
        let media = ScriptedMedia(count: 3)
        let frames = try SelectedFrames(FrameSelection(every: 2), index: FrameIndex([])) {
            () throws(MediaError) in try media.makeReader(ReaderOptions())
        }
        #expect(try frames.next()?.sourceIndex == 0)
        #expect(try frames.next()?.sourceIndex == 2)
    }

    @Test func `an error comes once and then the end, for all workers`() throws {
        var media = ScriptedMedia(count: 3)
        media.fault = (1, MediaError(.limitExceeded, "Too much."))
        let frames = SharedFrames(try Self.frames(of: media, FrameSelection()))
        #expect(try frames.next()?.sourceIndex == 0)
        #expect(throws: MediaError.self) { try frames.next() }
        #expect(try frames.next()?.position == nil)
    }
}
