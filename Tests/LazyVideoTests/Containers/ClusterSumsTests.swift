import LazyMedia
import Support
import Testing

/// Damage that a decoder does not see, and the check sum of a cluster does.
@Suite struct ClusterSumsTests {
    /// A film of pictures that are samples, of which no change is an error.
    private static func film(_ options: String = "") throws -> [UInt8] {
        let scratch = Scratch()
        _ = Peer.output(
            of: "ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=10:d=2 -pix_fmt yuv420p"
                + " -c:v rawvideo \(options) -cluster_time_limit 500 -f matroska"
                + " \(scratch.path("a")) </dev/null 2>&1")
        let bytes = scratch["a"]
        try #require(bytes.count > 50_000)
        return bytes
    }

    private func codes(_ bytes: [UInt8]) throws -> [MediaWarning.Code] {
        let reader = try opened(MemoryBytes(bytes)).makeReader(ReaderOptions())
        let count = try rest(of: reader).count
        #expect(count == 20)
        return reader.warnings.map(\.code)
    }

    @Test(.needs("ffmpeg")) func `a wrong sample is told of`() async throws {
        let film = try Self.film()
        #expect(try codes(film).isEmpty)
        for part in [0.1, 0.6, 0.9] {
            var bytes = film
            bytes[Int(Double(bytes.count) * part)] ^= 0x10
            #expect(try codes(bytes) == [.corruptPackets], "\(part)")
            let info = try await FrameSequence(opened(MemoryBytes(bytes))).detailedInfo()
            #expect(info.frameCount == 20 && info.warnings.map(\.code) == [.corruptPackets])
        }
    }

    @Test(.needs("ffmpeg")) func `only the cluster that is read is looked at`() throws {
        var bytes = try Self.film()
        bytes[bytes.count * 9 / 10] ^= 0x10
        for (number, isDamaged) in [(2, false), (18, true), (3, false)] {
            let media = try opened(MemoryBytes(bytes))
            _ = try media.containerIndex(CancellationFlag())
            let reader = try media.makeReader(ReaderOptions(isSingleFrame: true))
            try reader.seek(toIndex: number)
            #expect(try reader.nextFrame()?.index == number)
            #expect(reader.warnings.isEmpty == !isDamaged, "\(number)")
        }
    }

    @Test(.needs("ffmpeg")) func `without sums nothing is known`() throws {
        var bytes = try Self.film("-write_crc32 0")
        #expect(try codes(bytes).isEmpty)
        bytes[bytes.count / 2] ^= 0x10
        #expect(try codes(bytes).isEmpty)
    }
}
