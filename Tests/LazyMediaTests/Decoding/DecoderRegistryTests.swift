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

    @Test func `after an unsupported file the next decoder is tried`() throws {
        let refusing = Decoder(name: "b", refusal: MediaError(.unsupported, "Not this kind."))
        var registry = DecoderRegistry([Decoder(name: "a"), refusing])
        #expect(try registry.open(gif()).info.codec == "a")
        registry = DecoderRegistry([refusing])
        let error = #expect(throws: MediaError.self) { try registry.open(gif()) }
        #expect(error?.message == "Not this kind.")
    }

    @Test func `after damage no other decoder is tried`() throws {
        let failing = Decoder(name: "b", refusal: MediaError(.malformed, "Broken."))
        let registry = DecoderRegistry([Decoder(name: "a"), failing])
        let error = #expect(throws: MediaError.self) { try registry.open(gif()) }
        #expect(error?.code == .malformed)
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
