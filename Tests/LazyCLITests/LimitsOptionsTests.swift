import ArgumentParser
import LazyMedia
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

@Suite(.ownThreads) struct LimitsOptionsTests {
    @Test(
        arguments: [
            ([], true, DecodingLimits.local), ([], false, .web),
            (["--limits", "untrusted"], true, .untrusted),
            (["--limits", "trusted"], false, .local),
            (["--limits", "local"], false, .local),
        ] as [([String], Bool, DecodingLimits)])
    func `the profile is named, or follows from the input`(
        words: [String], isLocal: Bool, expected: DecodingLimits
    ) throws {
        #expect(try LimitsOptions.parse(words).choice.limits(isLocal: isLocal) == expected)
    }

    @Test func `individual limits change the profile`() throws {
        let words = ["--limits", "web", "--limit", "pixels=100M,memory=2G", "--limit", "time=none"]
        var expected = DecodingLimits.web
        expected.pixelsPerFrame = 100_000_000
        expected.memory = 2_000_000_000
        expected.decodeTime = nil
        #expect(try LimitsOptions.parse(words).choice.limits(isLocal: true) == expected)
    }

    @Test(arguments: ["pixel=1", "pixels", "pixels=", "pixels=-1", "pixels=0", "time=x", "", ","])
    func `invalid limits are rejected`(text: String) {
        #expect(throws: (any Error).self) { try LimitsOptions.parse(["--limit", text]) }
    }

    @Test func `the tool prints the topic and accepts its hint`() throws {
        let help = Tool.run(["help", "limits"])
        #expect(help.status == 0)
        #expect(help.text == HelpTopic.limits.text)
        let clip = Media.path("clip.mp4")
        let refused = Tool.run(["info", clip, "--limit", "pixels=1000"])
        #expect(refused.status == 76)
        let hint = try #require(refused.errors.firstMatch(of: /--limit (pixels=[0-9.]+[KMG]?)/))
        #expect(Tool.run(["info", clip, "--limit", String(hint.output.1)]).status == 0)
    }

    @Test func `a file without a size is not empty`() {
        let outcome = Tool.run(["info", "/proc/self/status"])
        #expect(outcome.status == 65)
        #expect(!outcome.errors.contains("empty"))
    }
}
