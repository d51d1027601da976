import LazyMedia
import LazyVideo
import Support
import Testing

@testable import LazyVideo

/// Still pictures that FFmpeg decodes, of which the end is missing.
@Suite struct CutStillTests {
    @Test(arguments: ["still.pgm", "still.qoi"], [40, 70, 95])
    func `a picture that is cut off says so when it is opened, and shows what there is`(
        name: String, percent: Int
    ) throws {
        let bytes = try Media.array(name)
        let media = try opened(MemoryBytes(Array(bytes.prefix(bytes.count * percent / 100))))
        #expect(media.info.isTruncated)
        #expect(media.info.warnings.map(\.code) == [.truncated])
        let (cut, whole) = (try frames(of: media), try frames(of: opened(name)))
        #expect(cut.count == 1)
        let size = try #require(whole.first?.bitmap.size)
        let row = size.width * 4 * max(1, size.height * percent / 100 / 2)
        let (left, right) = (
            cut.first?.bitmap.withBytes { Array($0.prefix(row)) },
            whole.first?.bitmap.withBytes { Array($0.prefix(row)) }
        )
        #expect(left == right)
    }

    @Test(arguments: ["still.pgm", "still.qoi"]) func `a whole picture says nothing`(
        name: String
    ) throws {
        let info = try opened(name).info
        #expect(!info.isTruncated && info.warnings.isEmpty)
    }

    @Test func `a map in digits is refused when it is opened, as when it is shown`() throws {
        let map = Array("P3\n4 4\n255\n1 2 3 4 5 6".utf8)
        #expect(throws: MediaError.self) { try opened(MemoryBytes(map)) }
        let whole = Array("P2\n2 1\n255\n0 255\n".utf8)
        #expect(try frames(of: opened(MemoryBytes(whole))).count == 1)
    }
}

/// The marker segments of JPEG 2000.
@Suite struct JPEG2000CodestreamTests {
    /// A codestream of 8 by 4 pixels with one tile part.
    private func stream(capabilities: UInt32?, length: UInt32, data: Int) -> [UInt8] {
        func digits(_ number: UInt32) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        var bytes: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51, 0, 41, 0, 0]
        for number: UInt32 in [8, 4, 0, 0, 8, 4, 0, 0] { bytes += digits(number) }
        bytes += [0, 1, 7, 1, 1]
        if let capabilities { bytes += [0xFF, 0x50, 0, 8] + digits(capabilities) + [0, 0] }
        bytes += [0xFF, 0x90, 0, 10, 0, 0] + digits(length) + [0, 1, 0xFF, 0x93]
        return bytes + Array(repeating: 0, count: data)
    }

    private func read(_ bytes: [UInt8]) -> JPEG2000Codestream? {
        bytes.withUnsafeBytes { JPEG2000Codestream($0) }
    }

    @Test(
        arguments: [
            (nil, false), (UInt32(1) << 17, true), (UInt32(1) << 18, false), (0x3_0000, true),
        ] as [(UInt32?, Bool)])
    func `the bit of Part 15 tells its block coding`(bits: UInt32?, isHigh: Bool) throws {
        let bytes = stream(capabilities: bits, length: 20, data: 6) + [0xFF, 0xD9]
        let found = try #require(read(bytes))
        #expect(found.hasHighThroughput == isHigh)
        #expect(found.libraryBytes == 8 * 4 * 8)
        #expect(!found.isCut && found.end == bytes.count)
    }

    @Test func `the lengths of tile parts and the last marker tell the end`() throws {
        let cut = stream(capabilities: nil, length: 100, data: 6)
        let found = try #require(read(cut))
        #expect(found.isCut && found.end == cut.count + 80)
        let open = try #require(read(stream(capabilities: nil, length: 20, data: 6)))
        #expect(open.isCut)
        #expect(read([1, 2, 3]) == nil)
    }

    @Test func `a codestream in boxes is found behind others`() throws {
        let inner = stream(capabilities: 1 << 17, length: 20, data: 6) + [0xFF, 0xD9]
        let boxes: [UInt8] = [0, 0, 0, 8] + Array("free".utf8) + [0, 0, 0, 0] + Array("jp2c".utf8)
        #expect(read(boxes + inner)?.hasHighThroughput == true)
    }
}
