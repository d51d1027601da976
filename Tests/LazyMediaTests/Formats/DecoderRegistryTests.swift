import LazyMedia
import Support
import Testing

@Suite struct DecoderRegistryTests {
    private struct Decoder: MediaDecoding {
        let name: String
        var type = MediaType.gif
        var refusal: MediaError?
        var magic = Array("GIF89a".utf8)

        func canOpen(_ type: MediaType) -> Bool { type == self.type }

        func sniff(_ head: [UInt8]) -> MediaType? {
            head.starts(with: magic) ? type : nil
        }

        func open(
            _ bytes: any ByteSource, type: MediaType, limits: DecodingLimits
        ) throws(MediaError) -> any OpenedMedia {
            if let refusal { throw refusal }
            var media = ScriptedMedia(count: 1)
            media.info.codec = name
            return media
        }
    }

    private func gif() throws -> MemoryBytes { try MemoryBytes(Array("GIF89a______".utf8)) }

    @Test func `the decoder registered last is tried first`() throws {
        var registry = DecoderRegistry([Decoder(name: "a")])
        let token = registry.register(Decoder(name: "b"))
        #expect(registry.decoders.map(\.name) == ["b", "a"])
        #expect(try registry.open(gif()).info.codec == "b")
        var copy = registry
        copy.unregister(token)
        copy.unregister(token)
        #expect(try copy.open(gif()).info.codec == "a")
        #expect(registry.decoder(for: .gif)?.name == "b")
        copy.clear()
        #expect(copy.decoders.isEmpty)
        #expect(throws: MediaError.self) { try copy.open(gif()) }
    }

    @Test func `after a decoder declines the next one is tried`() throws {
        let declining = Decoder(name: "b", refusal: .declined("Not this kind."))
        var registry = DecoderRegistry([Decoder(name: "a"), declining])
        #expect(try registry.open(gif()).info.codec == "a")
        registry = DecoderRegistry([declining])
        let error = #expect(throws: MediaError.self) { try registry.open(gif()) }
        #expect(error?.message == "Not this kind.")
        #expect(error?.code == .unsupported)
    }

    /// The next one may not see what the first one does not support, and show a wrong picture.
    @Test(arguments: [MediaError.Code.malformed, .unsupported, .truncated, .limitExceeded])
    func `after a decoder has judged a file no other is tried`(code: MediaError.Code) throws {
        let failing = Decoder(name: "b", refusal: MediaError(code, "Judged."))
        let registry = DecoderRegistry([Decoder(name: "a"), failing])
        let error = #expect(throws: MediaError.self) { try registry.open(gif()) }
        #expect(error?.code == code)
        #expect(error?.message == "Judged.")
    }

    @Test(arguments: [
        (MediaError.Code.malformed, "First."), (.unsupported, "First."), (.encrypted, "Second."),
        (.limitExceeded, "Second."),
    ]) func `the first decoder is heard where a later one does not know the file`(
        code: MediaError.Code, message: String
    ) throws {
        let registry = DecoderRegistry([
            Decoder(name: "a", refusal: MediaError(code, "Second.")),
            Decoder(name: "b", refusal: .declined("First.")),
        ])
        let error = #expect(throws: MediaError.self) { try registry.open(gif()) }
        #expect(error?.message == message)
    }

    @Test func `a custom decoder recognizes its own format`() throws {
        let type = MediaType(name: "new", mimeType: "image/x-new", family: .still)
        let registry = DecoderRegistry([
            Decoder(name: "new", type: type, magic: Array("NEW!".utf8)), Decoder(name: "a"),
        ])
        #expect(try registry.open(MemoryBytes(Array("NEW! picture".utf8))).info.codec == "new")
        #expect(throws: MediaError.self) {
            try registry.open(MemoryBytes(Array("OLD! picture".utf8)))
        }
    }
}
