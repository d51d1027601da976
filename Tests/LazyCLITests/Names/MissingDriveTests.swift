import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase

/// What was made of files on a drive that is not there.
@Suite(.ownThreads) struct MissingDriveTests {
    private let scratch = Scratch()
    private static let gif = Tool.bytes(Media.path("counter.gif"))

    init() {
        for folder in ["a", "b", "b/sub"] { mkdir(scratch.path(folder), 0o700) }
        for name in ["a/x.gif", "b/y.gif", "b/z.gif", "b/sub/w.gif"] {
            Tool.write(Self.gif, to: scratch.path(name))
        }
    }

    private func run(_ words: String, before: String = "true") -> Tool.Outcome {
        Tool.shell(
            "cd '\(scratch.path)' && XDG_STATE_HOME='\(scratch.path("state"))'; export XDG_STATE_HOME; \(before) && \"$lazyimg\" \(words)"
        )
    }

    private static let poster = "poster -r a b -o out -W 16"
    private static let all = ["sub", "x.png", "y.png", "z.png"]

    @Test(arguments: [
        ("mv b away", "b is missing"), ("mv b away; mkdir b", ""), ("mv b away; : > b", ""),
        ("mv b away; ln -s /nowhere b", "b is missing"),
        ("mv b away; mkdir b; : > b/.hidden; : > b/notes.txt; rm b/notes.txt", ""),
    ])
    func `pruning keeps the results of a named folder that is not there`(
        change: String, reason: String
    ) {
        for words in [Self.poster, "batch " + Self.poster] {
            #expect(run(words).status == 0)
            let outcome = run(words + " --prune", before: "{ \(change); }")
            #expect(outcome.status != 0, "\(words): \(change)")
            #expect(scratch.names("out") == Self.all, "\(words): \(change): \(outcome.errors)")
            #expect(scratch.names("out/sub") == ["w.png"])
            if !reason.isEmpty {
                #expect(outcome.errors.contains(reason), "\(outcome.errors)")
                #expect(outcome.errors.contains("The results of 3 files are kept"))
            }
            _ = run("--version", before: "{ rm -rf b; mv away b; }")
            // With its drive, what is gone from it goes.
            unlink(scratch.path("b/y.gif"))
            #expect(run(words + " --prune").status == 0)
            #expect(scratch.names("out") == Self.all.filter { $0 != "y.png" })
            Tool.write(Self.gif, to: scratch.path("b/y.gif"))
        }
    }

    @Test func `an empty subfolder keeps its results, and one that is gone does not`() {
        #expect(run(Self.poster).status == 0)
        unlink(scratch.path("b/sub/w.gif"))
        let empty = run(Self.poster + " --prune")
        #expect(empty.status == 0, "\(empty.errors)")
        #expect(empty.errors.contains("b/sub is empty."), "\(empty.errors)")
        #expect(scratch.names("out") == Self.all)
        rmdir(scratch.path("b/sub"))
        #expect(run(Self.poster + " --prune").status == 0)
        #expect(scratch.names("out") == ["x.png", "y.png", "z.png"])
    }

    @Test func `fewer folders than the last time remove nothing of the others`() {
        #expect(run(Self.poster).status == 0)
        #expect(run("poster -r a -o out -W 16 --prune").status == 0)
        #expect(scratch.names("out") == Self.all)
    }

    @Test func `an input does not get the output of one whose drive is missing`() {
        #expect(run("poster -r b -o out -W 16").status == 0)
        let before = Tool.bytes(scratch.path("out/y.png"))
        Tool.write(Tool.bytes(Media.path("small.mp4")), to: scratch.path("a/y.mp4"))
        let outcome = run("poster -r a -o out -W 16", before: "mv b away")
        #expect(outcome.status == 0 && outcome.errors.contains("out/y.png"), "\(outcome.errors)")
        #expect(Tool.bytes(scratch.path("out/y.png")) == before)
        // It is gone from its drive, and the other is not.
        _ = run("--version", before: "mv away b")
        unlink(scratch.path("b/y.gif"))
        #expect(run("poster -r a -o out -W 16").status == 0)
        #expect(Tool.bytes(scratch.path("out/y.png")) != before)
    }

    private static let mounts =
        geteuid() == 0 && Tool.shell("unshare -m mount -t tmpfs tmpfs /mnt").status == 0

    /// Runs a script where drives can be mounted at `d`.
    private func mounted(_ script: String) -> Tool.Outcome {
        mkdir(scratch.path("d"), 0o700)
        let lines = """
            cd '\(scratch.path)'; export XDG_STATE_HOME='\(scratch.path("state"))'; mount --make-rprivate /
            drive() { mount -t tmpfs -o size=4m tmpfs "$1"; }
            \(script)
            """
        Tool.write(Array(lines.utf8), to: scratch.path("script"))
        return Tool.shell("export lazyimg; timeout 900 unshare -m sh '\(scratch.path("script"))'")
    }

    @Test(.enabled(if: mounts, "Only root can mount drives."))
    func `a drive that is unmounted, or another one in its place, removes nothing`() {
        let outcome = mounted(
            """
            drive d; mkdir d/e; drive d/e; cp a/x.gif d; cp a/x.gif d/e/v.gif
            "$lazyimg" poster -r d -o out -W 16 || exit 1
            umount d/e; "$lazyimg" poster -r d -o out -W 16 --prune; echo empty $?
            : > d/e/.keep; : > d/e/readme; "$lazyimg" poster -r d -o out -W 16 --prune; echo marked $?
            rm -r d/e; "$lazyimg" poster -r d -o out -W 16 --prune; echo removed $?
            umount d; drive d; cp b/y.gif d; "$lazyimg" poster -r d -o out -W 16 --prune; echo other $?
            "$lazyimg" poster -r d -o out -W 16 --prune; echo again $?
            """)
        #expect(
            outcome.text == "empty 0\nmarked 0\nremoved 0\nother 1\nagain 1\n",
            "\(outcome.text) \(outcome.errors)")
        #expect(outcome.errors.contains("d is on another drive than before"), "\(outcome.errors)")
        #expect(scratch.names("out") == ["e", "x.png", "y.png"])
        #expect(scratch.names("out/e") == ["v.png"])
    }

    @Test(.enabled(if: mounts, "Only root can mount drives."))
    func `a drive that is unmounted while it is followed loses nothing`() {
        let outcome = mounted(
            """
            drive d; cp a/x.gif d; cp a/x.gif d/gone.gif
            "$lazyimg" batch --follow --rescan 0.5 poster -r d -o out -W 16 2>errors & follow=$!
            while [ ! -e out/gone.png ] || [ ! -e out/x.png ]; do sleep 0.1; done
            rm d/gone.gif; while [ -e out/gone.png ]; do sleep 0.1; done
            umount -l d; while ! grep -q kept errors; do sleep 0.1; done
            ls out; drive d; cp a/x.gif d/new.gif; while [ ! -e out/new.png ]; do sleep 0.1; done
            while ! grep -q 'another drive' errors; do sleep 0.1; done
            kill $follow; wait $follow; echo $?; ls out
            """)
        #expect(
            outcome.text == "x.png\n0\nnew.png\nx.png\n",
            "\(outcome.text) \(outcome.errors) \(scratch.text("errors"))")
    }

    private func page() -> [String] {
        scratch.names("site/items").filter { item in
            scratch.text("site/data/1.js").contains("\"id\": \"\(item)\"")
        }
    }

    private static let gallery = "-o site --posters jpg --media none -Q"

    @Test(arguments: ["", " --no-journal"])
    func `a gallery keeps the items of a folder that is not there`(more: String) {
        #expect(run("gallery a b \(Self.gallery)\(more)").status == 0)
        let all = page()
        #expect(all.count == 4)
        for change in ["mv b away", "mv b away; mkdir b", "mv b/sub sub; mkdir b/sub"] {
            for prune in ["", " --prune"] {
                let outcome = run(
                    "gallery a b \(Self.gallery)\(more)\(prune)", before: "{ \(change); }")
                let isNamed = change.hasPrefix("mv b away")
                #expect((outcome.status != 0) == isNamed, "\(change): \(outcome.errors)")
                #expect(scratch.names("site/items") == all && page() == all, "\(change)")
                _ = run(
                    "--version",
                    before: isNamed
                        ? "{ rm -rf b; mv away b; }" : "{ rmdir b/sub; mv sub b/sub; }")
            }
        }
        // What is gone leaves the page, and the site with --prune.
        unlink(scratch.path("b/y.gif"))
        #expect(run("gallery a b \(Self.gallery)\(more)").status == 0)
        #expect(page().count == 3 && scratch.names("site/items") == all)
        #expect(run("gallery a b \(Self.gallery)\(more) --prune").status == 0)
        #expect(scratch.names("site/items").count == 3 && page().count == 3)
        // Those of a folder that is not named are not gone.
        #expect(run("gallery a \(Self.gallery)\(more) --prune").status == 0)
        #expect(page().count == 1 && scratch.names("site/items").count >= 3)
    }

    @Test func `a gallery whose one folder is missing writes no empty page`() {
        let missing = run("gallery none \(Self.gallery)")
        #expect(missing.status == 66)
        #expect(!scratch.names().contains("site") || !scratch.names("site").contains("index.html"))
        #expect(run("gallery b \(Self.gallery)").status == 0)
        let before = scratch.text("site/index.html")
        #expect(run("gallery b \(Self.gallery)", before: "mv b away").status == 66)
        #expect(scratch.text("site/index.html") == before && page().count == 3)
    }

    @Test func `a gallery in a folder that may not be written says so`() {
        let outcome = run("gallery a -o /proc/site")
        #expect(outcome.status != 0 && outcome.errors.contains("/proc/site"), "\(outcome.errors)")
    }
}
