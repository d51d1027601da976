import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch

/// Which inputs count as gone.
@Suite(.ownThreads) struct GoneInputsTests {
    private let scratch = Scratch()

    /// Makes folders, whose names end in slashes, and files.
    private func make(_ names: String) {
        for name in names.split(separator: " ").map({ scratch.path(String($0)) }) {
            if name.endsInSlash { mkdir(name, 0o700) } else { Tool.write([1], to: name) }
        }
    }

    private func doubt(
        _ folder: String, _ reason: GoneInputs.Doubt.Reason, isNamed: Bool = false
    ) -> GoneInputs.Answer {
        .unknown(.init(scratch.path(folder), reason, isNamed: isNamed))
    }

    private static let missing = GoneInputs.Doubt.Reason.unreadable(SystemError(code: ENOENT))

    @Test(arguments: [
        ("it is there", "r/ r/a", "r", "r/a", "present"),
        ("it was removed", "r/ r/b", "r", "r/a", "gone"),
        ("its folder was removed", "r/ r/b", "r", "r/sub/deep/a", "gone"),
        ("a file has the place of its folder", "r/ r/sub", "r", "r/sub/a", "gone"),
        ("its root is missing", "other", "r", "r/a", "missing r named"),
        ("its root is empty", "r/", "r", "r/a", "empty r named"),
        ("its root has only hidden files", "r/ r/.keep", "r", "r/a", "empty r named"),
        ("its root has only the outputs", "r/ r/out/ r/out/x", "r", "r/a", "empty r named"),
        ("its root is a file", "r", "r", "r/a", "file r named"),
        ("its subfolder is empty", "r/ r/b r/sub/", "r", "r/sub/a", "empty r/sub"),
        ("a folder above it is empty", "r/ r/b r/sub/", "r", "r/sub/x/a", "empty r/sub"),
        ("a second root is missing", "r/ r/b", "r r/usb", "r/usb/a", "missing r/usb named"),
        ("no root, in its own folder", "r/ r/b", "", "r/a", "gone"),
        ("no root, and no folder", "b", "", "r/a", "missing r"),
        ("another root", "r/ r/b q/", "q", "r/a", "gone"),
    ])
    func `what can be listed says what is gone, and nothing else does`(
        name: String, files: String, roots: String, input: String, expected: String
    ) {
        make(files)
        var gone = GoneInputs(
            roots.split(separator: " ").map { scratch.path(String($0)) },
            output: scratch.path("r/out"))
        let words = expected.split(separator: " ").map(String.init)
        let answer: GoneInputs.Answer =
            switch words[0] {
            case "present": .present
            case "gone": .gone
            case "empty": doubt(words[1], .empty, isNamed: words.count > 2)
            case "file":
                doubt(words[1], .unreadable(SystemError(code: ENOTDIR)), isNamed: true)
            default: doubt(words[1], Self.missing, isNamed: words.count > 2)
            }
        let now = Volume(scratch.path)
        #expect(gone.answer(scratch.path(input), on: now) == answer, "\(name)")
        // Earlier versions did not note where it was.
        #expect(gone.answer(scratch.path(input), on: nil) == answer, "\(name)")
        #expect(gone.covers(scratch.path(input)) == (roots != "" && name != "another root"))
    }

    @Test func `links that lead nowhere are folders and files that may come back`() {
        make("r/ r/b")
        for name in ["r/sub", "r/a", "link"] { symlink("/nowhere", scratch.path(name)) }
        var gone = GoneInputs([scratch.path("r"), scratch.path("link")])
        #expect(gone.answer(scratch.path("r/a"), on: nil) == .present)
        #expect(gone.answer(scratch.path("r/sub/a"), on: nil) == doubt("r/sub", Self.missing))
        #expect(
            gone.answer(scratch.path("link/a"), on: nil)
                == doubt("link", Self.missing, isNamed: true))
    }

    @Test func `a folder on another drive shows what is gone only by inputs that are there`() throws
    {
        make("r/ r/new r/sub/ r/sub/new")
        let here = try #require(Volume(scratch.path))
        let other = Volume(device: here.device + 1, identifier: here.identifier ^ 1)
        var gone = GoneInputs([scratch.path("r")])
        #expect(gone.answer(scratch.path("r/a"), on: here) == .gone)
        #expect(
            gone.answer(scratch.path("r/a"), on: other) == doubt("r", .otherDrive, isNamed: true))
        #expect(gone.answer(scratch.path("r/sub/a"), on: other) == doubt("r/sub", .otherDrive))
        // The place of a drive is gone with it.
        #expect(gone.answer(scratch.path("r/usb/x/a"), on: other) == doubt("r/usb", .otherDrive))
        // The drive has another number since an input was recorded.
        var record = JournalRecord(
            .done, output: "/o", input: scratch.path("r/new"), identity: nil, options: "")
        record.volume = other
        gone.compare([record])
        #expect(gone.answer(scratch.path("r/a"), on: other) == .gone)
        let third = Volume(device: here.device + 2, identifier: here.identifier ^ 2)
        #expect(gone.afresh.isOther(scratch.path("r/a"), third))
    }

    @Test func `the identifier of a file system counts before the number of its device`() {
        let one = Volume(device: 1, identifier: 7)
        #expect(one.isSame(as: Volume(device: 2, identifier: 7)))
        #expect(!one.isSame(as: Volume(device: 1, identifier: 8)))
        #expect(one.isSame(as: Volume(device: 1)) && !one.isSame(as: Volume(device: 2)))
        #expect(Volume(text: one.text) == one && Volume(text: "1") == nil)
    }

    @Test func `a root that moves from one file system to another is not the same`() throws {
        let shared = "/dev/shm/lazyimg-tests-\(getpid())-gone"
        mkdir(shared, 0o700)
        defer {
            unlink(shared + "/b")
            rmdir(shared)
        }
        try #require(Volume(shared).map { one in Volume(scratch.path).map(one.isSame) } == false)
        make("r/ r/a")
        symlink("r", scratch.path("link"))
        let record = JournalRecord.File(path: scratch.path("link/a"))
        #expect(record != nil)
        let before = Volume(scratch.path("link"))
        Tool.write([2], to: shared + "/b")
        unlink(scratch.path("link"))
        symlink(shared, scratch.path("link"))
        var gone = GoneInputs([scratch.path("link")])
        #expect(
            gone.answer(scratch.path("link/a"), on: before)
                == doubt("link", .otherDrive, isNamed: true))
    }

    @Test(.enabled(if: geteuid() != 0, "Root may read every folder."))
    func `a folder that may not be read shows nothing`() {
        make("r/ r/b r/sub/ r/sub/b")
        chmod(scratch.path("r/sub"), 0)
        defer { chmod(scratch.path("r/sub"), 0o700) }
        var gone = GoneInputs([scratch.path("r")])
        guard case .unknown(let doubt) = gone.answer(scratch.path("r/sub/a"), on: nil) else {
            Issue.record("it is gone")
            return
        }
        #expect(doubt.reason == .unreadable(SystemError(code: EACCES)))
    }
}

extension GoneInputs {
    fileprivate func isOther(_ input: String, _ volume: Volume) -> Bool {
        var gone = self
        if case .unknown = gone.answer(input, on: volume) { return true }
        return false
    }
}
