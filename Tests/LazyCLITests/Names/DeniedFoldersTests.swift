import Glibc
import Support
import Testing
import ToolSupport

/// Folders that may not be read or written concern what is in them, and nothing else.
@Suite(.ownThreads, .enabled(if: isRunByOthers, "no other user can run the program"))
struct DeniedFoldersTests {
    private let scratch = Scratch()

    init() {
        for name in ["films", "films/lost+found", "films/open", "ours"] {
            mkdir(scratch.path(name), 0o777)
            chmod(scratch.path(name), 0o777)
        }
        let clip = Tool.bytes(Media.path("small.mp4"))
        for name in ["films/a.mp4", "films/open/b.mp4", "films/lost+found/c.mp4"] {
            Tool.write(clip, to: scratch.path(name))
            chmod(scratch.path(name), 0o644)
        }
        chmod(scratch.path, 0o777)
    }

    private func run(_ words: String) -> Tool.Outcome { runByOthers(words, in: scratch.path) }

    private func close(_ name: String, _ mode: mode_t) {
        chmod(scratch.path(name), mode)
    }

    @Test(arguments: [
        "poster -r films -o out -W 32", "batch poster -r films -o out -W 32",
        "gallery films -o out", "info -r films", "ls -r films",
    ])
    func `a folder that may not be read is named, and the others are read`(_ words: String) {
        // Root made it, or its owner took his own right away.
        close("films/lost+found", geteuid() == 0 ? 0o700 : 0)
        defer { close("films/lost+found", 0o777) }
        let outcome = run(words)
        #expect(outcome.status == 1, "\(words): \(outcome.errors)")
        let reason = "films/lost+found/: Permission denied."
        #expect(outcome.errors.contains(reason), "\(words): \(outcome.errors)")
        #expect(!outcome.errors.contains("--recursive"), "\(words)")
        if words.contains("-W") {
            #expect(scratch.names("out").contains("a.png"), "\(words)")
            #expect(scratch.names("out/open").contains("b.png"), "\(words)")
        } else if !words.hasPrefix("gallery") {
            #expect(outcome.text.contains("films/open/b.mp4"), "\(words): \(outcome.text)")
        }
    }

    @Test(arguments: ["poster -r films -j 1 -W 32", "batch poster -r films -j 1 -W 32"])
    func `a folder that may not be written is a failure of its inputs`(_ words: String) {
        close("films/lost+found", geteuid() == 0 ? 0o755 : 0o555)
        for _ in 0..<2 {
            let outcome = run(words)
            #expect(outcome.status == 1 || outcome.status == 77, "\(words): \(outcome.errors)")
            let reason = "Cannot write films/lost+found/c.png: Permission denied."
            #expect(outcome.errors.contains(reason), "\(words): \(outcome.errors)")
            #expect(scratch.names("films").contains("a.png"), "\(words)")
            #expect(scratch.names("films/open").contains("b.png"), "\(words)")
        }
    }

    @Test(arguments: ["poster -r films -W 32 -o shut", "batch poster -r films -W 32 -o shut"])
    func `the one folder for all that may not be written ends the run at once`(_ words: String) {
        mkdir(scratch.path("shut"), 0o755)
        close("shut", geteuid() == 0 ? 0o755 : 0o555)
        let outcome = run(words)
        #expect(outcome.status == 77, "\(words): \(outcome.errors)")
        let count = outcome.errors.split(separator: "\n").count { $0.contains("Permission denied") }
        #expect(count == 1, "\(words): \(outcome.errors)")
    }
}

/// Runs a command in a folder as a user whom permissions hold for.
private func runByOthers(_ words: String, in folder: String) -> Tool.Outcome {
    let user = geteuid() == 0 ? "setpriv --reuid 61234 --regid 61234 --clear-groups " : ""
    let places = ["HOME": "", "XDG_STATE_HOME": "/ours", "XDG_CACHE_HOME": "/ours"]
    let settings = places.map { "\($0)='\(folder)\($1)'" }.joined(separator: " ")
    return Tool.shell("cd '\(folder)' && \(settings) exec \(user)\"$lazyimg\" \(words)")
}

private let isRunByOthers = runByOthers("--version", in: "/tmp").status == 0
