import Foundation
import Support
import Testing

@testable import LazyBase
@testable import LazyLoading

@Suite struct DiskStoreTests {
    let scratch = Scratch()
    let clock = ManualClock()

    func store(_ limits: StoreLimits = .init()) throws -> DiskStore {
        try DiskStore(folder: scratch.path + "/store", limits: limits, clocks: clock.clocks)
    }

    static let sizes = [
        0, 1, 100, 65_535, 65_536, 65_537, 131_071, 131_072, 200_000, 655_360, 1_000_001,
    ]

    @Test(arguments: sizes)
    func `what is stored comes back`(size: Int) throws {
        let body = noise(size)
        try store().store(Blob(body), metadata: [1, 2, 3], for: "key")
        let entry = try #require(try store().entry(for: "key"))
        #expect(try entry.body.bytes() == body)
        #expect(entry.body.count == size)
        #expect(entry.metadata == [1, 2, 3])
        #expect(entry.key == "key")
        #expect(entry.storedAt == clock.wall)
    }

    @Test(arguments: sizes, [1, 1000, 65_536, 100_000])
    func `it is all the same in which pieces it comes and is read`(size: Int, piece: Int) throws {
        let body = noise(size)
        let writer = try store().makeWriter(for: "key", metadata: [])
        for start in stride(from: 0, to: size, by: max(piece, 300)) {
            try writer.append(Array(body[start..<min(size, start + max(piece, 300))]))
            #expect(writer.written.count == min(size, start + max(piece, 300)))
        }
        #expect(try writer.written.bytes() == body)
        try writer.commit()
        #expect(try writer.written.bytes() == body)
        let read = try #require(try store().entry(for: "key")).body
        var offset = size / 3
        while offset < size {
            let got = try read.bytes(at: offset, count: max(piece, 300))
            #expect(got == Array(body[offset..<min(size, offset + max(piece, 300))]))
            offset += got.count
        }
    }

    @Test func `long keys and metadata survive a round trip`() throws {
        let key = String(repeating: "é", count: 40_000)
        let metadata = noise(70_000)
        try store().store(Blob(noise(300_000)), metadata: metadata, for: key)
        let entry = try #require(try store().entry(for: key))
        #expect(entry.metadata == metadata)
        #expect(try entry.body.bytes() == noise(300_000))
    }

    @Test func `a missing entry is nil`() throws {
        let store = try store()
        #expect(try store.entry(for: "key") == nil)
        #expect(!store.contains("key"))
        #expect(try !store.setMetadata([1], for: "key"))
        try store.remove("key")
        #expect(try store.suspendedWriter(for: "key") == nil)
    }

    @Test func `an entry is visible only after commit`() throws {
        let store = try store()
        let writer = try store.makeWriter(for: "key", metadata: [])
        try writer.append(noise(100_000))
        #expect(try store.entry(for: "key") == nil)
        try writer.commit()
        #expect(store.contains("key"))
        #expect(throws: SystemError(code: EBADF)) { try writer.append([1]) }
        #expect(throws: SystemError(code: EBADF)) { try writer.commit() }
    }

    @Test func `a dropped writer leaves nothing`() throws {
        let store = try store()
        try store.store(Blob([1]), for: "key")
        let before = scratch.files
        for _ in 0..<2 { try store.makeWriter(for: "key", metadata: []).append(noise(100_000)) }
        #expect(scratch.files == before)
        #expect(try store.entry(for: "key")?.body.bytes() == [1])
    }

    @Test(arguments: [10, 500_000])
    func `a reader keeps what it has opened`(size: Int) throws {
        let store = try store()
        try store.store(Blob(noise(size, seed: 1)), for: "key")
        let old = try #require(try store.entry(for: "key"))
        try store.store(Blob(noise(size, seed: 2)), for: "key")
        #expect(try store.entry(for: "key")?.body.bytes() == noise(size, seed: 2))
        try store.remove("key")
        #expect(try old.body.bytes() == noise(size, seed: 1))
    }

    @Test func `two writers of one key both succeed`() throws {
        let store = try store()
        let first = try store.makeWriter(for: "key", metadata: [1])
        let second = try store.makeWriter(for: "key", metadata: [2])
        try first.append(noise(70_000, seed: 1))
        try second.append(noise(70_000, seed: 2))
        try second.commit()
        #expect(try store.entry(for: "key")?.body.bytes() == noise(70_000, seed: 2))
        try first.commit()
        #expect(try store.entry(for: "key")?.body.bytes() == noise(70_000, seed: 1))
        #expect(scratch.partials.isEmpty)
    }

    @Test func `metadata is replaced without the body`() throws {
        let store = try store()
        try store.store(Blob(noise(200_000)), metadata: [1], for: "key")
        #expect(try store.setMetadata([2, 3], for: "key"))
        #expect(try store.entry(for: "key")?.metadata == [2, 3])
        #expect(try self.store().setMetadata([], for: "key"))
        #expect(try store.entry(for: "key")?.metadata == [])
        #expect(try store.entry(for: "key")?.body.bytes() == noise(200_000))
        try store.store(Blob([1]), metadata: [4], for: "key")
        #expect(try store.entry(for: "key")?.metadata == [4])
        _ = try store.setMetadata([5], for: "key")
        try store.remove("key")
        #expect(scratch.files == ["store/CACHEDIR.TAG", "store/state", "store/sweeping"])
    }

    @Test func `a writer can replace its metadata`() throws {
        let store = try store()
        let writer = try store.makeWriter(for: "key", metadata: [1])
        writer.setMetadata([2])
        #expect(writer.metadata == [2])
        try writer.commit()
        #expect(try store.entry(for: "key")?.metadata == [2])
    }

    @Test func `all entries can be removed`() throws {
        let store = try store()
        for key in ["a", "b", "c"] {
            try store.store(Blob([1]), for: key)
            _ = try store.setMetadata([2], for: key)
        }
        let suspended = try store.makeWriter(for: "d", metadata: [])
        try suspended.append([1])
        suspended.suspend()
        try store.removeAll()
        #expect(scratch.files == ["store/CACHEDIR.TAG", "store/state", "store/sweeping"])
        #expect(StoreState.read(in: store.root).byteCount == 0)
    }

    @Test func `the folder is private and tagged as a cache`() throws {
        _ = try store()
        let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path + "/store")
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        let tag = String(decoding: scratch["store/CACHEDIR.TAG"], as: UTF8.self)
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
    }

    @Test func `a removed folder is created again`() throws {
        let store = try store()
        try FileManager.default.removeItem(atPath: store.folder)
        #expect(try store.entry(for: "key") == nil)
        try store.store(Blob([1]), for: "key")
        #expect(try store.entry(for: "key")?.body.bytes() == [1])
    }

    @Test func `a file at the folder's path is an error`() {
        scratch["file"] = [1]
        #expect(throws: SystemError(code: ENOTDIR)) {
            try DiskStore(folder: scratch.path + "/file")
        }
        #expect(throws: SystemError(code: ENOTDIR)) {
            try DiskStore(folder: scratch.path + "/file/below")
        }
    }

    @Test func `an oversized body is refused`() throws {
        let store = try store(StoreLimits(entryBytes: 1000))
        try store.store(Blob(noise(1000)), for: "good")
        #expect(throws: SystemError(code: EFBIG)) {
            try store.store(Blob(noise(1001)), for: "bad")
        }
        #expect(store.contains("good"))
        #expect(scratch.partials.isEmpty)
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ])
    func `names are SHA-256`(text: String, digest: String) {
        #expect(DiskLayout.name(of: text) == digest)
    }
}
