import LazyMedia
import Support
import Testing

/// Files whose header lists several streams of video of which one has packets.
@Suite(.ownThreads) struct StreamsInPlaceTests {
    /// Two films in an AVI, with and without sound; `hidden` are the chunks that become unknown ones.
    private static func file(
        sound: Bool, hiding hidden: [String]
    ) throws -> (bytes: [UInt8], scratch: Scratch) {
        let scratch = Scratch()
        let path = scratch.path("two.avi")
        let inputs =
            "-f lavfi -i testsrc=d=1:s=64x48:r=10 -f lavfi -i testsrc2=d=1:s=64x48:r=20"
            + (sound ? " -f lavfi -i sine=d=1 -map 2" : "")
        _ = Peer.output(of: "ffmpeg -v error \(inputs) -map 0 -map 1 -c:v mpeg4 -y \(path) 2>&1")
        var bytes = scratch["two.avi"]
        try #require(!bytes.isEmpty)
        for chunk in hidden {
            let name = Array(chunk.utf8)
            for place in bytes.indices where bytes[place...].starts(with: name) {
                bytes.replaceSubrange(place..<place + 4, with: Array("JUNK".utf8))
            }
        }
        return (bytes, scratch)
    }

    @Test(.needs("ffmpeg"), arguments: [false, true])
    func `the stream is chosen that has packets`(sound: Bool) throws {
        let first = sound ? 1 : 0
        let (bytes, _) = try Self.file(sound: sound, hiding: ["0\(first)dc"])
        let media = try opened(MemoryBytes(bytes))
        #expect(media.info.streams.first { $0.isChosen }?.index == first + 1)
        #expect(try Decoded.frames(media).count == 20)
        // Where both have, it is the first.
        let (whole, _) = try Self.file(sound: sound, hiding: [])
        let usual = try opened(MemoryBytes(whole))
        #expect(usual.info.streams.first { $0.isChosen }?.index == first)
        #expect(try Decoded.frames(usual).count == 10)
    }

    @Test(.needs("ffmpeg")) func `where none has packets the sound is a song`() throws {
        let (bytes, _) = try Self.file(sound: true, hiding: ["01dc", "02dc"])
        let media = try opened(MemoryBytes(bytes))
        #expect(media.info.codec == "mp3")
        let error = #expect(throws: MediaError.self) { try Decoded.frames(media) }
        #expect(error?.code == .noCover)
    }
}
