import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

/// `batch --follow`, which keeps results current.
@Suite(.ownThreads) struct FollowTests {
    private let scratch = Scratch()
    private static let gif = Tool.bytes(Media.path("counter.gif"))

    init() {
        for folder in ["films", "films/sub", "elsewhere"] { mkdir(scratch.path(folder), 0o700) }
    }

    private var state: String { "XDG_STATE_HOME=" + scratch.path("state") }

    private func follow(_ words: [String] = [], name: String = "follow") -> pid_t {
        Tool.start(
            ["batch", "--follow", "poster", "-W", "16", "-r", scratch.path("films")] + words,
            output: scratch.path(name), errors: scratch.path(name + "-errors"), environment: [state]
        )
    }

    private func clip(_ name: String, _ bytes: [UInt8] = FollowTests.gif) {
        Tool.write(bytes, to: scratch.path(name))
    }

    /// Waits until a condition holds; false after three minutes.
    private func holds(_ condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(180)
        while !condition() {
            if ContinuousClock.now > end { return false }
            usleep(20_000)
        }
        return true
    }

    private func isThere(_ name: String) -> Bool { FileKind(scratch.path(name)) == .file }

    /// How often work on each output began, by the journal.
    private func starts() -> [String: Int] {
        var counts: [String: Int] = [:]
        for line in scratch.text("state/lazyimg/journal.jsonl").split(separator: "\n") {
            guard let record = JournalRecord(line), record.state == .start else { continue }
            counts[record.output.lastName, default: 0] += 1
        }
        return counts
    }

    @Test func `results follow files that come, change, move and go`() {
        clip("films/before.gif")
        let process = follow()
        #expect(holds { isThere("films/before.png") })
        // A new file, a new folder with a file, a folder that is moved in, and a link.
        clip("films/new.gif")
        mkdir(scratch.path("films/sub/deep"), 0o700)
        clip("films/sub/deep/a.gif")
        mkdir(scratch.path("elsewhere/moved"), 0o700)
        clip("elsewhere/moved/b.gif")
        rename(scratch.path("elsewhere/moved"), scratch.path("films/moved"))
        clip("elsewhere/c.gif")
        link(scratch.path("elsewhere/c.gif"), scratch.path("films/c.gif"))
        for name in ["new", "sub/deep/a", "moved/b", "c"] {
            #expect(holds { isThere("films/\(name).png") }, "\(name)")
        }
        // In a folder that moved.
        clip("films/moved/d.gif")
        #expect(holds { isThere("films/moved/d.png") })
        // Other content.
        let before = Tool.bytes(scratch.path("films/new.png"))
        clip("films/new.gif", Tool.bytes(Media.path("loop-0.gif")))
        #expect(holds { Tool.bytes(scratch.path("films/new.png")) != before })
        // Another name, and none.
        rename(scratch.path("films/before.gif"), scratch.path("films/after.gif"))
        unlink(scratch.path("films/c.gif"))
        #expect(holds { isThere("films/after.png") && !isThere("films/before.png") })
        // The folder that it went from and the name that came are two changes.
        #expect(starts()["after.png"] == 1)
        #expect(holds { !isThere("films/c.png") })
        // A result that is removed comes again; no result was an input.
        unlink(scratch.path("films/new.png"))
        #expect(holds { isThere("films/new.png") })
        kill(process, SIGTERM)
        #expect(Tool.wait(for: process) == 0, "\(scratch.text("follow-errors"))")
        #expect(
            scratch.names("films") == [
                "after.gif", "after.png", "moved", "new.gif", "new.png", "sub",
            ])
        #expect(!scratch.text("follow-errors").contains("png: made"))
    }

    @Test func `a file is taken when it is complete, and one that is damaged is tried once`() {
        let process = follow(["--jsonl"])
        let half = Self.gif.count / 2
        let file = open(scratch.path("films/slow.gif"), O_WRONLY | O_CREAT | O_EXCL, 0o600)
        _ = write(file, Self.gif, half)
        clip("films/damaged.gif", Array("GIF89a".utf8))
        clip("films/other.gif")
        #expect(holds { isThere("films/other.png") })
        #expect(holds { scratch.text("follow").contains("\"error\"") })
        // A search finds it too, and leaves it.
        mkdir(scratch.path("films/x"), 0o700)
        clip("films/x/y.gif")
        #expect(holds { isThere("films/x/y.png") })
        #expect(!isThere("films/slow.png"))
        _ = Self.gif[half...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        close(file)
        #expect(holds { isThere("films/slow.png") })
        kill(process, SIGTERM)
        #expect(Tool.wait(for: process) == 0)
        let lines = scratch.text("follow").split(separator: "\n")
        #expect(lines.filter { $0.contains("\"error\"") }.count == 1)
        #expect(starts()["slow.png"] == 1 && starts()["damaged.png"] == 1, "\(starts())")
    }

    @Test func `after a kill nothing is made twice, and what changed in between is made`() {
        for number in 0..<30 { clip("films/\(number).gif") }
        let first = follow()
        #expect(holds { scratch.names("films").filter { $0.hasSuffix(".png") }.count > 5 })
        kill(first, SIGKILL)
        #expect(Tool.wait(for: first) == 128 + SIGKILL)
        let before = scratch.names("films").filter { $0.hasSuffix(".png") }
        unlink(scratch.path("films/" + before[0].dropLast(3) + "gif"))
        clip("films/later.gif")
        let second = follow(name: "again")
        #expect(holds { scratch.names("films").filter { $0.hasSuffix(".png") }.count == 30 })
        #expect(holds { isThere("films/later.png") && !isThere("films/" + before[0]) })
        kill(second, SIGTERM)
        #expect(Tool.wait(for: second) == 0)
        // Only what the kill tore may have begun twice.
        let starts = starts()
        for name in before { #expect(starts[name] == 1, "\(name)") }
        #expect(!scratch.names("films").contains { $0.hasPrefix(".") })
    }

    @Test func `a search on a timer finds what was not reported`() {
        // A link to a folder of another drive stands for one: its changes are not reported.
        clip("elsewhere/a.gif")
        symlink("../elsewhere/a.gif", scratch.path("films/a.gif"))
        let process = follow(["--rescan", "0.5"])
        #expect(holds { isThere("films/a.png") })
        let before = Tool.bytes(scratch.path("films/a.png"))
        clip("elsewhere/a.gif", Tool.bytes(Media.path("loop-0.gif")))
        #expect(holds { Tool.bytes(scratch.path("films/a.png")) != before })
        kill(process, SIGTERM)
        #expect(Tool.wait(for: process) == 0)
    }

    private static let limitsWatches =
        Tool.shell("unshare -U -r sh -c 'echo 2 > /proc/sys/user/max_inotify_watches'").status == 0

    @Test(.enabled(if: limitsWatches, "This user may not make user namespaces."))
    func `folders that cannot be watched are searched`() {
        for name in ["a", "b", "c"] {
            mkdir(scratch.path("films/" + name), 0o700)
            clip("films/\(name)/before.gif")
        }
        let script = """
            cd '\(scratch.path)' && echo 2 > /proc/sys/user/max_inotify_watches &&
            { "$lazyimg" batch --follow --rescan 0.5 poster -W 16 -r films 2>errors & } &&
            follow=$! && while [ ! -e films/c/before.png ]; do sleep 0.1; done &&
            cp films/c/before.gif films/c/later.gif &&
            while [ ! -e films/c/later.png ]; do sleep 0.1; done; kill $follow; wait $follow
            """
        let outcome = Tool.shell(
            "export \(state) lazyimg; timeout 180 unshare -U -r sh -c '\(script.replacing("'", with: ""))'"
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            scratch.text("errors").hasPrefix(
                "lazyimg: warning: Changes of some folders are found by searching only: the system lets this user watch no more than 2 folders (fs.inotify.max_user_watches).\n"
            ), "\(scratch.text("errors"))")
    }

    @Test(arguments: [
        (["poster", "-r", "/nope"], "--follow is for folders, and /nope is none."),
        (["poster", "/tmp"], "Add --recursive (-r)."),
        (
            ["poster", "-r", "/tmp", "--no-journal"],
            "--follow cannot be combined with --no-journal."
        ),
        (["poster", "-r", "/tmp", "--force"], "--follow cannot be combined with --force."),
    ]) func `what cannot be followed is one sentence`(words: [String], sentence: String) {
        let outcome = Tool.run(["batch", "--follow"] + words)
        #expect(outcome.status == 64 && outcome.errors.contains(sentence), "\(outcome.errors)")
        #expect(Tool.run(["batch", "poster", "--rescan", "5", "x"]).status == 64)
    }

    @Test func `changes come before the rest of a search, each once, after they settle`() {
        var queue = FollowQueue()
        let now = ContinuousClock.now
        queue.begin((0..<3).map { FolderSearch.File(path: "\($0)", subfolder: "") })
        for path in ["a", "b", "a"] { queue.add(path, now: now) }
        #expect(queue.takeChanges(now: now).isEmpty && queue.nextDue == now + FollowQueue.settling)
        #expect(queue.takeChanges(now: now + FollowQueue.settling) == ["a", "b"])
        queue.add("a", now: now)
        #expect(queue.takeChanges(now: now + .seconds(1)) == ["a"] && queue.nextDue == nil)
        #expect(queue.takeFound(2).map(\.path) == ["0", "1"] && queue.hasFound)
        #expect(queue.takeFound(2).map(\.path) == ["2"] && !queue.hasFound)
        #expect(queue.takeFound(2).isEmpty)
    }
}
