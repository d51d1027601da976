import Foundation
import Support
import Testing

@testable import CacheWorker
@testable import LazyBase
@testable import LazyLoading

/// Writing processes are killed at random while this one reads.
@Suite(.ownThreads) struct CrashTests {
    let scratch = Scratch()

    /// The number of killed processes, or `LAZY_CRASHES`.
    static let kills =
        ProcessInfo.processInfo.environment["LAZY_CRASHES"].flatMap { Int($0) } ?? 500

    @Test func `after kill -9 at any time, reads are valid and flushed entries present`()
        async throws
    {
        let reader = try Reader(folder: scratch.path)
        let end = CancellationFlag()
        let folder = scratch.path
        await withTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: BlockingPool.disk) {
                while !end.isCancelled { reader.readOne() }
            }
            await withTaskGroup(of: Void.self) { writers in
                for parity in 0..<2 {
                    writers.addTask(executorPreference: BlockingPool.disk) {
                        for round in 0..<Self.kills / 2 {
                            crash(folder, round: round, parity: parity, reader)
                        }
                    }
                }
            }
            end.cancel()
        }
        reader.readAll()
        #expect(reader.wrong == [])
        #expect(reader.readCount > 1000)
        #expect(reader.flushedCount > Self.kills)
        let store = try DiskStore(folder: folder + "/store")
        #expect(store.verify().damaged == [])
        store.sweep()
        try DataCache(folder: folder + "/data").sweep()
        // Nobody continues what a data cache writes.
        let left = scratch.files.filter { $0.hasSuffix(".tmp") || $0.hasPrefix("data/partial/") }
        #expect(left == [])
    }
}

/// Starts a worker and kills it after it has flushed a few entries.
private func crash(_ folder: String, round: Int, parity: Int, _ reader: Reader) {
    var random = SplitMix(UInt64(round * 2 + parity))
    guard let worker = WorkerProcess(folder, firstVersion: round * 100_000 + 1, parity: parity)
    else { return reader.report("a worker did not start") }
    var lines: [String] = []
    let wanted = Int(random.next() % 8)
    while lines.count < wanted, let line = worker.nextLine() { lines.append(line) }
    // The time that reading takes is as random as any.
    for _ in 0..<random.next() % 6 { reader.readOne() }
    worker.kill()
    while let line = worker.nextLine() { lines.append(line) }
    if !worker.wasKilled() { reader.report("a worker ended by itself") }
    lines.forEach(reader.didFlush)
}

/// Reads the entries of workers, and records which ones they have flushed.
private final class Reader: Sendable {
    private struct State {
        var random = SplitMix(42)
        var flushed: [String: Int] = [:]
        var flushedCount = 0
        var readCount = 0
        var wrong: [String] = []
    }
    private let store: DiskStore
    private let cache: DataCache
    private let state = Locked(State())

    init(folder: String) throws {
        store = try DiskStore(folder: folder + "/store")
        cache = try DataCache(folder: folder + "/data")
    }

    var wrong: [String] { state.withLock { $0.wrong } }
    var readCount: Int { state.withLock { $0.readCount } }
    var flushedCount: Int { state.withLock { $0.flushedCount } }

    func report(_ what: String) { state.withLock { $0.wrong.append(what) } }

    func didFlush(_ line: String) {
        let words = line.split(separator: " ")
        guard words.count == 3, words[0] != "wrong", let version = Int(words[2]) else {
            return report(line)
        }
        state.withLock { state in
            state.flushed["\(words[0]) \(words[1])"] = version
            state.flushedCount += 1
        }
    }

    func readOne() {
        let (number, isData) = state.withLock { state in
            (Int(state.random.next() % UInt64(CrashContent.keyCount)), state.random.next() % 3 == 0)
        }
        if isData { readData(number) } else { readEntry(number) }
    }

    func readAll() {
        for number in 0..<CrashContent.keyCount {
            readEntry(number)
            readData(number)
        }
    }

    private func readEntry(_ number: Int) {
        let known = state.withLock { $0.flushed["store \(number)"] }
        do throws(SystemError) {
            guard let entry = try store.entry(for: CrashContent.key(number)) else {
                return didRead("store \(number)", nil, known)
            }
            let body = try entry.body.bytes()
            let version = CrashContent.version(ofBody: body, number: number, isWhole: true)
            if version == nil { report("store \(number) has wrong bytes") }
            if entry.metadata != version.map({ CrashContent.label(number, $0) }) {
                report("store \(number) has the metadata of another body")
            }
            didRead("store \(number)", version, known)
        } catch {
            report("store \(number): \(error)")
        }
    }

    private func readData(_ number: Int) {
        let known = state.withLock { $0.flushed["data \(number)"] }
        do throws(SystemError) {
            let body = try cache[CrashContent.key(number)]?.bytes()
            let version = body.flatMap {
                CrashContent.version(ofBody: $0, number: number, isWhole: true)
            }
            if body != nil, version == nil { report("data \(number) has wrong bytes") }
            didRead("data \(number)", version, known)
        } catch {
            report("data \(number): \(error)")
        }
    }

    /// An entry is at least as new as the last one known to be flushed.
    private func didRead(_ what: String, _ version: Int?, _ known: Int?) {
        if let known, (version ?? 0) < known {
            report("\(what) was flushed as \(known) and is \(version.map(String.init) ?? "gone")")
        }
        state.withLock { $0.readCount += 1 }
    }
}
