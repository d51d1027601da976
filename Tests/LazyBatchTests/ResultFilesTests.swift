import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch

/// Which files of the last time a record keeps.
@Suite struct ResultFilesTests {
    private let scratch = Scratch()

    @Test func `what cannot be read stays in the record, but nobody replaces it`() throws {
        // A folder has a size and no content.
        Tool.write([1], to: scratch.path("other"))
        mkdir(scratch.path("unreadable"), 0o700)
        let identity = try #require(InputIdentity(path: scratch.path("other")))
        var status = stat()
        #expect(stat(scratch.path("unreadable"), &status) == 0)
        let file = JournalRecord.File(
            path: scratch.path("unreadable"), size: Int(status.st_size),
            seal: .init(identity: identity, digest: "made"))
        #expect(ResultFiles([file]).present == [file])
        #expect(!file.isIntact)
    }

    @Test func `what somebody changed does not`() throws {
        Tool.write([1], to: scratch.path("file"))
        let made = try #require(JournalRecord.File(path: scratch.path("file")))
        #expect(ResultFiles([made]).present == [made])
        unlink(scratch.path("file"))
        Tool.write([2], to: scratch.path("file"))
        #expect(ResultFiles([made]).present.isEmpty)
    }
}
