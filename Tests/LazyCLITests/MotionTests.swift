import FoundationEssentials
import Glibc
import HTTPSupport
import LazyMedia
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

/// Motion photos on the command line.
@Suite(.ownThreads) struct MotionTests {
    private let scratch = Scratch()
    private let film = Tool.bytes(Media.path("small.mp4"))

    private func photo(_ kind: MotionForge.Kind = .motionPhoto) -> String {
        let still = Tool.bytes(Media.path(kind == .mpvd ? "photo.heic" : "still.jpg"))
        return scratch.write(MotionForge.file(kind, still: still, film: film), "photo")
    }

    private func hashes(_ path: String, _ words: String...) -> String {
        Tool.run(["play", path, "--frames", "-", "--format", "framehash"] + words).text
    }

    @Test(arguments: [
        (MotionForge.Kind.motionPhoto, "Google Motion Photo"),
        (.microVideo, "Google MicroVideo"), (.samsung, "Samsung Motion Photo"),
        (.mpvd, "HEIF mpvd"),
    ]) func `info tells of the film`(kind: MotionForge.Kind, name: String) throws {
        let path = photo(kind)
        let size = ByteSize.text(film.count)
        #expect(
            Tool.run(["info", path]).text.contains("track motion  mp4, \(size), 2.000 s, \(name)"))
        let motion = try ParsedJSON.parse(Tool.run(["info", path, "--json"]).text)["motion"]
        #expect(motion?["kind"]?.string == kind.rawValue)
        #expect(motion?["byteCount"]?.integer == film.count)
        #expect(motion?["durationUs"]?.integer == 2_000_000)
        let own = try ParsedJSON.parse(
            Tool.run(["info", path, "--track", "motion", "--json"]).text)
        #expect(own["type"]?.string == "mp4" && own["motion"]?["kind"] == nil)
        #expect(own["byteCount"]?.integer == film.count)
    }

    @Test func `commands read the film, from files and from pipes`() {
        let path = photo()
        let expected = hashes(Media.path("small.mp4"))
        #expect(expected.count > 100 && hashes(path) != expected)
        #expect(hashes(path, "--track", "motion") == expected)
        let piped = Tool.run(
            ["play", "-", "--frames", "-", "--format", "framehash", "--track", "motion"],
            input: path)
        #expect(piped.text == expected)
        for words in [
            ["poster", "-o", "a.png"], ["convert", "-o", "b.webp"], ["animate", "-o", "c.webp"],
            ["sheet", "-o", "d.png"],
        ] {
            let made = Tool.run(
                [words[0], path, "--track", "motion", words[1], scratch.path(words[2])])
            let plain = Tool.run(
                [words[0], Media.path("small.mp4"), words[1], scratch.path("plain-" + words[2])])
            #expect(made.status == 0 && plain.status == 0, "\(made.errors)\(plain.errors)")
            #expect(scratch[words[2]] == scratch["plain-" + words[2]])
        }
    }

    @Test func `a file without a film is refused in one sentence`() {
        let plain = Tool.run(["poster", Media.path("still.jpg"), "--track", "motion", "-o", "-"])
        #expect(plain.status == 65 && plain.output.isEmpty)
        #expect(plain.errors.contains("The file is no motion photo"))
        let json = Tool.run(["info", Media.path("small.mp4"), "--track", "motion", "--json"])
        #expect(json.status == 65 && json.errors.contains("\"code\": \"trackNotFound\""))
        #expect(Tool.run(["info", photo(), "--track", "cover"]).status == 64)
        #expect(Tool.run(["loop", photo(), "--track", "motion"]).status == 64)
        let lost = MotionForge.described(
            Tool.bytes(Media.path("still.jpg")), MotionForge.offset(1 << 20))
        let path = scratch.write(lost, "lost.jpg")
        let wrong = Tool.run(["poster", path, "--track", "motion", "-o", "-"])
        #expect(wrong.status == 65 && wrong.errors.contains("announces a film 1048576 bytes"))
        #expect(Tool.run(["info", path]).text.contains("announces a film 1048576 bytes"))
        let still = Tool.run(["poster", path, "-o", scratch.path("still.png")])
        #expect(still.status == 0 && !still.errors.contains("film"))
    }

    @Test(arguments: [MotionForge.Kind.motionPhoto, .mpvd])
    func `of a remote motion photo only the film is loaded`(kind: MotionForge.Kind) throws {
        let server = try Nginx.shared()
        let name = "motion-\(UInt64.random(in: 0 ... .max))"
        var still = Tool.bytes(Media.path(kind == .mpvd ? "photo.heic" : "still.jpg"))
        still += HEICForge.box("free", [UInt8](repeating: 0, count: 3 << 20))
        try server.put(MotionForge.file(kind, still: still, film: film), as: name)
        let address = server.url("/" + name).absoluteString
        let cache = ["--cache-dir", scratch.path("cache")]
        let info = Tool.run(["info", address, "--track", "motion", "--json"] + cache)
        #expect(info.status == 0, "\(info.errors)")
        let json = try ParsedJSON.parse(info.text)
        #expect(json["type"]?.string == "mp4" && json["byteCount"]?.integer == film.count)
        #expect(json["transfer"]?["from"]?.string == "ranges")
        let loaded = try #require(json["transfer"]?["byteCount"]?.integer)
        #expect(loaded < 1 << 20)
        let frames = Tool.run(
            ["play", address, "--frames", "-", "--format", "framehash", "--track", "motion"] + cache
        )
        #expect(frames.text == hashes(Media.path("small.mp4")))
        #expect(Tool.run(["info", address] + cache).text.contains("track motion"))
    }
}
