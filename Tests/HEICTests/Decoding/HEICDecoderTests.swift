import LazyMedia
import LazyVideo
import Support
import Testing

@testable import LazyCodecs

@Suite struct HEICDecoderTests {
    /// A machine without any codec.
    private struct NoCodecs: CodedPictureDecoding {
        func require(_ codec: PictureCodec) throws(MediaError) {
            throw MediaError(.unsupported, "There is no decoder for \(codec.rawValue).")
        }

        func makeDecoder(
            _ setup: PictureDecoderSetup
        ) throws(MediaError) -> any CodedPictureDecoder {
            try require(setup.codec)
            throw .cancelled
        }
    }

    @Test func `a type is not read where its codec is missing`() throws {
        let without = DecoderRegistry([HEICDecoder(NoCodecs())])
        let error = #expect(throws: MediaError.self) {
            _ = try without.installedDecoder(for: .heic)
        }
        #expect(error?.message == "There is no decoder for hevc.")
        #expect(try without.installedDecoder(for: .gif) == nil)
        let both = DecoderRegistry([HEICDecoder(PictureDecoders()), HEICDecoder(NoCodecs())])
        #expect(try both.installedDecoder(for: .heic)?.name == "heif")
    }

    @Test func `the header opens without a codec, and the picture says what is missing`() throws {
        let bytes = try Media.bytes("photo.heic")
        let media = try HEICDecoder(NoCodecs()).open(bytes, type: .heic, limits: .web)
        #expect(media.info.size == PixelSize(width: 160, height: 96))
        let error = #expect(throws: MediaError.self) {
            _ = try media.makeReader(ReaderOptions()).nextFrame()
        }
        #expect(error?.code == .unsupported)
    }
}
