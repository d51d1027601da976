import Glibc
import LazyIsolation
import LazyKit
import LazyMedia
import Synchronization

extension Bench {
    /// All frames, each pixel once in 64.
    private func readAll(_ registry: DecoderRegistry, lends: Bool) throws -> Int {
        let media = try registry.open(FileBytes(path: clip), limits: .local)
        var options = ReaderOptions(limits: .local)
        options.lendsPixels = lends
        let reader = try media.makeReader(options)
        var frames = 0
        var sum: UInt64 = 0
        while let frame = try reader.nextFrame() {
            frames += 1
            frame.bitmap.withBytes { bytes in
                for offset in stride(from: 0, to: bytes.count, by: 64) {
                    sum &+= UInt64(bytes[offset])
                }
            }
        }
        precondition(sum != 1)
        return frames
    }

    func frames() throws {
        var times: [[Double]] = [[], [], []]
        var frames = 0
        for _ in 0..<7 {
            times[0].append(try milliseconds { frames = try readAll(.standard, lends: false) })
            times[1].append(try milliseconds { _ = try readAll(isolated, lends: true) })
            times[2].append(try milliseconds { _ = try readAll(isolated, lends: false) })
        }
        let (here, lent, copied) = (median(times[0]), median(times[1]), median(times[2]))
        print("all frames, in process: \(text(here)) ms for \(frames)")
        print("all frames, lent: \(text(lent)) ms, \(text(here / lent)) × the speed in process")
        print("all frames, copied: \(text(copied)) ms, \(text(here / copied)) × the speed in process")
    }

    func posters() throws {
        let first = try milliseconds { try poster(isolated) }
        let firstHere = try milliseconds { try poster(.standard) }
        print("first poster: \(text(first)) ms isolated, then \(text(firstHere)) ms in process")
        usleep(300_000)
        var times: [[Double]] = [[], []]
        for _ in 0..<count {
            times[0].append(try milliseconds { try poster(.standard) })
            times[1].append(try milliseconds { try poster(isolated) })
        }
        let (here, there) = (median(times[0]), median(times[1]))
        print("warm poster: \(text(there)) ms, \(text(there / here)) × the time in process")
        let least = (here: times[0].min() ?? 0, there: times[1].min() ?? 0)
        print("fastest warm poster: \(text(least.there)) ms, \(text(least.here)) ms in process")
    }

    /// From the request until the decoder has asked for its first bytes.
    func firstRead() throws {
        let file = try FileBytes(path: clip)
        let type = try isolated.type(of: file)
        for (name, isolation) in [
            ("forked on request", DecodingIsolation.perMedia), ("forked ahead", .pooled(2)),
        ] {
            let registry = DecoderRegistry.standard.isolated(
                by: DecoderHost(IsolationPolicy(isolation)))
            var times: [Double] = []
            for round in 0..<count + 5 {
                let source = TimedBytes(file)
                let start = ContinuousClock.now
                let media = try registry.open(source, as: type, limits: .local)
                // The first ones load the libraries.
                if round >= 5, let first = source.firstRead {
                    times.append((first - start) / .milliseconds(1))
                }
                withExtendedLifetime(media) {}
                usleep(2000)
            }
            times.sort()
            print(
                "first read, \(name): median \(text(median(times))) ms, 95th percentile \(text(times[times.count * 95 / 100]))"
            )
        }
    }
}

/// Bytes that remember when they were first read.
private final class TimedBytes: ByteSource {
    private let base: FileBytes
    private let first = Mutex<ContinuousClock.Instant?>(nil)

    init(_ base: FileBytes) { self.base = base }

    var count: Int { base.count }
    // Otherwise the decoder would read the file itself.
    var isRemote: Bool { true }
    var firstRead: ContinuousClock.Instant? { first.withLock { $0 } }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        first.withLock { $0 = $0 ?? .now }
        return try base.read(at: offset, into: buffer)
    }

    func contiguous() throws(MediaError) -> MemoryBytes { try base.contiguous() }
}
