import LazyMedia
import LazyVideo
import Support
import Testing

@testable import LazyCodecs

/// Files of a primary item and a track of pictures.
@Suite struct SequenceTrackTests {
    /// The sides of the track's pictures, the types of its first NAL units, and whether it is shown.
    static let tracks: [(name: String, sides: (Int, Int), units: [UInt8], isShown: Bool)] = [
        ("an IDR picture", (48, 32), [19], true),
        (
            "parameter sets and a message before a CRA picture", (64, 48), [32, 33, 34, 39, 21],
            true
        ),
        ("a picture that refers to another", (48, 32), [1], false),
        ("the same behind a message", (48, 32), [39, 0], false),
        ("smaller pictures than the item", (24, 16), [19], false),
        ("no pictures where they should be", (48, 32), [], true),
    ]

    @Test(arguments: tracks.indices)
    func `a track is shown where it begins whole and is as large as the item`(index: Int) throws {
        let (name, sides, units, isShown) = Self.tracks[index]
        let bytes = Self.file(sides, units)
        if isShown {
            let error = #expect(throws: MediaError.self, "\(name)") { try Self.open(bytes) }
            #expect(error?.isDeclined == true)
        } else {
            let media = try Self.open(bytes)
            #expect(media.info.type == .heic, "\(name)")
            #expect(media.info.size == PixelSize(width: 48, height: 32))
        }
    }

    @Test func `a sequence without items is left to another decoder`() throws {
        let brand = HEICForge.box("ftyp", Array("hevc".utf8) + HEICForge.number(0, 4))
        let error = #expect(throws: MediaError.self) { try Self.open(brand) }
        #expect(error?.isDeclined == true)
    }

    @Test func `minimized tables are refused by name`() {
        let brand = HEICForge.box("ftyp", Array("mif3heic".utf8))
        let error = #expect(throws: MediaError.self) {
            try Self.open(brand + HEICForge.box("mini", [8, 0, 0, 0]))
        }
        #expect(error?.isDeclined == false)
        #expect(error?.message.contains("mini") == true)
    }

    @Test func `a sequence without a track shows its item`() throws {
        #expect(try Self.open(Fixtures.single(Fixtures.small).bytes).info.frameCount == 1)
    }

    /// Opens a file by a brand of sequences.
    private static func open(_ bytes: [UInt8]) throws -> any OpenedMedia {
        try HEICDecoder(PictureDecoders()).open(
            MemoryBytes(bytes), type: .heicSequence, limits: .web)
    }

    /// An item of 48 by 32 pixels, the units of a sample, and its track.
    private static func file(_ sides: (Int, Int), _ units: [UInt8]) -> [UInt8] {
        var forge = Fixtures.single(Fixtures.small)
        forge.brands = ["msf1", "hevc", "heic"]
        let file = forge.bytes
        let sample = units.flatMap { unit -> [UInt8] in
            HEICForge.number(3, 4) + [unit << 1, 1, 0]
        }
        return file + HEICForge.box("mdat", sample) + movie(sides, sampleAt: file.count + 8)
    }

    private static func movie(_ sides: (Int, Int), sampleAt offset: Int) -> [UInt8] {
        let layout = HEICForge.box("hvcC", HEICForge.number(0, 21) + [3, 0])
        let entry =
            HEICForge.number(0, 24) + HEICForge.number(sides.0, 2) + HEICForge.number(sides.1, 2)
            + HEICForge.number(0, 50) + layout
        let description = HEICForge.full(
            "stsd", HEICForge.number(1, 4) + HEICForge.box("hvc1", entry))
        let chunks = HEICForge.full("stco", HEICForge.number(1, 4) + HEICForge.number(offset, 4))
        let handler = HEICForge.full(
            "hdlr", HEICForge.number(0, 4) + Array("pict".utf8) + HEICForge.number(0, 13))
        let tables = HEICForge.box(
            "minf", HEICForge.box("stbl", description + chunks))
        return HEICForge.box(
            "moov", HEICForge.box("trak", HEICForge.box("mdia", handler + tables)))
    }
}
