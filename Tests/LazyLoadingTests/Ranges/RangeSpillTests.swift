import FoundationEssentials
import Glibc
import LazyBase
import Support
import Testing

@testable import LazyLoading

/// Resources that do not fit in memory, with temporary files that work and others that do not.
@Suite struct RangeSpillTests {
    // Twice the least memory of a reader, and a bit.
    private static let size = 4_500_000
    private static let bytes: [UInt8] = {
        var random = SplitMix(7)
        return (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
    }()
    private static let address = URL(string: "http://127.0.0.1/clip.mp4").unsafelyUnwrapped
    private static let pool = BlockingPool(width: 8)

    private static func loader() -> ScriptedLoader {
        ScriptedLoader { request in
            guard case .bytes(let asked)? = request.range else { return .init([bytes]) }
            let range = asked.clamped(to: 0..<size)
            var headers = HTTPHeaders()
            headers["ETag"] = "\"one\""
            let head = ResponseHead(
                url: request.url, status: 206, headers: headers, expectedCount: range.count,
                contentRange: (range, size), origin: .network)
            return .init([Array(bytes[range])], head: head)
        }
    }

    private func open(_ spill: RangeSpill, ahead: Int = 0) async throws -> RangeReader {
        guard
            case .ranges(let reader) = try await RangeReader.open(
                LoadRequest(url: Self.address), loader: Self.loader(), memory: 0, ahead: ahead,
                spill: spill)
        else { throw LoadingError(.malformed, "no ranges") }
        return reader
    }

    /// Whether a range of the reader has the bytes of the resource.
    private func isRight(_ reader: RangeReader, _ range: Range<Int>) async throws -> Bool {
        try await Self.pool.run { () throws(LoadingError) in
            var buffer = [UInt8](repeating: 0, count: range.count)
            let result = buffer.withUnsafeMutableBytes { buffer in
                Result { () throws(LoadingError) in
                    try reader.read(at: range.lowerBound, into: buffer)
                }
            }
            return try result.get() == range.count && buffer == Array(Self.bytes[range])
        }
    }

    private func isRight(_ reader: RangeReader, pieces: Int = 100_000) async throws -> Bool {
        for start in stride(from: 0, to: Self.size, by: pieces) {
            let range = start..<min(start + pieces, Self.size)
            guard try await isRight(reader, range) else { return false }
        }
        return true
    }

    /// The size of reads, the bytes that are prefetched.
    @Test(arguments: [(100_000, 0), (4_500_000, 0), (1 << 16, 0), (100_000, 1 << 19)])
    func `what leaves memory is not fetched again`(pieces: Int, ahead: Int) async throws {
        let reader = try await open(RangeSpill(maxBytes: 1 << 30), ahead: ahead)
        for _ in 0..<3 { #expect(try await isRight(reader, pieces: pieces)) }
        #expect(reader.bytesRead == Self.size)
        let requests = reader.requests
        var random = SplitMix(9)
        for _ in 0..<50 {
            let start = Int.random(in: 0..<Self.size - 1, using: &random)
            let end = Int.random(in: start + 1...min(Self.size, start + 300_000), using: &random)
            #expect(try await isRight(reader, start..<end))
        }
        #expect(reader.requests == requests)
    }

    @Test func `readers at several places share the file`() async throws {
        let reader = try await open(RangeSpill(maxBytes: 1 << 30))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask { try await isRight(reader, pieces: 50_000 + task * 20_000) }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(reader.bytesRead == Self.size)
    }

    /// A temporary file that cannot be made, that is on a full disk, and one that no bytes may use.
    @Test(arguments: ["no folder", "a full disk", "no limit"])
    func `without a file blocks are fetched again`(fault: String) async throws {
        let spill = RangeSpill(maxBytes: fault == "no limit" ? 0 : 1 << 30) {
            () throws(SystemError) in
            if fault == "no folder" { throw SystemError(code: EACCES) }
            return TemporaryFile(try FileDescriptor(checking: Glibc.open("/dev/full", O_RDWR)))
        }
        let reader = try await open(spill)
        for _ in 0..<2 { #expect(try await isRight(reader)) }
        #expect(reader.bytesRead > Self.size * 3 / 2)
    }

    /// The limit of the file, and the free bytes of the disk, of which half are left.
    @Test(arguments: [(1_000_000, nil), (1_000_000, 5_000_000), (1 << 30, 2_000_000)])
    func `beyond the limit of the file blocks are fetched again`(
        limit: Int, free: Int?
    ) async throws {
        let made = Locked<TemporaryFile?>(nil)
        let spill = RangeSpill(
            maxBytes: limit,
            make: { () throws(SystemError) in
                let file = try TemporaryFile()
                made.withLock { $0 = file }
                return file
            }, freeBytes: { _ in free })
        let reader = try await open(spill)
        for _ in 0..<3 { #expect(try await isRight(reader)) }
        let count = try #require(made.withLock { $0 }).blob.count
        #expect(count > 900_000 && count <= 1_000_000)
        #expect(reader.bytesRead > Self.size)
        // The blocks in the file were fetched once.
        #expect(reader.bytesRead <= 3 * Self.size - 2 * count)
    }

    @Test(arguments: ["truncated", "changed", "exchanged"])
    func `a file that lost its bytes gives no wrong ones`(damage: String) async throws {
        let scratch = Scratch()
        let path = scratch.path + "/spill"
        let spill = RangeSpill(maxBytes: 1 << 30) { () throws(SystemError) in
            TemporaryFile(
                try FileDescriptor(checking: Glibc.open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)))
        }
        let reader = try await open(spill)
        #expect(try await isRight(reader))
        #expect(reader.bytesRead == Self.size)
        var file = scratch["spill"]
        let block = 1 << 16
        try #require(file.count > 2 * block)
        switch damage {
        case "truncated": file.removeLast(file.count - block - 1)
        case "changed":
            for offset in stride(from: 5, to: file.count, by: block) { file[offset] ^= 1 }
        default: file = Array(file[block...] + file[..<block])
        }
        let written = try FileDescriptor(checking: Glibc.open(path, O_RDWR))
        try written.truncate(to: file.count)
        try written.write(file, at: 0)
        for _ in 0..<2 { #expect(try await isRight(reader)) }
        #expect(reader.bytesRead > Self.size && reader.bytesRead <= 2 * Self.size)
    }

    @Test func `the file goes with its reader`() async throws {
        let file = Locked<Weak>(Weak())
        let spill = RangeSpill(maxBytes: 1 << 30) { () throws(SystemError) in
            let made = try TemporaryFile()
            file.withLock { $0.file = made }
            return made
        }
        try await {
            let reader = try await open(spill)
            #expect(try await isRight(reader))
            #expect(file.withLock { $0.file } != nil)
        }()
        _ = consume spill
        #expect(file.withLock { $0.file } == nil)
    }

    private struct Weak {
        weak var file: TemporaryFile?
    }
}
