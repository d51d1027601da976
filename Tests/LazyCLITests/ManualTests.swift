import ArgumentParser
import LazyMedia
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

@Suite(.ownThreads) struct ManualTests {
    private static let manual = String(
        decoding: Tool.bytes(Project.folder + "man/lazyimg.1"), as: UTF8.self)

    @Test func `exit codes by signals are in the manual and in the help`() {
        let help = LazyImg.helpMessage().replacing(/\s+/, with: " ")
        #expect(help.contains("129, 130, 131 and 143 ended by SIGHUP, SIGINT, SIGQUIT or SIGTERM"))
        #expect(help.contains("128 + n ended by signal n"))
        #expect(Self.manual.contains("\n.It 129, 130, 131, 143\n"))
        #expect(Self.manual.contains("\n.It 128 + n\n"))
    }

    @Test(
        .enabled(
            if: Tool.shell("command -v python3").status == 0, "python3, which makes it, is missing")
    )
    func `the manual page has the words of the parser`() {
        let outcome = Tool.shell(
            "LAZYIMG_BINARY=\"$lazyimg\" '\(Project.folder)scripts/manual.py' --check")
        #expect(outcome.status == 0, "Run 'make manual'. \(outcome.errors)")
    }

    @Test func `manual, guide and help contain the limits`() {
        let path = Project.folder + "Sources/LazyMedia/LazyMedia.docc/Limits.md"
        let guide = String(decoding: Tool.bytes(path), as: UTF8.self)
        #expect(DecodingLimits.table.count == DecodingLimits.Kind.allCases.count + 1)
        for row in DecodingLimits.table {
            #expect(Self.manual.contains(".It " + row.joined(separator: " Ta ") + "\n"))
            #expect(guide.contains("| " + row.joined(separator: " | ") + " |\n"))
            let words = row.joined(separator: " ").split(separator: " ")
            #expect(
                HelpTopic.limits.text.split(separator: "\n").contains {
                    $0.split(separator: " ") == words
                })
        }
    }

    @Test(arguments: [0, 1, 64, 65, 66, 69, 70, 73, 74, 75, 76, 77])
    func `the manual page explains every exit code`(code: Int) {
        #expect(Self.manual.contains("\n.It \(code)\n"))
    }
}
