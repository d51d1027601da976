import Glibc
import Support
import Testing

@testable import LazyBase

@Suite struct FolderNamesTests {
    @Test func `all names are listed, hidden ones among them`() throws {
        let scratch = Scratch()
        scratch["a.gif"] = []
        scratch[".hidden"] = []
        #expect(try FolderNames.read(scratch.path).sorted() == [".hidden", "a.gif"])
    }

    @Test func `a folder that is missing has no names, and says so`() {
        #expect(throws: SystemError(code: ENOENT)) { try FolderNames.read("/nonexistent") }
    }

    @Test func `a folder says why its parent could not be created`() {
        // Nobody creates folders there; that the parent is missing then says less.
        let error = #expect(throws: SystemError.self) {
            try FilePath.createFolder("/sys/lazyimg/folder")
        }
        #expect(error?.code != ENOENT)
    }
}
