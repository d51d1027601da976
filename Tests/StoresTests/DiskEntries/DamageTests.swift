import Glibc
import Support
import Testing

@testable import LazyBase
@testable import LazyLoading

/// Damaged files: reads return valid bytes or nothing.
@Suite struct DamageTests {
    let scratch = Scratch()
    let clock = ManualClock()

    func store() throws -> DiskStore { try DiskStore(folder: scratch.path, clocks: clock.clocks) }

    @Test func `a damaged byte of a small entry is never served`() throws {
        let store = try store()
        let body = noise(300)
        try store.store(Blob(body), metadata: [1, 2, 3], for: "key")
        let file = try #require(scratch.entries.first)
        let good = scratch[file]
        for place in good.indices {
            var bad = good
            bad[place] ^= UInt8(1 << (place % 8))
            scratch[file] = bad
            #expect(try store.entry(for: "key") == nil, "byte \(place)")
            #expect(access(scratch.path + "/" + file, F_OK) != 0, "byte \(place)")
        }
        scratch[file] = good
        #expect(try store.entry(for: "key")?.body.bytes() == body)
    }

    @Test(arguments: [300, 70_000])
    func `an entry cut off anywhere is never served`(size: Int) throws {
        let store = try store()
        try store.store(Blob(noise(size)), metadata: [1], for: "key")
        let file = try #require(scratch.entries.first)
        let good = scratch[file]
        for length in stride(from: 0, to: good.count, by: size / 300) {
            scratch[file] = Array(good[..<length])
            #expect(try store.entry(for: "key") == nil, "length \(length)")
        }
        scratch[file] = good + [0]
        #expect(try store.entry(for: "key") == nil)
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 150_000, 299_999])
    func `a wrong byte of a large body is found when it is read`(place: Int) throws {
        let store = try store()
        let body = noise(300_000)
        try store.store(Blob(body), for: "key")
        let file = try #require(scratch.entries.first)
        var bytes = scratch[file]
        let block = place / EntryFormat.blockSize
        bytes[EntryFormat.headerSize + 3 + place + block * 4] ^= 4
        scratch[file] = bytes
        let entry = try #require(try store.entry(for: "key"))
        #expect(throws: SystemError(code: EBADMSG)) { try entry.body.bytes() }
        #expect(throws: SystemError(code: EBADMSG)) { try entry.body.bytes(at: place, count: 1) }
        let other = (block + 2) % 5 * EntryFormat.blockSize
        #expect(try entry.body.bytes(at: other, count: 10) == Array(body[other..<other + 10]))
        #expect(try store.entry(for: "key") == nil)
    }

    @Test func `blocks are only valid at their offset in their entry`() throws {
        let store = try store()
        try store.store(Blob(noise(300_000, seed: 1)), for: "key")
        let file = try #require(scratch.entries.first)
        let first = scratch[file]
        let start = EntryFormat.headerSize + 3
        let block = EntryFormat.blockSize + 4
        var swapped = first
        swapped[start..<start + block] = first[start + block..<start + 2 * block]
        scratch[file] = swapped
        #expect(throws: SystemError(code: EBADMSG)) {
            try store.entry(for: "key")?.body.bytes()
        }
        try store.store(Blob(noise(300_000, seed: 2)), for: "key")
        var mixed = scratch[file]
        mixed[start..<start + block] = first[start..<start + block]
        scratch[file] = mixed
        #expect(throws: SystemError(code: EBADMSG)) {
            try store.entry(for: "key")?.body.bytes()
        }
    }

    @Test func `damaged metadata in a sidecar falls back to the entry's own`() throws {
        let store = try store()
        try store.store(Blob([1]), metadata: [7], for: "key")
        _ = try store.setMetadata([8, 9], for: "key")
        let file = try #require(scratch.files.first { $0.utf8.count == 3 + 64 + 17 })
        let good = scratch[file]
        for place in good.indices {
            scratch[file] = good
            scratch[file][place] ^= 16
            #expect(try store.entry(for: "key")?.metadata == [7], "byte \(place)")
        }
        for length in good.indices {
            scratch[file] = Array(good[..<length])
            #expect(try store.entry(for: "key")?.metadata == [7], "length \(length)")
        }
    }

    @Test func `the entry of another key is not served`() throws {
        let store = try store()
        try store.store(Blob([1]), for: "other")
        let bytes = scratch[try #require(scratch.entries.first)]
        try store.store(Blob([2]), for: "key")
        scratch[DiskLayout.entry(DiskLayout.name(of: "key"))] = bytes
        #expect(try store.entry(for: "key") == nil)
        #expect(!store.contains("key"))
    }

    @Test func `a damaged state is counted again`() throws {
        let store = try store()
        try store.store(Blob(noise(1000)), for: "key")
        let counted = StoreState.read(in: store.root).byteCount
        scratch["state"] = [1, 2, 3]
        try store.store(Blob([2]), for: "key2")
        #expect(StoreState.read(in: store.root).byteCount > counted)
        #expect(StoreState.read(in: store.root).byteCount == store.statistics().byteCount)
    }

    @Test func `on a full disk earlier bytes stay valid and later ones are refused`() throws {
        let header = EntryHeader(id: 1, key: "key", metadata: [])
        let body = StagedBody(FileDescriptor(open("/dev/full", O_RDWR)), header: header)
        try body.append(noise(1000))
        #expect(throws: SystemError(code: ENOSPC)) { try body.append(noise(100_000)) }
        #expect(throws: SystemError(code: ENOSPC)) { try body.append([1]) }
        #expect(throws: SystemError(code: ENOSPC)) {
            try body.finish(.complete, metadata: nil, at: clock.wall)
        }
        #expect(body.count >= 1000)
        #expect(try Blob(body).bytes(at: 0, count: 1000) == noise(1000))
    }
}
