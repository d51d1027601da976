import Foundation
import Support
import Testing
import ToolSupport

/// Posters of damaged pictures: made of what there is, and the damage is said.
@Suite(.ownThreads, .needs("convert")) struct DamagedPosterTests {
    private let scratch = Scratch()

    /// A picture of noise, cut behind a share of its bytes; a TIFF, whose directory is at its end, is overwritten there.
    private func file(_ name: String, _ share: Double, _ options: String = "") -> String {
        let path = scratch.path(name)
        _ = Peer.output(
            of: "convert -size 160x120 -seed 1 plasma:red-blue \(options) '\(path)' 2>&1")
        var bytes = Tool.bytes(path)
        let end = Int(Double(bytes.count) * share)
        if name.hasSuffix("tif"), share < 1 {
            bytes.replaceSubrange(end..<end + 400, with: repeatElement(0xFF, count: 400))
        } else {
            bytes.removeSubrange(end...)
        }
        Tool.write(bytes, to: path)
        return path
    }

    @Test(arguments: [
        ("a.jpg", ""), ("a.jpg", "-interlace JPEG"), ("a.png", "-depth 8"), ("a.bmp", ""),
        ("a.tif", "-compress LZW -depth 8 -define tiff:rows-per-strip=8"), ("a.webp", ""),
    ])
    func `a picture that ends early has a warning in every command`(
        name: String, options: String
    ) {
        let path = file(name, 0.6, options)
        for words in [
            ["poster", path, "--at", "first"], ["poster", path], ["poster", path, "--at", "50%"],
            ["poster", path, "-W", "40"], ["poster", path, "--at", "#0"],
            ["poster", path, "--at", "last"], ["poster", path, "--isolate", "always"],
            ["sheet", path], ["sheet", path, "--isolate", "always"],
        ] {
            let outcome = Tool.run(
                words + ["-o", scratch.path("out.png"), "--overwrite", "always"])
            #expect(outcome.status == 0, "\(words): \(outcome.errors)")
            #expect(
                outcome.errors.contains("warning: \(path)"), "\(words): \(outcome.errors)")
            let count = outcome.errors.split(separator: "\n").count { $0.contains("warning: ") }
            #expect(count == 1 || words[0] != "poster", "\(words): \(outcome.errors)")
        }
        // Of a TIFF only decoding tells.
        if name != "a.tif" {
            let facts = Tool.run(["info", "--json", path])
            #expect(facts.text.contains("\"truncated\": true"), "\(facts.text)")
        }
        let whole = file(name, 1, options)
        let sound = Tool.run([
            "poster", whole, "-o", scratch.path("out.png"), "--overwrite", "always",
        ])
        #expect(sound.status == 0 && sound.errors.isEmpty, "\(sound.errors)")
    }

    @Test func `a batch says it, too`() {
        let path = file("a.jpg", 0.6)
        let outcome = Tool.run([
            "batch", "poster", path, "-o", scratch.path("out"), "--no-journal",
        ])
        #expect(outcome.status == 0 && outcome.errors.contains("ends early"), "\(outcome.errors)")
    }

    /// A film whose end was never downloaded: the file has its size, and zeros.
    @Test(.needs("ffmpeg"), arguments: ["last", "-1", "-3", "95%"])
    func `the end of a film that is zeros is the last frame that there is`(choice: String) {
        let path = scratch.path("film.mp4")
        _ = Peer.output(
            of: """
                ffmpeg -v error -y -f lavfi -i testsrc2=s=160x120:r=25:d=3 -c:v libx264 -g 10 \
                -movflags +faststart -pix_fmt yuv420p '\(path)'
                """)
        var bytes = Tool.bytes(path)
        let start = bytes.count * 6 / 10
        bytes.replaceSubrange(start..., with: repeatElement(0, count: bytes.count - start))
        Tool.write(bytes, to: path)
        let outcome = Tool.run([
            "poster", path, "--at", choice, "-o", scratch.path("out.png"), "--json",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let text = outcome.text.split(separator: "\"ptsUs\": ").dropFirst().first
        let time = text.flatMap { Int($0.prefix { $0.isNumber }) } ?? -1
        #expect((500_000..<2_700_000).contains(time), "\(outcome.text)")
    }
}
