import LazyMedia
import Support
import Testing

@testable import LazyVideo

/// The samples that a movie declares cost FFmpeg memory, whether the file has them or not.
@Suite struct MovieTablesTests {
    @Test(arguments: [
        // Video samples, audio samples, whether they are too many for a file of some 200 bytes.
        (1, 0, false), (100, 0, false), (100_000_000, 0, true), (0, 1000, false),
        (0, 100_000_000, true), (0xFFFF_FFFF, 0xFFFF_FFFF, true),
    ]) func `tables with more samples than bytes are rejected`(
        pictures: Int, sound: Int, isTooMany: Bool
    ) throws {
        let tracks = track("vide", equalSamples(pictures)) + track("soun", equalSamples(sound))
        #expect((fault(box("moov", tracks))?.code == .malformed) == isTooMany)
    }

    @Test func `tables with an entry per sample are limited by the file only`() throws {
        let table = box("stsz", words(0, 0, 0xFFFF_FFFF))
        #expect(fault(box("moov", track("vide", table))) == nil)
    }

    @Test func `QuickTime's second handler does not turn audio into video`() {
        let media = box("hdlr", words(0) + Array("mhlrsoun".utf8))
        let data = box("hdlr", words(0) + Array("dhlralis".utf8))
        let tables = box("minf", data + box("stbl", equalSamples(800)))
        #expect(fault(box("moov", box("trak", box("mdia", media + tables)))) == nil)
    }

    @Test func `fragments add up`() throws {
        let run = box("moof", box("traf", box("trun", words(0, 20))))
        #expect(fault(run + run) == nil)
        #expect(fault(run + run + run + run) == nil)
        let hostile = box("moof", box("traf", box("trun", words(0, 5_000))))
        #expect(fault(hostile + hostile)?.code == .malformed)
    }

    @Test func `tables beyond the limit of memory are rejected`() throws {
        let movie = box("moov", track("vide", equalSamples(60)))
        let error = #expect(throws: MediaError.self) {
            try check(movie, DecodingLimits(memory: 5_000))
        }
        #expect(error?.excess == .init(limit: "memory", allowed: 5_000, actual: 6_000))
    }

    @Test(arguments: Media.names.filter { $0.hasSuffix("mp4") || $0.hasSuffix("mov") })
    func `real files pass, complete and truncated`(name: String) throws {
        let bytes = try Media.array(name)
        try check(bytes, .untrusted)
        for length in stride(from: 0, to: bytes.count, by: 97) {
            let code = fault(Array(bytes.prefix(length)))?.code
            #expect(code.map(DamagedVideoTests.codes.contains) ?? true, "cut at \(length)")
        }
    }

    @Test func `boxes of hostile sizes end the walk`() throws {
        for size in [0, 1, 7, 8, 0x7FFF_FFFF, 0xFFFF_FFFF] {
            _ = fault(words(size) + Array("moov".utf8) + words(size, size, size, size))
        }
        var nested: [UInt8] = equalSamples(3)
        for _ in 0..<1000 { nested = box("moov", nested) }
        #expect(fault(nested) == nil)
    }

    private func check(_ movie: [UInt8], _ limits: DecodingLimits) throws(MediaError) {
        var tables = try MovieTables(MemoryBytes(movie), limits)
        try tables.advance(to: movie.count)
    }

    private func fault(_ movie: [UInt8]) -> MediaError? {
        do throws(MediaError) {
            try check(movie, .local)
            return nil
        } catch {
            return error
        }
    }

    private func track(_ handler: String, _ table: [UInt8]) -> [UInt8] {
        let kind = box("hdlr", words(0, 0) + Array(handler.utf8))
        return box("trak", box("mdia", kind + box("minf", box("stbl", table))))
    }

    private func equalSamples(_ count: Int) -> [UInt8] { box("stsz", words(0, 1, count)) }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        words(8 + content.count) + Array(type.utf8) + content
    }

    private func words(_ values: Int...) -> [UInt8] {
        values.flatMap { value in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
    }
}
