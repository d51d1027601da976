import LazyEditing
import LazyMedia
import Support
import Testing

@testable import LazyRenditions

/// Renditions as JSON and as lines that identify them.
@Suite struct RenditionTextTests {
    static let rows: [(json: String, identifier: String)] = [
        (#"{"kind": "poster"}"#, "poster.1"),
        (#"{"kind": "poster", "at": "first"}"#, "poster.1;at=first"),
        (#"{"kind": "poster", "at": "10-12"}"#, "poster.1;at=10-12"),
        (#"{"kind": "poster", "at": "25%"}"#, "poster.1;at=25%25"),
        (
            #"{"kind": "poster", "edit": {"size": "320x>"}, "output": {"type": "webp", "quality": 70}}"#,
            "poster.1;edit.size=320x%3E;output.type=webp;output.quality=70"
        ),
        (
            #"{"kind": "poster", "track": "2", "tone": "clip", "deinterlace": "never"}"#,
            "poster.1;track=2;tone=clip;deinterlace=never"
        ),
        (
            ##"{"kind": "poster", "edit": {"trim": true, "crop": "16:9", "rotate": 90, "flip": "both", "gravity": "smart", "pad": "640x480", "padColor": "#ff0000"}}"##,
            "poster.1;edit.trim=true;edit.crop=16:9;edit.rotate=90;edit.flip=both;edit.gravity=smart;edit.pad=640x480;edit.padColor=#ff0000"
        ),
        (
            #"{"kind": "poster", "edit": {"overlays": [{"text": "a b", "textSize": 10, "box": "none"}]}}"#,
            "poster.1;edit.overlays.0.text=a%20b;edit.overlays.0.textSize=10;edit.overlays.0.box=none"
        ),
        (
            #"{"kind": "poster", "edit": {"overlays": [{"subtitles": "track:deu"}]}}"#,
            "poster.1;edit.overlays.0.subtitles=track:deu"
        ),
        (
            #"{"kind": "poster", "edit": {"overlays": [{"watermark": {"file": "logo.png", "sha256": "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"}, "opacity": 0.5}]}}"#,
            "poster.1;edit.overlays.0.watermark.sha256=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff;edit.overlays.0.opacity=0.5"
        ),
        (
            ##"{"kind": "poster", "output": {"lossless": "true", "background": "#ffffff80"}}"##,
            "poster.1;output.lossless=true;output.background=#ffffff80"
        ),
        (#"{"kind": "animation"}"#, "animation.1"),
        (
            #"{"kind": "animation", "length": "2", "pieces": 1, "loopSeam": "bounce", "loop": "3", "edit": {"segments": "1-2.5,10-", "speed": 2, "fps": "12.5", "maxFrames": 30}, "output": {"type": "gif", "maxBytes": "200K", "colors": 64}}"#,
            "animation.1;length=2;pieces=1;loopSeam=bounce;loop=3;edit.segments=1-2.5,10-;edit.speed=2;edit.fps=12.5;edit.maxFrames=30;output.type=gif;output.maxBytes=200K;output.colors=64"
        ),
        (
            #"{"kind": "conversion", "loop": "source", "undither": "never", "audio": "copy", "still": true, "output": {"type": "mp4", "maxBytes": "source", "codec": "av1"}}"#,
            "conversion.1;loop=source;undither=never;audio=copy;still=true;output.type=mp4;output.maxBytes=source;output.codec=av1"
        ),
        (#"{"kind": "loop", "loop": "forever", "delay": "0.1"}"#, "loop.1;loop=forever;delay=0.1"),
        (#"{"kind": "loop", "speed": 2}"#, "loop.1;speed=2"),
        (
            ##"{"kind": "sheet", "interval": "2", "count": 12, "columns": 4, "rows": 3, "gap": 8, "background": "#000000", "precision": "exact", "stamp": true, "heading": true, "indexes": "vtt,json", "edit": {"segments": "1-2", "size": "320x"}}"##,
            "sheet.1;interval=2;count=12;columns=4;rows=3;gap=8;background=#000000;precision=exact;stamp=true;heading=true;indexes=vtt,json;edit.segments=1-2;edit.size=320x"
        ),
        (#"{"kind": "frames"}"#, "frames.1"),
        (
            #"{"kind": "frames", "every": 10, "keyframes": true, "count": 5, "hashes": true, "indexes": "json,framehash", "edit": {"segments": "1-2"}, "output": {"type": "jpg"}}"#,
            "frames.1;every=10;keyframes=true;count=5;hashes=true;indexes=json,framehash;edit.segments=1-2;output.type=jpg"
        ),
        (
            #"{"kind": "frames", "fps": "12.5", "listing": true, "indexes": "framehash"}"#,
            "frames.1;fps=12.5;listing=true;indexes=framehash"
        ),
    ]

    @Test(arguments: rows)
    func `a rendition is read as it is written`(row: (json: String, identifier: String)) throws {
        let rendition = try Rendition(json: row.json)
        #expect(rendition.json == row.json)
        #expect(rendition.identifier == row.identifier)
        #expect(try Rendition(json: rendition.json) == rendition)
    }

    @Test func `what was not asked for is left out, and not what equals a default`() throws {
        var rendition = Rendition.poster(as: .jpeg)
        let plain = rendition.identifier
        rendition.output.encoding.quality = 80
        #expect(rendition.identifier != plain)
        rendition.output.encoding.quality = nil
        #expect(rendition.identifier == plain)
    }

    @Test func `a switch may be a word, as in a query`() throws {
        let rendition = try Rendition(json: #"{"kind": "poster", "edit": {"trim": "true"}}"#)
        #expect(rendition.identifier == "poster.1;edit.trim=true")
        #expect(
            try Rendition(json: #"{"kind": "sheet", "stamp": "false"}"#).identifier == "sheet.1")
        for value in ["true", #""true""#] {
            let json = #"{"kind": "poster", "output": {"lossless": \#(value)}}"#
            let exact = try Rendition(json: json)
            #expect(exact.output.encoding.lossless == true)
        }
    }

    @Test func `a long line is its digest`() throws {
        var rendition = Rendition.poster()
        rendition.edit.overlays = (0..<20).map { .text(TextOverlay("line \($0)")) }
        let one = rendition.identifier
        #expect(one.hasPrefix("poster.1;sha256:") && one.utf8.count < 100)
        rendition.edit.overlays.reverse()
        #expect(rendition.identifier != one)
    }

    @Test(arguments: [
        ("", "a rendition is an object of JSON with at most 65536 bytes"),
        ("[]", "it is an object"),
        ("{}", "the kinds are facts, poster, animation, conversion, loop, sheet, frames"),
        (#"{"kind": "postre"}"#, "Did you mean 'poster'?"),
        (#"{"kind": "loop", "edit": {}}"#, "the members are loop, delay, speed"),
        (#"{"kind": "poster", "edit": {"padColor": "red"}, "at": "x"}"#, "at: "),
        (#"{"kind": "poster", "adit": {}}"#, "Did you mean 'edit'?"),
        (#"{"kind": "poster", "edit": {"sise": "320"}}"#, "edit: the members are"),
        (#"{"kind": "poster", "edit": {"size": "0x0"}}"#, "edit: size: a size is written as"),
        (#"{"kind": "poster", "edit": {"trim": 1}}"#, "edit: trim: it is true or false"),
        (#"{"kind": "poster", "output": {"quality": 101}}"#, "it must be a number from 0 to 100"),
        (
            #"{"kind": "poster", "edit": {"overlays": [{"watermark": {"file": "a", "sha256": "x"}}]}}"#,
            "64 hexadecimal"
        ),
        (#"{"kind": "poster", "edit": {"overlays": [{}]}}"#, "an overlay has a text"),
        ("[[[[[[[[[]]]]]]]]]", "a rendition is an object"),
        (String(repeating: " ", count: 70_000), "a rendition is an object"),
    ])
    func `a wrong member is named`(json: String, sentence: String) {
        let error = #expect(throws: WordError.self) { try Rendition(json: json) }
        #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
    }

    @Test func `files are read by the reader that is handed over, and by none otherwise`()
        async throws
    {
        struct Reader: Rendition.FileReading {
            func bytes(of file: Overlay.File) -> [UInt8] {
                Array("1\n00:00:00,000 --> 00:00:02,000\nHi\n".utf8)
            }
            func pictures(in bytes: [UInt8], of file: Overlay.File) throws(MediaError) -> (
                frames: [Frame], warnings: [MediaWarning]
            ) {
                let picture = try Bitmap(size: PixelSize(width: 2, height: 2), isOpaque: true) {
                    _ in
                }
                return ([Frame(picture, milliseconds: 1000)], [])
            }
        }
        var rendition = Rendition.poster()
        #expect(try rendition.resolved() == rendition)
        rendition.edit.overlays = [
            .file(.init("s.srt", .subtitles())), .file(.init("logo.png", .picture(opacity: 0.5))),
        ]
        #expect(throws: MediaError.self) { try rendition.resolved() }
        let read = try await rendition.resolved(by: Reader())
        #expect(!read.hasFiles && read.edit.overlays.count == 2)
        rendition.edit.overlays = [
            .file(.init("s.srt", .subtitles(), sha256: String(repeating: "0", count: 64)))
        ]
        let error = await #expect(throws: MediaError.self) {
            try await rendition.resolved(by: Reader())
        }
        #expect(error?.code == .notFound)
    }
}
