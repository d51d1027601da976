import Foundation
import Support
import Testing

@testable import LazyBase
@testable import LazyLoading

/// Interrupted bodies that are continued.
@Suite struct ResumeTests {
    let scratch = Scratch()
    let clock = ManualClock()
    let block = EntryFormat.blockSize

    func store(_ limits: StoreLimits = .init()) throws -> DiskStore {
        try DiskStore(folder: scratch.path, limits: limits, clocks: clock.clocks)
    }

    @Test(arguments: [1, 100, 65_535, 65_536, 65_537, 200_000])
    func `a suspended entry is taken up where it stopped`(length: Int) throws {
        let body = noise(300_000)
        let first = try store().makeWriter(for: "key", metadata: [1])
        try first.append(Array(body[..<length]))
        first.setMetadata([2])
        let early = first.written
        first.suspend()
        #expect(try store().entry(for: "key") == nil)

        let second = try #require(try store().suspendedWriter(for: "key"))
        #expect(second.metadata == [2])
        #expect(try second.written.bytes() == Array(body[..<length]))
        try second.append(Array(body[length...]))
        #expect(try early.bytes() == Array(body[..<length]))
        try second.commit()
        let entry = try #require(try store().entry(for: "key"))
        #expect(try entry.body.bytes() == body)
        #expect(entry.metadata == [2])
        #expect(scratch.partials.isEmpty)
        #expect(try early.bytes() == Array(body[..<length]))
    }

    @Test func `an entry can be suspended repeatedly`() throws {
        let body = noise(250_000)
        var writer = try store().makeWriter(for: "key", metadata: [])
        for start in stride(from: 0, to: body.count, by: 10_000) {
            try writer.append(Array(body[start..<start + 10_000]))
            writer.suspend()
            writer = try #require(try store().suspendedWriter(for: "key"))
            #expect(writer.written.count == start + 10_000)
        }
        try writer.commit()
        #expect(try store().entry(for: "key")?.body.bytes() == body)
    }

    @Test func `a suspended entry is held exclusively`() throws {
        let store = try store()
        let writer = try store.makeWriter(for: "key", metadata: [])
        try writer.append([1, 2, 3])
        #expect(try store.suspendedWriter(for: "key") == nil)
        writer.suspend()
        let again = try store.suspendedWriter(for: "key")
        #expect(again != nil)
        #expect(try self.store().suspendedWriter(for: "key") == nil)
        again?.suspend()
        #expect(try store.suspendedWriter(for: "other") == nil)
        #expect(try store.suspendedWriter(for: "key") != nil)
        // That one was dropped.
        #expect(try store.suspendedWriter(for: "key") == nil)
        #expect(scratch.partials.isEmpty)
    }

    @Test func `the second writer of a key leaves nothing when it is suspended`() throws {
        let store = try store()
        let first = try store.makeWriter(for: "key", metadata: [])
        let second = try store.makeWriter(for: "key", metadata: [])
        try second.append([1])
        second.suspend()
        #expect(scratch.partials.count == 1)
        try first.append([2])
        first.suspend()
        #expect(try store.suspendedWriter(for: "key")?.written.bytes() == [2])
    }

    @Test func `a new entry does not disturb readers of the suspended one`() throws {
        let store = try store()
        let old = try store.makeWriter(for: "key", metadata: [])
        try old.append(noise(100_000, seed: 1))
        let early = old.written
        old.suspend()
        let new = try store.makeWriter(for: "key", metadata: [])
        try new.append(noise(100_000, seed: 2))
        #expect(try early.bytes() == noise(100_000, seed: 1))
        new.suspend()
        #expect(
            try store.suspendedWriter(for: "key")?.written.bytes() == noise(100_000, seed: 2))
    }

    /// The file of a killed writer: blocks without a footer, possibly half a block.
    @Test func `a truncated file yields its whole blocks`() throws {
        let body = noise(3 * block + 1000)
        let writer = try store().makeWriter(for: "key", metadata: [9])
        try writer.append(body)
        writer.suspend()
        let file = try #require(scratch.partials.first)
        let good = scratch[file]
        let header = EntryFormat.headerSize + 4
        let cuts = Array(stride(from: 0, to: good.count, by: 1777)) + (header - 4...header + 4)
        for cut in cuts {
            scratch[file] = Array(good[..<cut])
            let found = try store().suspendedWriter(for: "key")
            let blocks = max(0, cut - header) / (block + 4)
            #expect(found?.written.count ?? 0 == blocks * block, "cut at \(cut)")
            #expect(try found?.written.bytes() ?? [] == Array(body[..<(blocks * block)]))
            if blocks > 0 { #expect(found?.metadata == [9]) }
        }
        scratch[file] = good
        #expect(try store().suspendedWriter(for: "key")?.written.bytes() == body)
    }

    @Test func `a damaged byte truncates to the previous block`() throws {
        let body = noise(3 * block + 1000)
        let writer = try store().makeWriter(for: "key", metadata: [9])
        try writer.append(body)
        writer.suspend()
        let file = try #require(scratch.partials.first)
        let good = scratch[file]
        let header = EntryFormat.headerSize + 4
        for place in stride(from: 0, to: good.count, by: 997) {
            scratch[file] = good
            scratch[file][place] ^= 1
            let found = try store().suspendedWriter(for: "key")
            let count = found?.written.count ?? 0
            #expect(count <= max(0, place - header), "byte \(place)")
            #expect(count == body.count || count % block == 0)
            #expect(try found?.written.bytes() ?? [] == Array(body[..<count]))
        }
    }

    @Test func `an entry is continued after a crash`() throws {
        let body = noise(4 * block)
        let (file, left) = try {
            let writer = try store().makeWriter(for: "key", metadata: [9])
            try writer.append(Array(body[..<(2 * block + 5)]))
            let file = try #require(scratch.partials.first)
            return (file, scratch[file])
        }()
        #expect(scratch.partials.isEmpty)
        scratch[file] = left
        let again = try #require(try store().suspendedWriter(for: "key"))
        #expect(again.written.count == 2 * block)
        try again.append(Array(body[(2 * block)...]))
        try again.commit()
        #expect(try store().entry(for: "key")?.body.bytes() == body)
    }

    @Test func `an entry's own file is not taken for a suspended one`() throws {
        let store = try store()
        try store.store(Blob(noise(100)), for: "key")
        scratch["partial/" + DiskLayout.name(of: "key") + ".part"] =
            scratch[try #require(scratch.entries.first)]
        #expect(try store.suspendedWriter(for: "key") == nil)
        #expect(scratch.partials.isEmpty)
    }

    @Test func `the oldest suspended entries are removed beyond the limit`() throws {
        let store = try store(StoreLimits(partialBytes: 250_000))
        for key in ["a", "b", "c"] {
            clock.advance(by: .seconds(1))
            let writer = try store.makeWriter(for: key, metadata: [])
            try writer.append(noise(100_000))
            writer.suspend()
        }
        #expect(try store.suspendedWriter(for: "a") == nil)
        let b = try #require(try store.suspendedWriter(for: "b"))
        b.suspend()
        clock.advance(by: .seconds(14 * 24 * 3600 + 1))
        let c = try #require(try store.suspendedWriter(for: "c"))
        store.sweep()
        #expect(try store.suspendedWriter(for: "b") == nil)
        #expect(c.written.count == 100_000)
        try c.commit()
        #expect(store.contains("c"))
    }

    @Test func `the newest suspended entry is kept regardless of size`() throws {
        let store = try store(StoreLimits(partialBytes: 50_000))
        for key in ["a", "b"] {
            clock.advance(by: .seconds(1))
            let writer = try store.makeWriter(for: key, metadata: [])
            try writer.append(noise(100_000))
            writer.suspend()
        }
        store.sweep()
        #expect(try store.suspendedWriter(for: "a") == nil)
        let newest = try #require(try store.suspendedWriter(for: "b"))
        #expect(newest.written.count == 100_000)
        newest.suspend()
        clock.advance(by: .seconds(14 * 24 * 3600 + 1))
        store.sweep()
        #expect(scratch.partials.isEmpty)
    }

    @Test func `a discarded entry makes room for another`() throws {
        let store = try store()
        let old = try store.makeWriter(for: "key", metadata: [])
        try old.append([1, 2])
        old.discard()
        let new = try store.makeWriter(for: "key", metadata: [])
        try new.append([3])
        new.suspend()
        old.discard()
        #expect(try store.suspendedWriter(for: "key")?.written.bytes() == [3])
        #expect(try old.written.bytes() == [1, 2])
    }
}
