import LazyMedia
import Support
import Testing

/// Theora repeats a frame by an empty packet (Theora specification, 7.1), also at the end.
@Suite struct RepeatedTheoraTests {
    /// The checksum of a page (RFC 3533, 6).
    private static func checksum(_ page: [UInt8]) -> UInt32 {
        page.reduce(UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { value, _ in
                value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1
            }
        }
    }

    /// A film with so many repetitions more at its end.
    private static func file(repeating count: Int) throws -> [UInt8] {
        var bytes = try Media.array("theora.ogv")
        var start = 0
        while true {
            let lacing = bytes[start + 27..<start + 27 + Int(bytes[start + 26])]
            let next = start + 27 + lacing.count + lacing.reduce(0) { $0 + Int($1) }
            if next >= bytes.count { break }
            start = next
        }
        var page = Array(bytes[start...])
        let lacing = Int(page[26])
        page[26] += UInt8(count)
        page.insert(contentsOf: repeatElement(0, count: count), at: 27 + lacing)
        // Frames since the last keyframe, in the lowest bits.
        page[6] += UInt8(count)
        page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        let sum = checksum(page)
        page.replaceSubrange(
            22..<26, with: (0..<4).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) })
        bytes.replaceSubrange(start..., with: page)
        return bytes
    }

    @Test func `the last frame stays as long as it is repeated`() throws {
        let usual = try opened(MemoryBytes(try Self.file(repeating: 0)))
        let longer = try opened(MemoryBytes(try Self.file(repeating: 5)))
        let (plain, frames) = (try Decoded.frames(usual), try Decoded.frames(longer))
        #expect(plain.map(\.bitmap) == frames.map(\.bitmap))
        #expect(plain.dropLast().map(\.timing) == frames.dropLast().map(\.timing))
        let (last, end) = (try #require(plain.last?.timing), try #require(frames.last?.timing))
        #expect(end.duration.ticks == last.duration.ticks * 6)
        let index = try longer.frameIndex(CancellationFlag())
        #expect(index.timings.last?.duration == end.duration)
        #expect(index.duration == longer.info.duration)
    }
}
