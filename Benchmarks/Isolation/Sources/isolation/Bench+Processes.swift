import Glibc
import LazyIsolation
import LazyKit
import LazyMedia

extension Bench {
    /// One slot: the next media gets it when the cancelled one has given it up.
    func cancel() async throws {
        let one = DecoderRegistry.standard.isolated(
            by: DecoderHost(IsolationPolicy(maximumProcesses: 1)))
        var times: [Double] = []
        for round in 0..<count {
            let media = FrameSequence(try one.open(FileBytes(path: clip), limits: .local))
            let task = Task { for try await _ in media.frames(looping: .forever) {} }
            try await Task.sleep(for: .milliseconds(20 + round % 7))
            let start = ContinuousClock.now
            task.cancel()
            _ = await task.result
            times.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        times.sort()
        print(
            "cancelled after: median \(text(median(times))) ms, 99th percentile \(text(times[times.count * 99 / 100]))"
        )
    }

    /// What this process and those that fork hold after many media.
    func leaks() throws {
        for _ in 0..<50 { try poster(isolated) }
        report("50 media")
        let step = max(1, count / 5)
        for first in stride(from: 0, to: count, by: step) {
            let last = min(count, first + step)
            for _ in first..<last { try poster(isolated) }
            report("\(50 + last) media")
        }
    }

    private func report(_ title: String) {
        // The last decoder ends when it is reaped.
        while host.liveDecoders > 0 { usleep(10_000) }
        usleep(50_000)
        print("\(title): \(Holdings(getpid()))")
        for process in ProcessList().descendants(of: getpid()) {
            print("  \(process.isZombie ? "zombie" : process.name): \(Holdings(process.id))")
        }
        fflush(nil)
    }

    /// Many media that are open at once, each with a reader that has decoded.
    func crowd() throws {
        let limits = DecodingLimits.untrusted
        let crowd = DecoderHost(IsolationPolicy(maximumProcesses: count, idleTime: .seconds(600)))
        let registry = DecoderRegistry.standard.isolated(by: crowd)
        var readers: [any FrameReader] = []
        var ring = 0
        for _ in 0..<count {
            let media = try registry.open(FileBytes(path: clip), limits: limits)
            let reader = try media.makeReader(ReaderOptions(limits: limits))
            for _ in 0..<4 { _ = try reader.nextFrame() }
            readers.append(reader)
            ring = media.info.size.rgbaByteCount * 4
        }
        let processes = ProcessList().descendants(of: getpid())
        let anonymous = processes.reduce(0) { $0 + Holdings($1.id).privateBytes }
        let bound = count * (ring + (limits.memory ?? 0) + 256 << 20)
        print(
            "\(readers.count) readers: \(processes.count) processes, \(anonymous >> 20) MiB of private memory; slots and limits together allow \(bound >> 20) MiB"
        )
    }
}
