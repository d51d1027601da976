import LazyBase
import LazyMedia
import LazyPipeline
import Support
import Testing

/// Decoders of one's own, in the registry of a pipeline.
@Suite struct DecoderTests {
    /// Reads `SHADE` and a number, as so many frames of rising gray.
    struct ShadeDecoder: MediaDecoding {
        static let type = MediaType(name: "shade", mimeType: "image/x-shade", family: .animation)
        let name = "shade"

        func canOpen(_ type: MediaType) -> Bool { type == Self.type }

        func sniff(_ head: [UInt8]) -> MediaType? {
            head.starts(with: Array("SHADE".utf8)) ? Self.type : nil
        }

        func open(
            _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
        ) throws(MediaError) -> any OpenedMedia {
            let size = PixelSize(width: 2, height: 2)
            return DrawnMedia(
                size: size, durations: Array(repeating: .milliseconds(50), count: 4), type: type
            ) { (index) throws(MediaError) in
                try Bitmap(size: size, isOpaque: true) { rows in
                    for place in rows.indices {
                        rows[place] = place % 4 == 3 ? 255 : UInt8(index * 10)
                    }
                }
            }
        }
    }

    /// Takes GIFs and can do none of them.
    struct HelplessDecoder: MediaDecoding {
        let name = "helpless"
        func canOpen(_ type: MediaType) -> Bool { type == .gif }
        func sniff(_ head: [UInt8]) -> MediaType? { .gif }
        func open(
            _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
        ) throws(MediaError) -> any OpenedMedia {
            throw .declined("Not this one.")
        }
    }

    @Test func `a type that only a decoder knows is recognized by it`() async throws {
        let loader = ScriptedLoader { _ in .init([Array("SHADE 4".utf8)]) }
        let pipeline = Given.pipeline(loader) { $0.decoders.register(ShadeDecoder()) }
        let response = try await pipeline.response(for: ImageRequest(url: Given.url()))
        #expect(response.container.type == ShadeDecoder.type)
        #expect(response.frames.info.frameCount == 4)
        #expect(try await response.frames.frame(3).bitmap[0, 0].x == 30)
    }

    @Test func `a decoder that declines is followed by the next one`() async throws {
        let pipeline = Given.pipeline(Given.loader()) { $0.decoders.register(HelplessDecoder()) }
        #expect(try await pipeline.image(for: Given.url()).size == PixelSize(width: 4, height: 4))
    }

    @Test func `if no decoder supports the bytes, the first error is thrown`() async {
        let pipeline = Given.pipeline(Given.loader()) {
            $0.decoders = DecoderRegistry([HelplessDecoder()])
        }
        #expect(await word { _ = try await pipeline.image(for: Given.url()) } == "decodingFailed")
    }
}
