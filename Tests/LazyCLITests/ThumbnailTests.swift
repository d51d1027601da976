import Glibc
import LazyMedia
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

@Suite(.ownThreads) struct ThumbnailTests {
    private let scratch = Scratch()

    // The first is the standard's own example; the others were asked of GLib 2.74.
    @Test(
        arguments: [
            (
                "/home/jens/photos/me.png", "file:///home/jens/photos/me.png",
                "c6ee772d9e49320e97ec29a7eb5b1697.png"
            ),
            ("/a b/ü~!($).mp4", "file:///a%20b/%C3%BC~!($).mp4", nil),
            ("/#?%;\"<>[]^`{|}\\", "file:///%23%3F%25%3B%22%3C%3E%5B%5D%5E%60%7B%7C%7D%5C", nil),
            ("/&=+$,:@*'-._~", "file:///&=+$,:@*'-._~", nil), ("/\t\u{7F}", "file:///%09%7F", nil),
        ] as [(String, String, String?)])
    func `a file has the same URI as in GLib`(path: String, uri: String, name: String?) {
        let address = ThumbnailAddress(path: path)
        #expect(address.uri == uri)
        if let name { #expect(address.fileName == name) }
        let sum = Peer.output(of: "printf %s '\(uri.replacing("'", with: "'\\''"))' | md5sum")
        #expect(address.fileName == String(decoding: sum.prefix(32), as: UTF8.self) + ".png")
    }

    @Test(.needs("gio"))
    func `gio finds the file by that URI`() {
        let path = scratch.path("a b#ü[1]&,(x)'~.gif")
        Tool.write([1], to: path)
        let text = Peer.output(of: "gio info \"\(path)\" | sed -n 's/^uri: //p'")
        #expect(String(decoding: text, as: UTF8.self) == ThumbnailAddress(path: path).uri + "\n")
    }

    private func poster(_ words: String) -> Tool.Outcome {
        Tool.shell("XDG_CACHE_HOME='\(scratch.path("cache"))' \"$lazyimg\" poster \(words)")
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test(arguments: [
        ("normal", "clip.mp4", 128, 72), ("large", "clip.mp4", 256, 144),
        ("x-large", "clip.mp4", 512, 288), ("large", "counter.gif", 0, 0),
    ]) func `a thumbnail follows the standard`(
        size: String, media: String, width: Int, height: Int
    ) throws {
        let outcome = poster("--xdg-thumbnail \(size) '\(Media.path(media))'")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let address = ThumbnailAddress(path: FilePath.normalized(Media.path(media)))
        let path = scratch.path("cache/thumbnails/\(size)/\(address.fileName)")
        let texts = try #require(PNGTexts.read(Tool.bytes(path)))
        var status = stat()
        stat(Media.path(media), &status)
        #expect(texts["Thumb::URI"] == address.uri)
        #expect(texts["Thumb::MTime"] == String(status.st_mtim.tv_sec))
        #expect(texts["Thumb::Size"] == String(status.st_size))
        #expect(texts["Software"] == "lazyimg \(Version.number)")
        #expect(texts["Thumb::Mimetype"] == (media.hasSuffix("gif") ? "image/gif" : "video/mp4"))
        #expect(texts["Thumb::Image::Width"].flatMap { Int($0) } ?? 0 > 0)
        #expect(texts["Thumb::Movie::Length"] != nil)
        #expect(mode(path) == 0o600)
        #expect(mode(scratch.path("cache/thumbnails/\(size)")) == 0o700)
        #expect(mode(scratch.path("cache/thumbnails")) == 0o700)
        let bytes = Tool.bytes(path)
        let sides = [16, 20].map { bytes[$0..<$0 + 4].reduce(0) { $0 << 8 | Int($1) } }
        if width > 0 { #expect(sides == [width, height]) }
        #expect(scratch.names("cache/thumbnails/\(size)") == [address.fileName])
    }

    @Test func `a valid thumbnail is kept, and one of an older file is not`() {
        let media = scratch.path("a.gif")
        Tool.write(Tool.bytes(Media.path("counter.gif")), to: media)
        #expect(poster("--xdg-thumbnail normal '\(media)'").status == 0)
        let name = scratch.names("cache/thumbnails/normal")[0]
        let path = scratch.path("cache/thumbnails/normal/\(name)")
        var (first, second) = (stat(), stat())
        stat(path, &first)
        #expect(
            poster("--json --xdg-thumbnail normal '\(media)'").text.contains("\"isKept\": true"))
        stat(path, &second)
        #expect(first.st_ino == second.st_ino)
        let times = [timeval(tv_sec: 1000, tv_usec: 0), timeval(tv_sec: 1000, tv_usec: 0)]
        utimes(media, times)
        #expect(poster("--xdg-thumbnail normal '\(media)'").status == 0)
        #expect(PNGTexts.read(Tool.bytes(path))?["Thumb::MTime"] == "1000")
    }

    @Test func `undecodable files are recorded, and not tried again before they change`() {
        let media = scratch.path("bad.gif")
        Tool.write(Array("GIF89a".utf8), to: media)
        setAge(of: media, 3600)
        #expect(poster("--xdg-thumbnail normal '\(media)'").status == 65)
        let folder = "cache/thumbnails/fail/lazyimg-\(Version.number)"
        #expect(scratch.names(folder).count == 1)
        let again = poster("--xdg-thumbnail large '\(media)'")
        #expect(
            again.status == 65
                && again.errors.contains("An earlier attempt to make its thumbnail failed."))
        Tool.write(Tool.bytes(Media.path("counter.gif")), to: media)
        #expect(poster("--xdg-thumbnail large '\(media)'").status == 0)
        #expect(scratch.names(folder).isEmpty)
    }

    private func setAge(of path: String, _ seconds: Int) {
        let change = timeval(tv_sec: time(nil) - seconds, tv_usec: 0)
        utimes(path, [change, change])
    }

    @Test func `temporary failures are not recorded`() {
        let media = scratch.path("large.gif")
        // A canvas of 65535 x 65535, beyond any profile for strangers.
        var bytes = Tool.bytes(Media.path("counter.gif"))
        for place in 6..<10 { bytes[place] = 0xFF }
        Tool.write(bytes, to: media)
        setAge(of: media, 3600)
        let limited = poster(
            Tool.limits("untrusted").joined(separator: " ") + " --xdg-thumbnail normal '\(media)'")
        #expect(limited.status == 76, "\(limited.errors)")
        // What is still being written.
        let part = scratch.path("part.gif")
        Tool.write(Array("GIF89a".utf8), to: part)
        #expect(poster("--xdg-thumbnail normal '\(part)'").status == 65)
        // A picture that is not there.
        let short = scratch.path("short.gif")
        Tool.write(Tool.bytes(Media.path("counter.gif")), to: short)
        setAge(of: short, 3600)
        #expect(poster("--xdg-thumbnail normal --at '#9999' '\(short)'").status == 65)
        #expect(scratch.names("cache/thumbnails/fail") == [])
    }

    @Test func `a thumbnail has no thumbnail, and contradicting options are rejected`() {
        #expect(poster("--xdg-thumbnail normal -o x.png '\(Media.path("clip.mp4"))'").status == 64)
        #expect(poster("--xdg-thumbnail normal data:,x").status == 64)
        #expect(poster("--xdg-thumbnail normal '\(Media.path("clip.mp4"))'").status == 0)
        let name = scratch.names("cache/thumbnails/normal")[0]
        let own = scratch.path("cache/thumbnails/normal/\(name)")
        #expect(poster("--xdg-thumbnail normal '\(own)'").status == 64)
    }

    @Test(arguments: [("jpg", [0xFF, 0xD8]), ("webp", Array("RIFF".utf8)), ("png", [0x89, 0x50])])
    func `a poster is written in each format`(ending: String, start: [UInt8]) {
        let path = scratch.path("p.\(ending)")
        let outcome = poster("'\(Media.path("clip.mp4"))' -s '64x64^' --gravity smart -o '\(path)'")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(Tool.bytes(path).starts(with: start))
        #expect(Tool.run(["info", path, "--json"]).text.contains("\"width\": 64"))
    }

    // Without its sandbox, which sanitizers do not allow, the command refuses untrusted media.
    @Test(.enabled(if: !Sanitizer.isLinked))
    func `the thumbnailer file contains a working command`() throws {
        let text = String(
            decoding: Tool.bytes(Project.folder + "share/thumbnailers/lazyimg.thumbnailer"),
            as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Exec=") })
        let output = scratch.path("o.png")
        Tool.write([], to: output)
        let words = line.dropFirst("Exec=lazyimg ".count).split(separator: " ").map { word in
            switch word {
            case "%s": "100"
            case "%o": output
            case "%i": Media.path("clip.mp4")
            default: String(word)
            }
        }
        try #require(Tool.run(words).status == 0)
        let size = Tool.bytes(output).dropFirst(16).prefix(8)
        #expect(size.elementsEqual([0, 0, 0, 100, 0, 0, 0, 56]))
    }
}
