import Foundation
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline

/// How the cost of stores, pipelines and frame pools grows; `Benchmarks/growth.py` draws its curves.
///
///     micro growth entries COUNT FOLDER
///     micro growth rounds COUNT FILE
///     micro growth callers COUNT
///     micro growth views COUNT
///
/// Prints a JSON line for each measured operation.
struct GrowthBenchmarks {
    let count: Int
    private let clock = ContinuousClock()

    func run(_ topic: String, _ folder: String?) async throws {
        switch (topic, folder) {
        case ("entries", let folder?): try entries(folder)
        case ("rounds", let file?): try await CacheRounds(count: count, file: file).run()
        case ("callers", _): await callers()
        case ("views", _): await views()
        default:
            print("micro growth entries COUNT FOLDER | rounds COUNT FILE | callers or views COUNT")
        }
    }

    // MARK: - A disk store

    private func entries(_ folder: String) throws {
        let store = try DiskStore(folder: folder, limits: StoreLimits(byteCount: 1 << 40))
        try fill(store)
        store.sweep()
        try report("start-up", 100) { _ in _ = try DiskStore(folder: folder) }
        var random = SystemRandomNumberGenerator()
        try report("hit", 2000) { _ in
            use(try store.entry(for: "\(Int.random(in: 0..<count, using: &random))")?.body.bytes())
        }
        try report("miss", 2000) { use(try store.entry(for: "nothing \($0)")) }
        try report("write", 500) { try store.store(Blob(Self.body), for: "new \($0)") }
        report("sweep of everything", count, in: clock.measure { store.sweep() })
        // Full now: the writes that follow make room.
        let full = try DiskStore(
            folder: folder,
            limits: StoreLimits(byteCount: store.statistics().byteCount - 1, trimRatio: 0.95))
        var (slowest, busiest) = (Duration.zero, Duration.zero)
        try report("write to a full store", 200) { number in
            let before = Self.threadTime
            let time = try clock.measure { try full.store(Blob(Self.body), for: "more \(number)") }
            slowest = max(slowest, time)
            busiest = max(busiest, Self.threadTime - before)
        }
        report("the slowest of those writes", 1, in: slowest)
        report("the same in CPU time", 1, in: busiest)
    }

    /// The CPU time of this thread, which does not depend on what else the machine does.
    private static var threadTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static let body = [UInt8](repeating: 7, count: 100)

    private func fill(_ store: DiskStore) throws {
        DispatchQueue.concurrentPerform(iterations: 2) { part in
            for number in stride(from: part, to: count, by: 2) where !store.contains("\(number)") {
                try? store.store(Blob(Self.body), for: "\(number)")
            }
        }
    }

    // MARK: - Callers of a pipeline

    private func callers() async {
        let pipeline = PipelineBenchmarks.pipeline(StillLoader(), cache: nil)
        let requests = Pictures.requests(count)
        let rounds = max(1, 16_384 / count)
        var times: [Duration] = []
        for _ in 0..<5 {
            let time = await clock.measure {
                for _ in 0..<rounds {
                    await withTaskGroup(of: Void.self) { group in
                        for request in requests {
                            group.addTask { use(try? await pipeline.image(for: request)) }
                        }
                    }
                }
            }
            times.append(time)
        }
        times.sort()
        report("a load, nothing cached", rounds * count, in: times[2])
    }

    // MARK: - Animations under one budget

    private func views() async {
        let pool = FramePool(budget: 64 << 20)
        let start = clock.now
        let viewers = (0..<count).map { _ in
            pool.viewer(of: FrameSequence(Striped(frameCount: 10)))
        }
        report("joining the pool", count, in: clock.now - start)
        let steps = max(20, 2000 / count)
        let time = await clock.measure {
            for step in 0..<steps {
                for viewer in viewers { use(try? await viewer.frame(step % 10)) }
            }
        }
        report("a frame", steps * count, in: time)
        precondition(pool.peakBytes <= max(pool.budget, count * 3 * 128 * 80 * 4))
    }

    // MARK: - Reports

    private func report(
        _ name: String, _ repeats: Int, _ work: (Int) throws -> Void
    ) rethrows {
        let time = try clock.measure { for number in 0..<repeats { try work(number) } }
        report(name, repeats, in: time)
    }

    private func report(_ name: String, _ repeats: Int, in time: Duration) {
        let seconds = time.seconds / Double(repeats)
        print(
            "{\"name\": \"\(name)\", \"amount\": \(count), \"seconds\": \(seconds), "
                + "\"memory\": \(Self.peakMemory)}")
    }

    /// The peak of the process so far in MiB.
    private static var peakMemory: Double {
        var usage = rusage()
        getrusage(numericCast(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_maxrss) / 1024
    }
}

/// An animation of 128 x 80 pixels that is drawn instead of decoded.
private struct Striped: OpenedMedia {
    let info: MediaInfo
    static let size = PixelSize(width: 128, height: 80)

    init(frameCount: Int) {
        info = MediaInfo(type: .gif, codec: "stripes", size: Self.size, frameCount: frameCount)
    }

    static func timing(_ number: Int) -> FrameTiming {
        FrameTiming(
            index: number, presentation: MediaTime(microseconds: Int64(number) * 100_000),
            duration: MediaTime(microseconds: 100_000), isKeyframe: true)
    }

    func frameIndex(_ cancellation: CancellationFlag) -> FrameIndex {
        FrameIndex((0..<(info.frameCount ?? 0)).map(Self.timing))
    }

    func makeReader(_ options: ReaderOptions) -> any FrameReader {
        Reader(frameCount: info.frameCount ?? 0)
    }

    func embeddedPoster(_ options: ReaderOptions) -> Bitmap? { nil }

    private final class Reader: FrameReader {
        private let frameCount: Int
        private var next = 0
        let warnings: [MediaWarning] = []

        init(frameCount: Int) { self.frameCount = frameCount }

        func nextFrame(
            where isWanted: (FrameTiming) -> Bool
        ) throws(MediaError) -> (timing: FrameTiming, frame: Frame?)? {
            guard next < frameCount else { return nil }
            defer { next += 1 }
            let bitmap = try Bitmap(size: Striped.size, isOpaque: true) { bytes in
                bytes.initializeMemory(as: UInt8.self, repeating: UInt8(next))
            }
            let timing = Striped.timing(next)
            return (timing, Frame(bitmap: bitmap, timing: timing))
        }

        func seek(toIndex index: Int) { next = index }
        func seek(toTime time: Duration) { next = Int(time / .milliseconds(100)) }
    }
}
