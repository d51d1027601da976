import Glibc
import Support
import Testing

@testable import LazyBase
@testable import LazyLoading

/// Bodies that are written in any order, concurrently, and with interruptions.
@Suite struct SparseEntryTests {
    let scratch = Scratch()
    let clock = ManualClock()
    let block = EntryFormat.blockSize
    static let body = noise(5 * EntryFormat.blockSize + 777)

    func store(_ limits: StoreLimits = .init()) throws -> DiskStore {
        try DiskStore(folder: scratch.path, limits: limits, clocks: clock.clocks)
    }

    func open(_ store: DiskStore, count: Int = body.count) throws -> (any EntryFilling)? {
        try store.filling(for: "key") { _ in count }
    }

    func make(_ store: DiskStore, metadata: [UInt8] = [7]) throws -> any EntryFilling {
        try #require(
            try store.makeFilling(for: "key", metadata: metadata, count: Self.body.count))
    }

    func fill(_ entry: any EntryFilling, _ range: Range<Int>) throws {
        try entry.write(Array(Self.body[range]), at: range.lowerBound)
    }

    @Test(arguments: 0..<6) func `blocks in any order become the entry`(
        seed: Int
    ) throws {
        var random = SplitMix(UInt64(seed))
        var place = 0
        var pieces: [Range<Int>] = []
        while place < Self.body.count {
            // Blocks and beginnings of blocks, as ranges read them.
            let end = min(
                Self.body.count, (place / block + Int.random(in: 1...2, using: &random)) * block)
            pieces.append(place..<end)
            place = end
        }
        pieces.shuffle(using: &random)
        for (number, piece) in pieces.enumerated() {
            let entry = try open(store()) ?? make(store())
            let middle = Int.random(in: piece, using: &random)
            try fill(entry, piece.lowerBound..<middle)
            try fill(entry, middle..<piece.upperBound)
            #expect(entry.presentEnd(from: piece.lowerBound) >= piece.upperBound)
            if number < pieces.count - 1 {
                #expect(throws: SystemError(code: ENODATA)) { try entry.commit() }
                entry.close()
                #expect(try store().entry(for: "key") == nil)
            } else {
                try entry.commit()
            }
        }
        let entry = try #require(try store().entry(for: "key"))
        #expect(try entry.body.bytes() == Self.body)
        #expect(entry.metadata == [7])
        #expect(scratch.partials.isEmpty)
        #expect(try store().verify().damaged == [])
    }

    @Test func `present and missing bytes are reported`() throws {
        let entry = try make(store())
        try fill(entry, block..<2 * block)
        try fill(entry, 3 * block..<3 * block + 100)
        #expect(entry.presentEnd(from: 0) == 0)
        #expect(entry.missingEnd(from: 0) == block)
        #expect(entry.presentEnd(from: block + 5) == 2 * block)
        #expect(entry.missingEnd(from: 2 * block) == 3 * block)
        #expect(entry.presentEnd(from: 3 * block) == 3 * block + 100)
        #expect(entry.missingEnd(from: 3 * block + 100) == Self.body.count)
        #expect(throws: SystemError(code: EBADMSG)) { try entry.body.bytes(at: 0, count: 10) }
        #expect(throws: SystemError(code: EBADMSG)) {
            try entry.body.bytes(at: block, count: 3 * block)
        }
        let found = try entry.body.bytes(at: block, count: block)
        #expect(found == Array(Self.body[block..<2 * block]))
    }

    @Test func `only an exclusive writer keeps the beginning of a block`() throws {
        let entry = try make(store())
        try fill(entry, 0..<block)
        try fill(entry, 3 * block..<3 * block + 1000)
        entry.setMetadata([8])
        entry.close()
        let again = try #require(try open(store()))
        #expect(again.metadata == [8])
        #expect(again.presentEnd(from: 3 * block) == 3 * block + 1000)
        let other = try #require(try open(store()))
        try fill(again, 3 * block + 1000..<3 * block + 2000)
        again.close()
        // Beside another one only whole blocks stay, and what that one has of them.
        #expect(other.presentEnd(from: 3 * block) == 3 * block + 1000)
        try fill(other, 3 * block + 1000..<Self.body.count)
        try fill(other, block..<3 * block)
        try other.commit()
        #expect(try store().entry(for: "key")?.body.bytes() == Self.body)
    }

    @Test func `two instances read each other's bytes, and either completes the entry`() throws {
        let store = try store()
        let first = try make(store)
        let second = try #require(try open(self.store()))
        try fill(first, 0..<3 * block)
        #expect(second.presentEnd(from: 0) == 3 * block)
        #expect(try second.body.bytes(at: 10, count: 20) == Array(Self.body[10..<30]))
        try fill(second, 3 * block..<Self.body.count)
        try second.commit()
        // The other one comes too late, and nothing is lost.
        try first.commit()
        #expect(try store.entry(for: "key")?.body.bytes() == Self.body)
        #expect(try first.body.bytes() == Self.body)
        #expect(scratch.partials.isEmpty)
    }

    @Test func `an interrupted sequential download can be filled`() throws {
        let writer = try store().makeWriter(for: "key", metadata: [9])
        try writer.append(Array(Self.body[..<(2 * block + 500)]))
        #expect(try open(store()) == nil, "its writer holds it alone")
        writer.suspend()
        let entry = try #require(try open(store()))
        #expect(entry.metadata == [9])
        #expect(entry.presentEnd(from: 0) == 2 * block + 500)
        #expect(try store().suspendedWriter(for: "key") == nil)
        try fill(entry, 2 * block + 500..<Self.body.count)
        try entry.commit()
        #expect(try store().entry(for: "key")?.body.bytes() == Self.body)
    }

    /// The files of a killed process: blocks without checksums, checksums without blocks.
    @Test func `a damaged byte makes its block missing`() throws {
        let entry = try make(store())
        for number in [0, 2, 3, 5] {
            try fill(entry, number * block..<min(Self.body.count, (number + 1) * block))
        }
        entry.close()
        let file = try #require(scratch.partials.first)
        let good = scratch[file]
        let header = EntryFormat.headerSize + 4
        for place in stride(from: header, to: good.count, by: 9973) {
            scratch[file] = good
            scratch[file][place] ^= 1
            let found = try #require(try open(store()))
            for number in 0...5 {
                let range = number * block..<min(Self.body.count, (number + 1) * block)
                let got = (try? found.body.bytes(at: range.lowerBound, count: range.count)) ?? []
                let isWhole = got == Array(Self.body[range])
                #expect(isWhole || got.isEmpty, "block \(number), byte \(place)")
                let isTouched = (place - header) / (block + 4) == number
                #expect(isWhole == ([0, 2, 3, 5].contains(number) && !isTouched))
                if got.isEmpty {
                    #expect(found.presentEnd(from: range.lowerBound) == range.lowerBound)
                }
            }
        }
    }

    @Test func `a truncated file keeps its whole blocks`() throws {
        let entry = try make(store())
        try fill(entry, 0..<Self.body.count)
        entry.close()
        let file = try #require(scratch.partials.first)
        let good = scratch[file]
        let header = EntryFormat.headerSize + 4
        for cut in stride(from: header, to: good.count, by: 7919) {
            scratch[file] = Array(good[..<cut])
            let found = try #require(try open(store()))
            #expect(found.presentEnd(from: 0) == (cut - header) / (block + 4) * block)
        }
    }

    @Test func `the end of a body is not taken for a footer with much metadata`() {
        var end = [UInt8](repeating: 0, count: 4096)
        end.replaceSubrange(4088..<4092, with: UInt32(30_000_000).bytes)
        #expect(EntryFooter.metadataLength(end) == nil)
        let footer = EntryFooter(
            ending: .suspended, id: 7, bodyLength: 3, storedAt: .init(milliseconds: 0),
            metadata: [1, 2])
        #expect(EntryFooter.metadataLength(footer.encoded) == 2)
        #expect(EntryFooter.metadataLength(footer.encoded, id: 7) == 2)
        #expect(EntryFooter.metadataLength(footer.encoded, id: 8) == nil)
        #expect(EntryFooter.metadataLength(Array(footer.encoded.suffix(39))) == nil)
    }

    @Test func `a new version starts again, and readers keep the old one`() throws {
        let store = try store()
        let old = try make(store)
        try fill(old, 0..<2 * block)
        let reader = try #require(try open(store))
        old.discard()
        #expect(try open(store) == nil)
        let new = try #require(try store.makeFilling(for: "key", metadata: [1], count: 10))
        try new.write(Array(0..<10), at: 0)
        #expect(try reader.body.bytes(at: 0, count: 5) == Array(Self.body[..<5]))
        #expect(throws: SystemError(code: ENOENT)) {
            try fill(reader, 2 * block..<Self.body.count)
            try reader.commit()
        }
        try new.commit()
        #expect(try store.entry(for: "key")?.body.bytes() == Array(0..<10))
    }

    @Test func `a sweep spares live writers, and counts present bytes`() throws {
        let store = try store(StoreLimits(partialBytes: 100_000, partialAge: .seconds(10)))
        let entry = try make(store)
        try fill(entry, 4 * block..<5 * block)
        let kept = store.statistics().partialByteCount
        #expect(kept >= block && kept < 2 * block)
        clock.advance(by: .seconds(20))
        store.sweep()
        #expect(scratch.partials.count == 1)
        entry.close()
        clock.advance(by: .seconds(20))
        store.sweep()
        #expect(scratch.partials.isEmpty)
    }

    @Test func `an oversized body never becomes an entry`() throws {
        let store = try store(StoreLimits(entryBytes: 1000, partialBytes: 100_000))
        let entry = try make(store)
        #expect(entry.hasRoom)
        try fill(entry, 0..<Self.body.count)
        #expect(!entry.hasRoom)
        #expect(throws: SystemError(code: EFBIG)) { try entry.commit() }
        #expect(scratch.partials.isEmpty && scratch.entries.isEmpty)
    }

    @Test func `an unwritten entry leaves nothing`() throws {
        try make(store()).close()
        #expect(scratch.partials.isEmpty)
        let entry = try make(store())
        #expect(throws: SystemError(code: EINVAL)) {
            try entry.write([1], at: Self.body.count)
        }
        #expect(throws: SystemError(code: EINVAL)) { try entry.write([1], at: -1) }
        try store().remove("key")
        #expect(try store().makeFilling(for: "key", metadata: [], count: 0) == nil)
    }
}
