import LazyMedia
import Support
import Testing

@testable import LazyCodecs

/// What is expected was seen in Chromium 156, for the same bytes.
@Suite struct ICODecoderTests {
    /// A picture without a file header, and with a mask: every fifth pixel on a diagonal.
    private func picture(_ side: Int, _ bits: Int, alpha: Int = 255, masked: Bool = true) -> [UInt8]
    {
        var bytes = little(40, 4) + little(side, 4) + little(side * 2, 4) + little(1, 2)
        bytes += little(bits, 2) + [UInt8](repeating: 0, count: 24)
        if bits == 8 { bytes += (0..<256).flatMap { [UInt8($0), 1, 2, 0] } }
        for y in (0..<side).reversed() {
            var row: [UInt8] = []
            for x in 0..<side {
                switch bits {
                case 8: row.append(UInt8(x + y))
                case 24: row += [UInt8(x), UInt8(y), 50]
                default: row += [UInt8(x), UInt8(y), 200, UInt8(alpha * x / max(1, side - 1))]
                }
            }
            bytes += row + [UInt8](repeating: 0, count: (4 - row.count % 4) % 4)
        }
        guard masked else { return bytes }
        for y in (0..<side).reversed() {
            var row = [UInt8](repeating: 0, count: (side + 31) / 32 * 4)
            for x in 0..<side where (x + y) % 5 == 0 { row[x / 8] |= 0x80 >> UInt8(x % 8) }
            bytes += row
        }
        return bytes
    }

    private func icon(
        _ entries: [(side: Int, bits: Int, data: [UInt8])], kind: Int = 1
    ) -> [UInt8] {
        var bytes = little(0, 2) + little(kind, 2) + little(entries.count, 2)
        var offset = 6 + entries.count * 16
        for entry in entries {
            bytes += [UInt8(entry.side & 255), UInt8(entry.side & 255), 0, 0] + little(1, 2)
            bytes += little(entry.bits, 2) + little(entry.data.count, 4) + little(offset, 4)
            offset += entry.data.count
        }
        return bytes + entries.flatMap(\.data)
    }

    private func opened(_ bytes: [UInt8]) throws(MediaError) -> any OpenedMedia {
        try ICODecoder(PNGDecoder()).open(MemoryBytes(bytes), type: .ico, limits: .web)
    }

    @Test(arguments: [8, 24]) func `the mask is transparent`(bits: Int) throws {
        let media = try opened(icon([(16, bits, picture(16, bits))]))
        let bitmap = try #require(try Decoded.bitmap(media))
        #expect(bitmap[0, 0] == [0, 0, 0, 0] && bitmap[5, 0] == [0, 0, 0, 0])
        #expect(bitmap[1, 0] == (bits == 8 ? [2, 1, 1, 255] : [50, 0, 1, 255]))
        #expect(bitmap[3, 9] == (bits == 8 ? [2, 1, 12, 255] : [50, 9, 3, 255]))
    }

    @Test func `alpha replaces the mask unless all of it is 0`() throws {
        let shaded = try opened(icon([(16, 32, picture(16, 32))]))
        let bitmap = try #require(try Decoded.bitmap(shaded))
        #expect(bitmap[5, 0] == [200, 0, 5, 85] && bitmap[15, 3] == [200, 3, 15, 255])
        let flat = try #require(
            try Decoded.bitmap(opened(icon([(16, 32, picture(16, 32, alpha: 0))]))))
        #expect(flat[5, 0].w == 0 && flat[4, 0] == [200, 0, 4, 255])
    }

    @Test func `the largest picture counts, then the one of most bits`() throws {
        let png = try Media.array("still-rgba8.png")
        let small = picture(16, 32)
        #expect(
            try opened(icon([(16, 32, small), (24, 24, picture(24, 24)), (16, 8, picture(16, 8))]))
                .info.size == PixelSize(width: 24, height: 24))
        let same = try opened(icon([(16, 8, picture(16, 8)), (16, 24, picture(16, 24))]))
        #expect(try Decoded.bitmap(same)?[1, 0] == [50, 0, 1, 255])
        let media = try opened(icon([(16, 32, small), (64, 32, png)]))
        #expect(media.info.type == .ico)
        #expect(media.info.size == PixelSize(width: 64, height: 48))
        let other = try PNGDecoder().open(MemoryBytes(png), type: .png, limits: .web)
        #expect(try Decoded.bitmap(media) == Decoded.bitmap(other))
        // The next one, where the largest is damaged.
        let spare = try opened(icon([(64, 32, Array("garbage".utf8)), (16, 32, small)]))
        #expect(spare.info.size.width == 16)
    }

    @Test func `cursors are icons, TGAs are not`() throws {
        let sniffer = FormatRegistry([.bmp, .ico(decodedBy: PNGDecoder())]).sniffer
        let cursor = icon([(16, 32, picture(16, 32))], kind: 2)
        #expect(try sniffer.type(of: MemoryBytes(cursor)) == .ico)
        #expect(try Decoded.bitmap(opened(cursor))?[15, 3] == [200, 3, 15, 255])
        let targa: [UInt8] = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 16, 0, 24, 0]
        #expect(try sniffer.type(of: MemoryBytes(targa)) == .unknown)
    }

    @Test func `an icon cut anywhere gives a picture or an error`() throws {
        let whole = icon([(16, 24, picture(16, 24)), (16, 8, picture(16, 8))])
        for end in 0..<whole.count {
            guard let media = try? opened(Array(whole[..<end])) else { continue }
            if let bitmap = try? Decoded.bitmap(media) { #expect(bitmap.size == media.info.size) }
        }
        // Without its mask it is opaque.
        let bare = try #require(
            try Decoded.bitmap(opened(icon([(16, 24, picture(16, 24, masked: false))]))))
        #expect(bare[0, 0] == [50, 0, 0, 255])
    }
}
