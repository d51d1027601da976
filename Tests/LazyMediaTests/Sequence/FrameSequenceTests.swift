import LazyMedia
import Support
import Synchronization
import Testing

@Suite struct FrameSequenceTests {
    @Test(arguments: [1, 2, 7]) func `frames come in order, whatever the look-ahead`(
        lookAhead: Int
    ) async throws {
        let sequence = FrameSequence(ScriptedMedia(count: 20))
        var reds: [UInt8] = []
        for try await frame in sequence.frames(lookAhead: lookAhead) {
            reds.append(frame.bitmap[0, 0].x)
        }
        #expect(reds == Array(0..<20))
    }

    @Test func `decoding stops when the look-ahead is full`() async throws {
        let decoded = Atomic<Int>(0)
        let highest = Counter(decoded)
        var media = ScriptedMedia(count: 100)
        media.willDecode = { _ in highest.increase() }
        let iterator = FrameSequence(media).frames(lookAhead: 3).makeAsyncIterator()
        for pulled in 1...10 {
            _ = try await iterator.next()
            #expect(highest.value <= pulled + 3)
        }
    }

    @Test func `loops follow the file or the caller`() async throws {
        let media = ScriptedMedia(count: 3, loop: .gif(1))
        #expect(try await plays(media, .asAuthored) == [0, 0, 0, 1, 1, 1])
        #expect(try await plays(media, .times(3)) == [0, 0, 0, 1, 1, 1, 2, 2, 2])
        #expect(try await plays(media, .times(0)) == [])
        let iterator = FrameSequence(media).frames(looping: .forever).makeAsyncIterator()
        for count in 0..<50 { #expect(try await iterator.next()?.index == count % 3) }
    }

    @Test func `an empty sequence that loops forever ends`() async throws {
        #expect(try await plays(ScriptedMedia(count: 0), .forever) == [])
    }

    @Test func `random access gives the frame of a sequential read`() async throws {
        let media = ScriptedMedia(count: 30)
        let sequence = FrameSequence(media)
        for index in [7, 3, 29, 0, 3, 15] {
            #expect(try await sequence.frame(index).bitmap[0, 0].x == UInt8(index))
            let time = Duration.milliseconds(index * 100 + 99)
            #expect(try await sequence.frame(at: time).index == index)
        }
        #expect(media.log.made == 1, "one reader serves accesses that follow each other")
        #expect(try await sequence.frame(at: .seconds(99)).index == 29)
    }

    @Test func `a frame beyond the end is not found`() async throws {
        await #expect(throws: MediaError.self) {
            try await FrameSequence(ScriptedMedia(count: 3)).frame(3)
        }
    }

    @Test func `a reader without budget is replaced`() async throws {
        let sequence = FrameSequence(
            ScriptedMedia(count: 5), limits: DecodingLimits(frames: 2))
        for _ in 0..<5 { #expect(try await sequence.frame(1).index == 1) }
        do {
            for try await _ in sequence.frames() {}
            Issue.record("five frames passed a limit of two")
        } catch {
            #expect(error.code == .limitExceeded)
            #expect(error.excess == .init(limit: "frames", allowed: 2, actual: 3))
        }
    }

    @Test func `concurrent readers are independent`() async throws {
        let media = ScriptedMedia(count: 40)
        let sequence = FrameSequence(media)
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var reds: [UInt8] = []
                    for try await frame in sequence.frames() { reds.append(frame.bitmap[0, 0].x) }
                    return reds
                }
            }
            for try await reds in group { #expect(reds == Array(0..<40)) }
        }
        #expect(media.log.made == 8)
    }

    @Test func `a cancelled iteration throws cancelled and frees its reader`() async throws {
        let media = ScriptedMedia(count: 100_000)
        let task = Task {
            var count = 0
            for try await _ in FrameSequence(media).frames() {
                count += 1
                if count == 5 { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return count
        }
        do {
            _ = try await task.value
            Issue.record("the iteration ran to its end")
        } catch let error as MediaError {
            #expect(error.code == .cancelled)
        }
    }

    @Test func `an error follows the good frames before it`() async throws {
        var media = ScriptedMedia(count: 10)
        media.fault = (4, MediaError(.malformed, "Broken on purpose."))
        var count = 0
        do {
            for try await _ in FrameSequence(media).frames(lookAhead: 8) { count += 1 }
            Issue.record("the fault was lost")
        } catch {
            #expect(error.code == .malformed)
        }
        #expect(count == 4)
    }

    @Test func `frames are decoded at the requested size`() async throws {
        let sequence = FrameSequence(
            ScriptedMedia(count: 1, size: PixelSize(width: 160, height: 90)))
        let frame = try await sequence.frame(0, size: TargetSize(width: 80))
        #expect(frame.bitmap.size == PixelSize(width: 80, height: 45))
    }

    private func plays(_ media: ScriptedMedia, _ looping: Looping) async throws -> [Int] {
        var plays: [Int] = []
        for try await frame in FrameSequence(media).frames(looping: looping) {
            plays.append(frame.play)
        }
        return plays
    }
}

private final class Counter: Sendable {
    private let count: Atomic<Int>
    init(_ count: consuming Atomic<Int>) { self.count = count }
    func increase() { count.add(1, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
}
