import Support
import Testing
import ToolSupport

/// What `info` counts of damaged media is what `frames` writes, or it says that it is not.
@Suite(.ownThreads) struct CountedDamageTests {
    private let scratch = Scratch()

    /// A file of `media/` with wrong bytes behind a share of it.
    private func file(_ name: String, _ share: Double) throws -> String {
        var bytes = try Media.array(name)
        let start = Int(Double(bytes.count) * share)
        for place in start..<start + 40 { bytes[place] ^= UInt8(place & 0xFF) | 1 }
        let path = scratch.path(name)
        Tool.write(bytes, to: path)
        return path
    }

    private func frames(_ path: String) -> Int {
        let outcome = Tool.run(["play", path, "--frames", "-", "--format", "framehash"])
        #expect(outcome.status == 0 && outcome.errors.contains("warning"), "\(outcome.errors)")
        return outcome.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.count
    }

    @Test(arguments: ["counter.gif", "animation.png", "animation.webp", "animation.avif"])
    func `a list of frames has those that can be decoded`(name: String) throws {
        let path = try file(name, 0.7)
        let count = frames(path)
        for isolation in ["never", "always"] {
            let outcome = Tool.run(["info", "--json", "--frames", path, "--isolate", isolation])
            #expect(outcome.status == 0)
            #expect(outcome.text.contains("\"frameCount\": \(count),"), "\(count)")
            let listed = outcome.text.split(separator: "\n").filter { $0.contains("\"ptsUs\"") }
            #expect(listed.count == count)
            #expect(!outcome.text.contains("\"warnings\": [],"))
        }
        let whole = Tool.run(["info", "--json", "--frames", Media.path(name)])
        #expect(whole.text.contains("\"warnings\": [],"))
    }

    @Test func `damaged packets are told of wherever they are counted`() throws {
        let path = try file("theora.ogv", 0.6)
        let count = frames(path)
        let answers = ["never", "always"].map { isolation in
            Tool.run(["info", "--json", path, "--isolate", isolation]).text
        }
        #expect(answers[0].contains("\"frameCount\": \(count),"))
        #expect(answers[0].contains("corruptPackets"))
        #expect(answers[0] == answers[1])
        for words in [["poster", path, "--at", "90%"], ["convert", path]] {
            let outcome = Tool.run(
                words + ["-o", scratch.path("out.\(words[0] == "poster" ? "png" : "gif")")])
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("damaged"), "\(words): \(outcome.errors)")
        }
    }
}
