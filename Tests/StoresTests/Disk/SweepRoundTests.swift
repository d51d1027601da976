import Support
import Testing

@testable import LazyBase
@testable import LazyLoading

@Suite struct SweepRoundTests {
    let scratch = Scratch()
    let clock = ManualClock()

    private func store(_ limits: StoreLimits = .init()) throws -> DiskStore {
        try DiskStore(folder: scratch.path, limits: limits, clocks: clock.clocks)
    }

    /// A store of so many entries, the first of which are the oldest.
    private func fill(_ count: Int) throws -> DiskStore {
        let store = try store()
        for number in 0..<count {
            if number % 100 == 0 { clock.advance(by: .seconds(70)) }
            try store.store(Blob(noise(100)), for: "\(number)")
        }
        return store
    }

    @Test
    func `a write to a large store that is full removes a few entries, and later ones the rest`()
        throws
    {
        let count = 1500
        let size = try fill(count).statistics().byteCount
        let store = try store(StoreLimits(byteCount: size / 2, trimRatio: 0.8))
        clock.advance(by: .seconds(70))
        var before = store.statistics().count
        var writes = 0
        repeat {
            try store.store(Blob(noise(100)), for: "new \(writes)")
            writes += 1
            let now = store.statistics().count
            #expect(before + 1 - now <= SweepRound.sliceVictims)
            before = now
        } while store.root.status(of: DiskLayout.sweeping)?.size != 0 && writes < 200
        #expect((10..<180).contains(writes))
        let statistics = store.statistics()
        #expect(statistics.byteCount <= size / 2)
        // Writes of the instant in which the round began are not told apart.
        #expect(abs(StoreState.read(in: store.root).byteCount - statistics.byteCount) < 500)
        // Nearly all of the older half went, and nearly none of the others.
        let (old, new) = (0..<count / 2, count * 7 / 10..<count)
        #expect(old.count { store.contains("\($0)") } < old.count / 10)
        #expect(new.count { store.contains("\($0)") } > new.count * 9 / 10)
    }

    @Test func `a large store is scanned in parts that have each entry once`() throws {
        let store = try fill(300)
        var found: [String] = []
        var prefix = 0
        while prefix < SweepRound.prefixCount {
            let slice = store.scan(from: prefix, about: 40)
            #expect(slice.prefixes.lowerBound == prefix && !slice.prefixes.isEmpty)
            #expect(slice.entries.count < 60)
            found += slice.entries.map(\.name)
            prefix = slice.prefixes.upperBound
        }
        #expect(Set(found).count == 300 && found.count == 300)
    }

    @Test func `a folder with many entries is scanned by the third digit of their names`() throws {
        let store = try fill(1)
        let tail = String(repeating: "0", count: 61)
        try store.root.makeFolder("00")
        for number in 0..<64 {
            scratch["00/00\(hex(number % 16))\(hex(number / 16))\(tail.dropLast())"] = [1]
        }
        let first = store.scan(from: 0, about: 6)
        #expect(first.prefixes == 0..<2 && first.entries.count == 8)
        #expect(store.scan(from: 2, about: 4).prefixes == 2..<3)
        #expect(store.scan(from: 15, about: 4).entries.count >= 4)
    }

    private func hex(_ digit: Int) -> String { String(digit, radix: 16) }

    @Test func `a large folder is listed once in a round`() throws {
        let store = try fill(1)
        let tail = String(repeating: "0", count: 60)
        try store.root.makeFolder("00")
        for number in 0..<512 {
            let digits = [number % 16, number / 16 % 16, number / 256].map(hex).joined()
            scratch["00/00\(digits)\(tail.dropLast())"] = [1]
        }
        var round = SweepRound(before: 10, limit: 5, at: WallTime(seconds: 7))
        #expect(store.scan(from: 0, about: 40, of: round).entries.count == 64)
        // What was stored since belongs to the next round; what was removed is not found.
        scratch["00/002ff\(tail.dropLast())"] = [1]
        store.root.remove("00/00200\(tail.dropLast())")
        #expect(store.scan(from: 2, about: 31, of: round).entries.count == 31)
        round = SweepRound(before: 10, limit: 5, at: WallTime(seconds: 8))
        #expect(store.scan(from: 2, about: 31, of: round).entries.count == 32)
    }

    @Test func `as many bytes are removed as needed, but not many entries`() {
        let small = (0..<20).map {
            SweepPlan.Item(name: "\($0)", size: 10, lastUsed: WallTime(seconds: 1))
        }
        #expect(SweepRound.first(small, forWritten: 1).count == SweepRound.fewVictims)
        #expect(SweepRound.first(small, forWritten: 45).count == 9)
        #expect(SweepRound.first(small, forWritten: 1000).count == SweepRound.sliceVictims)
        #expect(SweepRound.first(Array(small[..<3]), forWritten: 1000).count == 3)
    }

    @Test func `another process continues a round`() throws {
        let size = try fill(1200).statistics().byteCount
        let limits = StoreLimits(byteCount: size / 2, trimRatio: 0.8)
        clock.advance(by: .seconds(70))
        var writes = 0
        repeat {
            try store(limits).store(Blob([1]), for: "new")
            writes += 1
        } while !scratch["sweeping"].isEmpty && writes < 200
        #expect(writes < 180)
        #expect(try store().statistics().byteCount <= size / 2)
    }

    @Test func `a whole sweep needs no writes`() throws {
        let size = try fill(1200).statistics().byteCount
        let store = try store(StoreLimits(byteCount: size / 2, trimRatio: 0.8))
        store.sweep()
        #expect(store.statistics().byteCount <= size / 2)
        #expect(StoreState.read(in: store.root).byteCount == store.statistics().byteCount)
    }

    @Test func `a round is read as it was written, and damaged ones are not`() throws {
        var round = SweepRound(before: 10, limit: 5, at: WallTime(seconds: 7))
        round.next = 77
        round.count([(size: 1234, storedAt: WallTime(seconds: 8))])
        var read = try #require(SweepRound(round.encoded))
        #expect(read.next == 77 && read.total(now: 15) == 1239 && read.evicts)
        // What was stored since is in the counter already.
        read.count([(1, WallTime(seconds: 6)), (2, WallTime(seconds: 7))])
        #expect(read.total(now: 15) == 1240)
        for place in round.encoded.indices {
            var bytes = round.encoded
            bytes[place] ^= 1
            #expect(SweepRound(bytes) == nil)
        }
        #expect(SweepRound(Array(round.encoded.dropLast())) == nil)
        round.next = SweepRound.prefixCount
        #expect(SweepRound(round.encoded) == nil)
    }

    @Test func `a part of the names gets its part of the bytes`() {
        let plan = SweepPlan(limit: 1000, target: 800)
        #expect(plan.part(0..<4096, evicts: true) == plan)
        #expect(plan.part(0..<1024, evicts: true) == SweepPlan(limit: 200, target: 200))
        #expect(plan.part(4000..<4096, evicts: false).limit == .max)
    }
}
