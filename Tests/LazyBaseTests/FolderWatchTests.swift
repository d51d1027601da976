import Glibc
import Support
import Testing

@testable import LazyBase

@Suite(.ownThreads) struct FolderWatchTests {
    private let scratch = Scratch()

    @Test func `files are reported when they are complete, under the present name of their folder`()
        throws
    {
        let watch = try FolderWatch()
        mkdir(scratch.path("a"), 0o700)
        for folder in [scratch.path, scratch.path("a")] { try watch.add(folder) }
        #expect(watch.count == 2)
        scratch.write([1], "a/x")
        #expect(watch.wait()?.last == .came(scratch.path("a/x")))
        rename(scratch.path("a/x"), scratch.path("y"))
        #expect(Set(watch.wait() ?? []) == [.went(scratch.path("a/x")), .came(scratch.path("y"))])
        rename(scratch.path("a"), scratch.path("b"))
        #expect(
            Set(watch.wait() ?? []).isSuperset(of: [
                .went(scratch.path("a")), .came(scratch.path("b")),
            ]))
        watch.remove(scratch.path("a"))
        #expect(watch.count == 1)
        try watch.add(scratch.path("b"))
        scratch.write([1], "b/z")
        #expect(watch.wait()?.last == .came(scratch.path("b/z")))
        watch.stop()
        #expect(watch.wait() == nil)
    }

    @Test func `only folders are watched`() throws {
        let watch = try FolderWatch()
        scratch.write([1], "x")
        #expect(throws: SystemError.self) { try watch.add(scratch.path("x")) }
        #expect(throws: SystemError.self) { try watch.add(scratch.path("none")) }
        #expect(watch.count == 0)
    }
}
