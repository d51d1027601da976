import LazyMedia
import Support
import Testing

/// Pages of Ogg whose check sums are wrong: FFmpeg leaves their packets out, and tells of it in its log alone.
@Suite(.ownThreads) struct DamagedPagesTests {
    /// The offsets of the pages.
    private static func pages(_ bytes: [UInt8]) -> [Int] {
        bytes.indices.dropLast(4).filter { bytes[$0...].starts(with: "OggS".utf8) }
    }

    private static func damaged(_ number: (Int) -> Int) throws -> [UInt8] {
        var bytes = try Media.array("theora.ogv")
        let pages = pages(bytes)
        bytes[pages[number(pages.count)] + 200] ^= 0x55
        return bytes
    }

    @Test func `frames of a damaged page are missing, with a warning`() async throws {
        let whole = try frames(of: opened(MemoryBytes(Media.array("theora.ogv"))))
        let media = try opened(MemoryBytes(Self.damaged { $0 - 2 }))
        let reader = try media.makeReader(ReaderOptions())
        let read = try rest(of: reader)
        #expect(read.count < whole.count)
        #expect(reader.warnings.map(\.code) == [.corruptPackets])
        let info = try await FrameSequence(
            opened(MemoryBytes(Self.damaged { $0 - 2 }))
        ).detailedInfo()
        #expect(info.frameCount == read.count)
        #expect(info.warnings == reader.warnings)
    }

    @Test func `a damaged last page is told of`() throws {
        let media = try opened(MemoryBytes(Self.damaged { $0 - 1 }))
        let reader = try media.makeReader(ReaderOptions())
        _ = try rest(of: reader)
        #expect(reader.warnings.map(\.code) == [.malformed])
    }

    @Test func `a whole file has no warning`() async throws {
        let media = try opened(MemoryBytes(Media.array("theora.ogv")))
        let reader = try media.makeReader(ReaderOptions())
        _ = try rest(of: reader)
        #expect(reader.warnings.isEmpty)
        #expect(try await FrameSequence(media).detailedInfo().warnings.isEmpty)
    }
}
