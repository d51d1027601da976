import Glibc
import LazyBase
import LazyMedia
import LazyPipeline
import Support
import Testing

struct FramePoolTests {
    /// Frames of 8 × 8 pixels: 256 bytes each.
    func media(_ count: Int) -> ScriptedMedia {
        ScriptedMedia(count: count, size: PixelSize(width: 8, height: 8))
    }

    /// Pulls frames round and round, each let go of before the next, and says their numbers.
    func play(_ viewer: FrameViewer, from start: Int = 0, count: Int, of frames: Int) async throws
        -> [Int]
    {
        var numbers: [Int] = []
        for step in start..<start + count {
            let frame = try await viewer.frame(step % frames)
            numbers.append(frame.map { Int($0.bitmap[0, 0].x) } ?? -1)
        }
        return numbers
    }

    @Test(arguments: [
        (256 << 20, 13_421_772), (1 << 30, 53_687_091), (64 << 30, 128 << 20),
    ])
    func `the budget is five percent, at most 128 MiB`(memory: Int, budget: Int) {
        #expect(FramePool.defaultBudget(memory: memory) == budget)
    }

    @Test func `a sequence that fits is decoded once for all viewers and plays`() async throws {
        let media = media(5)
        let sequence = FrameSequence(media)
        let pool = FramePool(budget: 5 * 256)
        let first = pool.viewer(of: sequence)
        let second = pool.viewer(of: sequence)
        #expect(try await play(first, count: 12, of: 5) == [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1])
        #expect(try await play(second, from: 3, count: 4, of: 5) == [3, 4, 0, 1])
        let store = try #require(pool.statistics.stores.first)
        #expect(store.framesDecoded == 5)
        #expect(store.framesDelivered == 16)
        #expect(store.viewers == 2)
        #expect(store.isWhole)
        #expect(pool.bytesInUse == 5 * 256)
        #expect(pool.peakBytes == 5 * 256)
        #expect(media.log.made == 1)
    }

    @Test func `copies of a sequence share frames, other sizes do not`() async throws {
        let sequence = FrameSequence(media(3))
        let pool = FramePool(budget: 1 << 20)
        let viewers = [
            pool.viewer(of: sequence), pool.viewer(of: sequence),
            pool.viewer(of: sequence, size: TargetSize(width: 4)),
            pool.viewer(of: FrameSequence(media(3))),
        ]
        #expect(pool.statistics.stores.count == 3)
        #expect(try await viewers[2].frame(1)?.bitmap.size == PixelSize(width: 4, height: 4))
    }

    @Test func `a sequence that does not fit is streamed within the budget`() async throws {
        let pool = FramePool(budget: 3 * 256)
        let viewer = pool.viewer(of: FrameSequence(media(100)))
        #expect(try await play(viewer, count: 250, of: 100) == (0..<250).map { $0 % 100 })
        #expect(pool.peakBytes <= 3 * 256)
    }

    @Test func `a retained frame counts until it is freed`() async throws {
        let pool = FramePool(budget: 4 * 256)
        var viewer: FrameViewer? = pool.viewer(of: FrameSequence(media(2)))
        var bitmap = try await viewer?.frame(0)?.bitmap
        _ = try await viewer?.frame(1)
        viewer = nil
        #expect(pool.statistics.stores.isEmpty)
        // The thread that decoded a frame may still hold it.
        while pool.bytesInUse > 256 { await Task.yield() }
        #expect(pool.bytesInUse == 256)
        #expect(bitmap?[0, 0].x == 0)
        bitmap = nil
        while pool.bytesInUse > 0 { await Task.yield() }
        #expect(pool.bytesInUse == 0)
    }

    @Test func `a paused viewer releases its share to the others`() async throws {
        let pool = FramePool(budget: 20 * 256)
        let first = pool.viewer(of: FrameSequence(media(20)))
        _ = try await play(first, count: 20, of: 20)
        #expect(pool.statistics.stores.first?.isWhole == true)
        let second = pool.viewer(of: FrameSequence(media(10)))
        _ = try await second.frame(0)
        #expect(pool.statistics.stores.map(\.framesAllowed).sorted() == [9, 10])
        first.setActive(false)
        #expect(pool.statistics.stores.map(\.framesAllowed).sorted() == [0, 10])
        _ = try await play(second, count: 10, of: 10)
        #expect(pool.bytesInUse == 10 * 256)
        #expect(try await first.frame(7)?.index == 7)
        first.setActive(true)
        #expect(pool.peakBytes <= 20 * 256)
    }

    @Test func `the pool shrinks under pressure and grows afterwards`() async throws {
        let clock = ManualClock()
        let pressure = MemoryPressure()
        let pool = FramePool(budget: 16 * 256, clock: clock, pressure: pressure)
        let viewer = pool.viewer(of: FrameSequence(media(16)))
        _ = try await play(viewer, count: 16, of: 16)
        #expect(pool.bytesInUse == 16 * 256)
        pressure.report(.warning)
        #expect(pool.statistics.effectiveBudget == 8 * 256)
        #expect(pool.bytesInUse <= 8 * 256)
        pressure.report(.critical)
        #expect(pool.bytesInUse <= 2 * 256)
        #expect(try await play(viewer, count: 32, of: 16) == (0..<32).map { $0 % 16 })
        #expect(pool.statistics.stores.first?.framesAllowed == 2)
        for _ in 0..<5 {
            clock.advance(by: FramePool.calmPeriod)
            _ = try await viewer.frame(0)
        }
        #expect(pool.statistics.effectiveBudget == 16 * 256)
        _ = try await play(viewer, count: 16, of: 16)
        #expect(pool.statistics.stores.first?.isWhole == true)
        #expect(pool.peakBytes == 16 * 256)
    }

    @Test func `the budget may change during playback`() async throws {
        let pool = FramePool(budget: 10 * 256)
        let viewer = pool.viewer(of: FrameSequence(media(10)))
        _ = try await play(viewer, count: 10, of: 10)
        pool.budget = 3 * 256
        #expect(pool.bytesInUse <= 3 * 256)
        pool.budget = 10 * 256
        #expect(try await play(viewer, count: 20, of: 10) == (0..<20).map { $0 % 10 })
    }

    @Test func `cancelling the waiting task ends the wait`() async throws {
        let gate = ThreadGate()
        var media = media(3)
        media.willDecode = { _ in gate.wait() }
        let pool = FramePool(budget: 1 << 20, executor: BlockingPool(width: 1))
        let viewer = pool.viewer(of: FrameSequence(media))
        let task = Task { () -> MediaError.Code? in
            do throws(MediaError) { _ = try await viewer.frame(0) } catch { return error.code }
            return nil
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        gate.open()
        #expect(try await viewer.frame(0)?.index == 0)
    }

    @Test func `there is no frame after the end, and errors are thrown`() async throws {
        var media = media(4)
        media.info.frameCount = nil
        media.fault = (2, MediaError(.malformed, "It is broken."))
        let viewer = FramePool(budget: 1 << 20).viewer(of: FrameSequence(media))
        #expect(try await viewer.frame(1)?.index == 1)
        await #expect(throws: MediaError.self) { try await viewer.frame(2) }
        #expect(try await viewer.frame(3)?.index == 3)
        #expect(try await viewer.frame(9) == nil)
        #expect(try await viewer.frame(-1) == nil)
    }

    @Test func `an exhausted reader is replaced`() async throws {
        let media = media(10)
        let limits = DecodingLimits(frames: 25)
        let pool = FramePool(budget: 2 * 256)
        let viewer = pool.viewer(of: FrameSequence(media, limits: limits))
        #expect(try await play(viewer, count: 100, of: 10) == (0..<100).map { $0 % 10 })
        #expect(media.log.made >= 4)
    }

    @Test func `many viewers play and pause concurrently, and nothing leaks`() async throws {
        let pool = FramePool(budget: 40 * 256)
        let medias = (0..<6).map { media(8 + $0 * 7) }
        let sequences = medias.map { FrameSequence($0) }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    var random = SplitMix(UInt64(number))
                    for _ in 0..<12 {
                        let place = Int.random(in: 0..<6, using: &random)
                        let count = 8 + place * 7
                        let viewer = pool.viewer(of: sequences[place])
                        for step in 0..<Int.random(in: 1...30, using: &random) {
                            if step % 11 == 7 { viewer.setActive(false) }
                            if step % 11 == 9 { viewer.setActive(true) }
                            let wanted = step % count
                            let frame = try? await viewer.frame(wanted)
                            #expect(frame?.bitmap[0, 0].x == UInt8(wanted))
                        }
                    }
                }
            }
        }
        #expect(pool.statistics.stores.isEmpty)
        // The last jobs may still hold what they were decoding, and their readers a little longer.
        while pool.bytesInUse > 0 { await Task.yield() }
        for _ in 0..<100_000 where medias.contains(where: { $0.log.live > 0 }) {
            await Task.yield()
        }
        #expect(medias.allSatisfy { $0.log.live == 0 })
    }
}

/// Holds threads of a pool up until it is opened; until then they sleep.
///
/// Unchecked: the semaphore is made for many threads.
final class ThreadGate: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t> = .allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func open() { sem_post(semaphore) }

    /// Waits for the opening, and leaves the gate open behind it.
    func wait() {
        while sem_wait(semaphore) != 0 {}
        sem_post(semaphore)
    }
}
