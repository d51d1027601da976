import LazyMedia
import LazyVideo
import Support
import Testing

/// Portable maps of every kind and every largest sample.
@Suite(.ownThreads) struct MapTests {
    /// The number of a map, its samples, and the type of a tuple.
    static let kinds: [(number: Int, samples: Int, tuple: String)] = [
        (2, 1, ""), (3, 3, ""), (5, 1, ""), (6, 3, ""), (7, 1, "GRAYSCALE"),
        (7, 2, "GRAYSCALE_ALPHA"), (7, 3, "RGB"), (7, 4, "RGB_ALPHA"),
    ]
    static let largest = [1, 15, 100, 254, 255, 256, 1023, 4095, 65534, 65535]

    @Test(arguments: kinds.indices, largest)
    func `samples are shown as parts of the largest one`(index: Int, most: Int) throws {
        let kind = Self.kinds[index]
        let colors = kind.samples - (kind.samples + 1) % 2
        // Ten pixels from nothing to all, and back in the second channel.
        let rows = (0..<10).map { x in
            (0..<kind.samples).map { (($0 % 2 == 0 ? x : 9 - x) * most + 4) / 9 }
        }
        let media = try opened(MemoryBytes(Self.file(kind, most, rows)))
        #expect(media.info.hasAlpha == (kind.samples % 2 == 0))
        let bitmap = try #require(try frames(of: media).first?.bitmap)
        for x in 0..<10 {
            let shown = bitmap[x, 0]
            for channel in 0..<4 {
                let sample =
                    channel == 3
                    ? (kind.samples % 2 == 0 ? rows[x][kind.samples - 1] : most)
                    : rows[x][colors == 1 ? 0 : channel]
                let wanted = Double(sample) * 255 / Double(most)
                #expect(abs(Double(shown[channel]) - wanted) <= 1.5, "pixel \(x), \(channel)")
            }
        }
    }

    @Test func `a header without an end, or with an odd number, is refused or read`() throws {
        for head in [
            "P7\nWIDTH 2\nMAXVAL 9\n", "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL -9\nENDHDR\n",
        ] {
            let bytes = try MemoryBytes(Array(head.utf8) + [1, 2, 3, 4])
            if let media = try? opened(bytes) { _ = try? frames(of: media) }
        }
    }

    private static func file(
        _ kind: (number: Int, samples: Int, tuple: String), _ most: Int, _ rows: [[Int]]
    ) -> [UInt8] {
        var head = "P\(kind.number)\n10 1\n\(most)\n"
        if kind.number == 7 {
            head = """
                P7
                WIDTH 10
                HEIGHT 1
                DEPTH \(kind.samples)
                MAXVAL \(most)
                TUPLTYPE \(kind.tuple)
                ENDHDR

                """
        }
        let samples = rows.joined()
        if kind.number < 4 {
            return Array((head + samples.map { String($0) }.joined(separator: " ") + "\n").utf8)
        }
        return Array(head.utf8)
            + samples.flatMap { sample -> [UInt8] in
                most > 255 ? [UInt8(sample >> 8), UInt8(sample & 255)] : [UInt8(sample)]
            }
    }
}
