import LazyEditing
import LazyMedia
import LazyRenditions
import Testing

/// What platforms take, as values; the files themselves are tested with the command.
@Suite struct PlatformTests {
    typealias Platform = Rendition.Platform

    @Test(arguments: Platform.allCases)
    func `bounds decide what is not asked for`(platform: Platform) throws {
        let json = #"{"kind": "animation", "output": {"for": "\#(platform.rawValue)"}}"#
        let asked = try Rendition(json: json)
        #expect(asked.output.platform == platform && asked.output.type == nil)
        let checked = try asked.checked()
        let bounds = platform.bounds
        #expect(checked.output.type == bounds.types.first)
        #expect(checked.output.limit == .bytes(bounds.byteCount))
        #expect(
            checked.edit.size?.width == bounds.side && checked.edit.maxFrames == bounds.frameCount)
        #expect((checked.edit.padding != nil) == (bounds.shape == .exactly))
        // What was asked for is written down, not what follows from it.
        #expect(asked.identifier == "animation.1;output.for=\(platform.rawValue)")
    }

    @Test(arguments: [
        #"{"kind": "animation", "output": {"for": "slack-emoji", "type": "webp"}}"#,
        #"{"kind": "poster", "output": {"for": "slack-emoji"}}"#,
        #"{"kind": "conversion", "output": {"for": "telegram-sticker"}}"#,
    ])
    func `what a platform does not take is refused`(json: String) throws {
        let error = #expect(throws: MediaError.self) { try Rendition(json: json).checked() }
        #expect(error?.code == .notWritable)
    }

    @Test func `a smaller number of bytes stays`() throws {
        let json = #"{"kind": "animation", "output": {"for": "slack-emoji", "maxBytes": "64k"}}"#
        #expect(try Rendition(json: json).checked().output.limit == .bytes(64_000))
    }
}
