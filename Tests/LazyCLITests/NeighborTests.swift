import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

/// Other processes and other users of the same machine.
@Suite(.ownThreads) struct NeighborTests {
    private let scratch = Scratch()
    private static let gif = Media.path("delays.gif")
    private static let isRoot = geteuid() == 0

    /// The most threads that a run has at any time, and its exit code.
    private func threads(_ arguments: [String]) -> (most: Int, status: CInt) {
        let process = Tool.start(arguments)
        var most = 0
        while true {
            var status: CInt = 0
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return (most, status >> 8 & 0xFF) }
            let text = String(
                decoding: Tool.bytes("/proc/\(process)/status"), as: UTF8.self)
            let line = text.split(separator: "\n").first { $0.hasPrefix("Threads:") }
            let count = line?.split(separator: "\t").last.flatMap { Int($0) }
            most = max(most, count ?? 0)
        }
    }

    @Test(arguments: ["2", "64"])
    func `the number of threads depends on cores, not on inputs or jobs`(jobs: String) {
        let inputs = Array(repeating: Self.gif, count: 150)
        let (most, status) = threads(
            [
                "play", "--frames", scratch.path("out"), "--pattern", "{input}-%05d.png", "--jobs",
                jobs,
            ] + inputs)
        #expect(status == 0)
        #expect((1...(16 + 4 * BlockingPool.coreCount)).contains(most))
        #expect(scratch.names("out").count == 150 * 6)
    }

    /// Runs a shell command as a user who has no other process; limits do not hold for root.
    private static func alone(_ script: String) -> Tool.Outcome {
        let user = "setpriv --reuid 61234 --regid 61234 --clear-groups"
        return Tool.shell("timeout 60 \(user) /bin/sh -c '\(script)' sh \"$lazyimg\"")
    }

    private static let canRunAlone =
        isRoot && alone("test -x \"$1\" -a -r \(gif) && prlimit --version").status == 0

    // With fewer libdispatch, on which Swift stands, asks the system forever and says nothing.
    @Test(.enabled(if: canRunAlone), arguments: [6, 9])
    func `without threads the work is done or an error is reported`(most: Int) {
        chmod(scratch.path, 0o777)
        let folder = scratch.path("out")
        let outcome = Self.alone(
            "exec prlimit --nproc=\(most) \"$1\" play --frames \(folder) \(Self.gif)")
        if outcome.status == 0 {
            #expect(scratch.names("out").count == 6)
        } else {
            #expect(outcome.status == 69 && outcome.errors.contains("thread"))
        }
    }

    /// Whether a process waits for a lock, or has ended; the kernel lists it with an arrow.
    private func waitsForLock(_ process: pid_t) -> Bool {
        let locks = String(decoding: Tool.bytes("/proc/locks"), as: UTF8.self)
        let waits = locks.split(separator: "\n").contains {
            $0.contains("->") && $0.split(separator: " ").contains("\(process)")
        }
        var information = siginfo_t()
        waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
        return waits || information.si_signo != 0
    }

    @Test func `later frames of another process do not hide that its first one is to come`() throws
    {
        let folder = scratch.path("begun")
        mkdir(folder, 0o700)
        var claim = FolderClaim(folder)
        #expect(claim != nil)
        Tool.write([2], to: folder + "/frame-00001.png")
        let process = Tool.start(["play", "--frames", folder, Self.gif])
        withExtendedLifetime(claim) {
            while !waitsForLock(process) {}
            #expect(scratch.names("begun") == ["frame-00001.png"])
            Tool.write([1], to: folder + "/frame-00000.png")
        }
        claim = nil
        #expect(Tool.wait(for: process) == 73)
        #expect(Tool.bytes(folder + "/frame-00000.png") == [1])
    }

    @Test func `of two processes that write to a new folder one wins`() {
        for round in 0..<8 {
            let folder = scratch.path("new\(round)")
            let both = (0..<2).map { _ in Tool.start(["play", "--frames", folder, Self.gif]) }
            let statuses = both.map(Tool.wait).sorted()
            #expect(statuses == [0, 73] || statuses == [0, 0])
            #expect(scratch.names("new\(round)").count == 6)
        }
    }

    @Test func `a process waits for another one's first frame`() {
        let folder = scratch.path("out")
        mkdir(folder, 0o700)
        var claim = FolderClaim(folder)
        #expect(claim != nil)
        let process = Tool.start(["play", "--frames", folder, Self.gif])
        // Locked by us until the first frame is there: the other one sees it, and writes nothing.
        Tool.write([1], to: folder + "/frame-00000.png")
        claim = nil
        #expect(Tool.wait(for: process) == 73)
        #expect(scratch.names("out") == ["frame-00000.png"])
    }

    @Test func `without a home folder there is no cache, and doctor reports it`() {
        let outcome = Tool.shell(
            "env -u HOME -u XDG_CACHE_HOME -u XDG_RUNTIME_DIR -u LAZYIMG_CACHE_DIR TMPDIR='\(scratch.path)' \"$lazyimg\" doctor"
        )
        #expect(outcome.text.contains("none: There is no folder for caches"))
        let prefetch = Tool.shell(
            "env -u HOME -u XDG_CACHE_HOME -u XDG_RUNTIME_DIR -u LAZYIMG_CACHE_DIR \"$lazyimg\" cache stats"
        )
        #expect(prefetch.status == 66 && prefetch.errors.contains("--cache-dir"))
        #expect(scratch.names().isEmpty)
    }

    @Test(.enabled(if: isRoot))
    func `another user's folders are not used, and doctor reports them`() {
        for name in ["cache", "cache/lazyimg", "cache/lazyimg/http", "cache/thumbnails"] {
            mkdir(scratch.path(name), 0o777)
            chown(scratch.path(name), 65_534, 65_534)
        }
        let cache = "XDG_CACHE_HOME='\(scratch.path("cache"))' \"$lazyimg\""
        let doctor = Tool.shell("env -u LAZYIMG_CACHE_DIR \(cache) doctor")
        #expect(
            doctor.text.contains(
                "none: \(scratch.path("cache/lazyimg/http")) belongs to another user"))
        #expect(scratch.names("cache/lazyimg/http").isEmpty)
        let poster = Tool.shell("\(cache) poster --xdg-thumbnail normal '\(Self.gif)'")
        #expect(poster.status != 0)
        #expect(scratch.names("cache/thumbnails").isEmpty)
    }
}
