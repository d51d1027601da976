import LazyKit
import LazyMedia
import Support
import Testing

/// A format that a user makes and registers.
@Suite struct OwnFormatTests {
    private static let type = MediaType(
        name: "shade", title: "Shade", mimeType: "image/x-shade", family: .animation,
        fileExtensions: ["shd", "shade"])

    private struct Decoder: MediaDecoding {
        let name = "shader"
        func canOpen(_ type: MediaType) -> Bool { type == OwnFormatTests.type }
        func open(
            _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
        ) throws(MediaError) -> any OpenedMedia {
            var media = ScriptedMedia(count: 3)
            media.info.type = type
            return media
        }
    }

    private struct Encoder: MediaEncoding {
        let name = "shade"
        func encode(
            _ frames: Frames, info: MediaInfo, loop: LoopCount,
            to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
        ) async throws(MediaError) { try write(Array("SHADE".utf8)) }
    }

    private struct Rewriter: MediaRewriting {
        var type: MediaType { OwnFormatTests.type }
        func rewrite(
            _ bytes: any ByteSource, _ change: TimingChange, limits: DecodingLimits,
            to write: ([UInt8]) throws(MediaError) -> Void
        ) throws(MediaError) { try write([]) }
    }

    private static let format = MediaFormat(
        name: "shade", types: [type], signatures: [.text("SHADE", type)], decoders: [Decoder()],
        encoders: [
            EncoderFactory(type, FormatTraits(canAnimate: true, loop: true, alpha: .none, side: 99))
            { _, _ in Encoder() }
        ],
        rewriter: Rewriter(), readsRanges: true,
        libraries: {
            [InstalledLibrary(name: "shader", version: "1", license: "MIT", purpose: "shades")]
        })

    private static var registry: FormatRegistry {
        var registry = FormatRegistry.standard
        registry.register(format)
        return registry
    }

    @Test func `it is recognized and read`() throws {
        let bytes = try MemoryBytes(Array("SHADE and more".utf8))
        #expect(try Self.registry.sniffer.type(of: bytes) == Self.type)
        let media = try Self.registry.decoders.open(bytes)
        #expect(media.info.type == Self.type)
        #expect(try FormatRegistry.standard.sniffer.type(of: bytes) == .unknown)
    }

    @Test func `it is written and rewritten`() async throws {
        let encoders = Self.registry.encoders
        #expect(encoders.types.contains(Self.type))
        #expect(encoders.traits(for: Self.type)?.longestSide == 99)
        let (bytes, report) = try await Rendition.conversion(to: Self.type).data(
            of: FrameSequence(ScriptedMedia(count: 3)), encoders: encoders)
        #expect(report.parts.map(\.type) == [Self.type])
        #expect(bytes == Array("SHADE".utf8))
        #expect(Self.registry.rewriter(for: Self.type) != nil)
    }

    @Test func `it is listed in all that is derived`() {
        let registry = Self.registry
        #expect(registry.types.contains(Self.type))
        #expect(registry.format(named: "SHD")?.name == "shade")
        #expect(registry.acceptHeader.contains("image/x-shade"))
        #expect(registry.compressedExtensions.contains("shade"))
        #expect(registry.readsRanges(Self.type))
        #expect(registry.libraries().contains { $0.name == "shader" })
    }

    @Test func `a second value of a name is asked before the first`() throws {
        struct Other: MediaDecoding {
            let name = "other"
            func canOpen(_ type: MediaType) -> Bool { type == .gif }
            func open(
                _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
            ) throws(MediaError) -> any OpenedMedia {
                throw .declined("Not this one.")
            }
        }
        var registry = FormatRegistry.standard
        registry.register(
            MediaFormat(name: "gif", types: [.gif], signatures: [], decoders: [Other()]))
        #expect(registry.formats.filter { $0.name == "gif" }.count == 1)
        #expect(registry.decoders.decoder(for: .gif)?.name == "other")
        #expect(registry.encoders.traits(for: .gif) != nil)
        let opened = try registry.decoders.open(FileBytes(path: Media.path("counter.gif")))
        #expect(opened.info.codec == "gif")
    }
}
