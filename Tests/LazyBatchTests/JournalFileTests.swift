import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch

/// To what a journal is appended.
@Suite(.ownThreads) struct JournalFileTests {
    private let scratch = Scratch()

    @Test(arguments: ["precious\n", "{\"a\": 1}\n", "{\"state\": 1}\n", "no line", "\n"])
    func `a file that is no journal is left as it is`(text: String) {
        Tool.write(Array(text.utf8), to: scratch.path("f"))
        #expect(throws: FileError.self) { try Journal(scratch.path("f")) }
        #expect(scratch.text("f") == text)
    }

    @Test(arguments: [
        "", "{\"sta", "{\"state\": \"run\", \"arguments\": []}\n", "{\"state\": \"done\", \"outp",
        "{\"output\": \"/o\", \"state\": \"done\", \"input\": \"/i\", \"options\": \"\"}\n",
    ])
    func `a journal is one in any form, cut anywhere`(text: String) throws {
        Tool.write(Array(text.utf8), to: scratch.path("f"))
        _ = try Journal(scratch.path("f"))
        #expect(scratch.text("f").hasPrefix(text))
    }

    @Test func `links of this user are followed, and the folder need not be readable`() throws {
        mkdir(scratch.path("d"), 0o700)
        symlink("d/j", scratch.path("one"))
        symlink("one", scratch.path("two"))
        _ = try Journal(scratch.path("two"))
        #expect(scratch.names("d") == ["j"])
        symlink("loop", scratch.path("loop"))
        #expect(throws: FileError.self) { try Journal(scratch.path("loop")) }
    }

    private static let canBeOthers =
        geteuid() == 0 && Tool.shell("setpriv --reuid 65534 --clear-groups true").status == 0

    @Test(.enabled(if: canBeOthers, "Only root can make links of other users."))
    func `a link or a file of another user in a folder of all is refused`() {
        chmod(scratch.path, 0o1777)
        Tool.write([], to: scratch.path("victim"))
        let outcome = Tool.shell(
            "cd '\(scratch.path)' && setpriv --reuid 65534 --clear-groups sh -c 'ln -s victim link; : > file'"
        )
        #expect(outcome.status == 0)
        for name in ["link", "file"] {
            #expect(throws: FileError.self) { try Journal(scratch.path(name)) }
        }
        #expect(scratch.text("victim") == "")
        // In a folder of one's own it was put there by somebody who may.
        chmod(scratch.path, 0o755)
        #expect(throws: Never.self) { _ = try Journal(scratch.path("link")) }
    }
}
