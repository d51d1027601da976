import Glibc
import LazyBase
import Support
import Testing

/// Files of a folder, which no name leads out of.
@Suite struct FolderFilesTests {
    private let scratch = Scratch()

    init() {
        mkdir(scratch.path("in"), 0o700)
        mkdir(scratch.path("in/sub"), 0o700)
        scratch.write([1], "in/a")
        scratch.write([2], "in/sub/b")
        scratch.write([9], "outside")
        mkfifo(scratch.path("in/pipe"), 0o600)
        symlink("../outside", scratch.path("in/link-out"))
        symlink("sub/b", scratch.path("in/link-in"))
        symlink(scratch.path("in/a"), scratch.path("in/link-rooted"))
        symlink("..", scratch.path("in/up"))
        symlink("loop", scratch.path("in/loop"))
        symlink("in", scratch.path("other"))
    }

    private func outcome(_ folder: String, _ path: String) throws -> String {
        let files = try #require(FolderFiles(scratch.path(folder)))
        let found: (FileDescriptor, FileStatus)
        do throws(FolderFiles.Failure) { found = try files.open(scratch.path(path)) } catch {
            switch error {
            case .missing: return "missing"
            case .outside: return "outside"
            case .noFile: return "no file"
            case .system(let error): return "\(error)"
            }
        }
        return "\(try found.0.bytes(at: 0, count: found.1.size))"
    }

    @Test(arguments: [
        ("in/a", "[1]"), ("in/sub/b", "[2]"), ("in/sub/../a", "[1]"), ("in/link-in", "[2]"),
        ("in/link-rooted", "[1]"), ("other/a", "[1]"), ("in/up/in/a", "[1]"),
        ("in/link-out", "outside"), ("outside", "outside"), ("in/../outside", "outside"),
        ("in/up/outside", "outside"), ("in/none", "missing"), ("in/loop", "missing"),
        ("in/a/b", "missing"), ("in/sub", "no file"), ("in/pipe", "no file"), ("in", "outside"),
    ])
    func `links are followed inside only`(path: String, expected: String) throws {
        #expect(try outcome("in", path) == expected)
        #expect(try outcome("other", path) == expected)
    }

    @Test func `a folder that is exchanged stays the one that was opened`() throws {
        let files = try #require(FolderFiles(scratch.path("in")))
        rename(scratch.path("in"), scratch.path("moved"))
        mkdir(scratch.path("in"), 0o700)
        scratch.write([7], "in/new")
        #expect(throws: FolderFiles.Failure.self) { _ = try files.open(scratch.path("in/new")) }
        #expect(FolderFiles(scratch.path("none")) == nil)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a link that another thread exchanges is never followed outside`() throws {
        let files = try #require(FolderFiles(scratch.path("in")))
        let (inside, outside) = (scratch.path("in/a"), scratch.path("outside"))
        let (name, temporary) = (scratch.path("in/x"), scratch.path("in/t"))
        let (isOver, ending) = (CancellationFlag(), Ending())
        try DetachedThread.start {
            while !isOver.isCancelled {
                link(inside, temporary)
                rename(temporary, name)
                unlink(temporary)
                symlink(outside, temporary)
                rename(temporary, name)
            }
            ending.hasEnded.withLock { $0 = true }
            ending.hasEnded.signal()
        }
        var seen: Set<[UInt8]> = []
        for _ in 0..<2000 {
            if let (file, status) = try? files.open(name) {
                seen.insert(try file.bytes(at: 0, count: status.size))
            }
        }
        isOver.cancel()
        ending.hasEnded.wait { $0 ? () : nil }
        #expect(seen.isSubset(of: [[1]]))
    }
}

private final class Ending: Sendable {
    let hasEnded = LockedCondition(false)
}
