import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

/// Folders as inputs, and what becomes of the names in them.
@Suite(.ownThreads) struct FolderTests {
    private let scratch = Scratch()
    private static let gif = Tool.bytes(Media.path("counter.gif"))

    private func folder(_ name: String) { mkdir(scratch.path(name), 0o700) }

    private func clip(_ name: String) { Tool.write(Self.gif, to: scratch.path(name)) }

    /// Two clips in two folders, and what is to be left.
    private func makeTree() {
        for name in ["in", "in/b", "in/.hidden", "elsewhere"] { folder(name) }
        for name in [
            "in/a.gif", "in/b/a.gif", "in/b/clip-without-ending", "in/.a.gif", "in/.hidden/a.gif",
            "elsewhere/c.gif",
        ] {
            clip(name)
        }
        Tool.write(Array("words".utf8), to: scratch.path("in/notes.txt"))
        Tool.write(Array("let a = 1\n".utf8), to: scratch.path("in/b/code.ts"))
        symlink("..", scratch.path("in/b/loop"))
        symlink("../elsewhere", scratch.path("in/linked"))
        symlink("../elsewhere/c.gif", scratch.path("in/c.gif"))
        symlink("nowhere", scratch.path("in/dangling.gif"))
        mkfifo(scratch.path("in/pipe"), 0o600)
    }

    @Test func `the media of a folder is found in order, each file once`() {
        makeTree()
        let search = FolderSearch(scratch.path("in"))
        let prefix = scratch.path("in/")
        #expect(
            search.files.map { String($0.path.dropFirst(prefix.count)) }
                == ["a.gif", "b/a.gif", "b/clip-without-ending", "c.gif"])
        #expect(search.files.map(\.subfolder) == ["", "b", "b", ""])
        // The words, the code, the pipe and the link to nothing.
        #expect(search.left.count == 4)
    }

    @Test(arguments: [
        ("info", []), ("poster", ["-W", "16"]), ("convert", ["-f", "apng"]),
        ("animate", ["-W", "16", "-f", "gif"]), ("sheet", ["-W", "16"]), ("loop", ["--set", "3"]),
        ("play", []),
    ]) func `every command accepts a folder`(command: String, options: [String]) throws {
        makeTree()
        let out = scratch.path("out")
        let output = command == "info" ? [] : command == "play" ? ["--frames", out] : ["-o", out]
        let pattern = command == "play" ? ["--pattern", "{input}-%02d.png"] : []
        let outcome = Tool.run(
            [command, "--json", "-r", scratch.path("in")] + options + output + pattern)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("\"left\": 4"))
        let answers = try #require(try ParsedJSON.parse(outcome.text).elements)
        #expect(
            answers.compactMap { $0["input"]?.string }
                == ["a.gif", "b/a.gif", "b/clip-without-ending", "c.gif"].map {
                    scratch.path("in/\($0)")
                })
        guard !output.isEmpty, command != "play" else { return }
        #expect(scratch.names("out").contains("b"))
        #expect(scratch.names("out/b").count >= 2)
    }

    @Test func `a folder without --recursive is an error with a hint`() {
        makeTree()
        for words in [["info"], ["poster"], ["batch", "--no-journal", "poster"]] {
            let outcome = Tool.run(words + [scratch.path("in")])
            #expect(outcome.status == 66)
            #expect(
                outcome.errors.hasPrefix(
                    "lazyimg: \(scratch.path("in")) is a folder. Read the media in it with --recursive (-r)."
                ), "\(outcome.errors)")
        }
        folder("empty")
        let empty = Tool.run(["poster", "-r", scratch.path("empty")])
        #expect(empty.status == 66 && empty.errors.contains("There is no media in "))
    }

    @Test func `one found file has a list as its report, and a folder for output`() {
        folder("in")
        clip("in/a.gif")
        let outcome = Tool.run([
            "poster", "-r", scratch.path("in"), "-o", scratch.path("out"), "--json",
        ])
        #expect(outcome.status == 0 && outcome.text.hasPrefix("["))
        #expect(scratch.names("out") == ["a.png"])
    }

    @Test func `outputs in the folder are not inputs the next time`() {
        folder("in")
        clip("in/a.gif")
        let words = ["poster", "-r", scratch.path("in"), "--force", "-o", scratch.path("in/out")]
        #expect(Tool.run(words).status == 0)
        #expect(Tool.run(words).status == 0)
        #expect(scratch.names("in/out") == ["a.png"])
    }

    @Test(arguments: [[], ["--preserve-tree"]]) func `a batch accepts folders`(words: [String]) {
        makeTree()
        let base = words.isEmpty ? [] : ["--base", scratch.path("in")]
        let outcome = Tool.run(
            [
                "batch", "poster", "-r", "--no-journal", scratch.path("in"), "-o",
                scratch.path("out"),
            ]
                + words + base)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("4 made") && outcome.errors.contains("4 files are not media"))
        #expect(scratch.names("out") == ["a.png", "b", "c.png"])
        #expect(scratch.names("out/b") == ["a.png", "clip-without-ending.png"])
    }

    @Test func `two inputs with one output are rejected by name, and leave no folder`() {
        clip("a.gif")
        Tool.write(Self.gif, to: scratch.path("a.mp4"))
        let both = [scratch.path("a.mp4"), scratch.path("a.gif")]
        let words = ["poster"] + both + ["-o", scratch.path("multi") + "/"]
        let refused = Tool.run(words)
        #expect(refused.status == 64)
        #expect(
            refused.errors.contains("a.mp4 and \(both[1]) would both be written to")
                && refused.errors.contains("--name '{name}-{ext}.png'"), "\(refused.errors)")
        #expect(!scratch.names().contains("multi"))
        #expect(Tool.run(words + ["--name", "{name}-{ext}.png"]).status == 0)
        #expect(scratch.names("multi") == ["a-gif.png", "a-mp4.png"])
    }

    @Test func `a created folder that stays empty is removed`() {
        Tool.write(Array("GIF89a".utf8), to: scratch.path("a.gif"))
        let words = ["poster", scratch.path("a.gif"), "-o", scratch.path("x/y/")]
        #expect(Tool.run(words).status == 65)
        #expect(scratch.names() == ["a.gif"])
    }

    @Test func `a loop changed in place is reported by the given path`() {
        clip("a.gif")
        let outcome = Tool.shell(
            "cd '\(scratch.path)' && \"$lazyimg\" loop ./a.gif --set 3 --in-place --json")
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("\"output\": \"./a.gif\""), "\(outcome.text)")
    }

    @Test func `an interrupted batch reports its results, and continues`() {
        folder("in")
        let source = Tool.bytes(Media.path("clip.mp4"))
        Tool.write(source, to: scratch.path("in/000.mp4"))
        for number in 1..<300 {
            link(scratch.path("in/000.mp4"), scratch.path("in/\(String(number).padded(to: 3)).mp4"))
        }
        let process = Tool.start(
            [
                "batch", "poster", "-r", scratch.path("in"), "-o", scratch.path("out"), "-j", "1",
                "--journal", scratch.path("j"), "-W", "32",
            ], errors: scratch.path("errors"))
        while scratch.names("out").isEmpty { sched_yield() }
        kill(process, SIGINT)
        #expect(Tool.wait(for: process) == 130)
        let said = scratch.text("errors")
        #expect(said.contains(" made, ") && said.contains(" left in "), "\(said)")
        #expect(said.hasSuffix("The same command continues.\n"))
        let made = scratch.names("out").count
        #expect(said.contains("\(made) made") && said.contains("\(300 - made) left"), "\(said)")
    }
}

/// Words that are not right, and what is said of them.
@Suite(.ownThreads) struct MistypedTests {
    @Test(arguments: [
        (["postr", "x"], "There is no command 'lazyimg postr'. Did you mean 'poster'?"),
        (["thumbnial", "x"], "Did you mean 'thumbnail'?"),
        (["cache", "stat"], "There is no command 'lazyimg cache stat'. Did you mean 'stats'?"),
        (["--vesion"], "Unknown option '--vesion'. Did you mean '--version'?"),
        (["poster", "x", "--hlep"], "Did you mean '--help'?"),
        (["animate", "x", "--max-size", "9"], "Did you mean '--max-bytes' or '--size'?"),
        (["poster", "x", "--max-width", "9"], "Did you mean '--width'?"),
        (["convert", "x", "--for", "y"], "Unknown option '--for', which 'lazyimg animate' has."),
        (["poster", "x", "--for", "y"], "which 'lazyimg animate' has."),
        (["poster", "x", "--keep", "all"], "which 'lazyimg convert' has."),
        (["frames", "x", "--count", "5"], "Did you mean '--max-frames' or '--every'?"),
        (["convert", "x", "--to", "gif"], "Did you mean '--format'?"),
        (["sheet", "x", "--grid", "3x3"], "Did you mean '--columns' or '--rows'?"),
        (["info", "x", "--chapters"], "which 'lazyimg sheet' has."),
        (["convert", "x", "--loop", "0", "-o", "y"], "'forever' (0 elsewhere)"),
        (["poster", "x", "-f", "tiff"], "the formats are png, jpg, webp, avif, ppm, raw."),
        (["convert", "x", "-f", "wepb"], "Did you mean 'webp'?"),
        (["sheet", "x", "-f", "tiff"], "the formats are png, jpg, webp, avif."),
        (["batch", "postre", "x"], "There is no job 'postre'. Did you mean 'poster'?"),
        (["batch", "poster", "x", "--resme", "y"], "Did you mean '--resume'?"),
        (["batch", "poster", "x", "--widht", "9"], "Did you mean '--width'?"),
    ]) func `the right word is suggested`(words: [String], sentence: String) {
        let outcome = Tool.run(words)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test func `audio with cover art has a hint for its image`() {
        let words = [Media.path("cover-art.m4a"), "-o", "/dev/null"]
        #expect(Tool.run(["poster"] + words).status == 0)
        let animation = Tool.run(["animate"] + words + ["-f", "gif"])
        #expect(animation.status == 65)
        #expect(animation.errors.contains("'lazyimg poster'"), "\(animation.errors)")
    }

    @Test func `completion offers the options of a batch's job`() {
        let scratch = Scratch()
        let bash = Tool.run(["--generate-completion-script", "bash"])
        Tool.write(bash.output, to: scratch.path("completion"))
        let script = """
            . '\(scratch.path("completion"))'
            try() {
                COMP_WORDS=(lazyimg "$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
                _lazyimg lazyimg "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
                echo "${COMPREPLY[*]}"
            }
            try batch thumb --xdg; try batch poster -f w; try batch poster --jour
            try batch poster --shard-by c; try batch --res; try batch po
            """
        Tool.write(Array(script.utf8), to: scratch.path("script"))
        let outcome = Tool.shell("bash '\(scratch.path("script"))'")
        #expect(
            outcome.text.split(separator: "\n")
                == [
                    "--xdg-thumbnail", "webp", "--journal", "content", "--rescan --resume",
                    "poster",
                ],
            "\(outcome.text) \(outcome.errors)")
    }

    @Test func `the error for a file that looks like an option shows how to write it`() {
        let scratch = Scratch()
        Tool.write(Tool.bytes(Media.path("counter.gif")), to: scratch.path("-dash.gif"))
        let wrong = Tool.shell("cd '\(scratch.path)' && \"$lazyimg\" poster -dash.gif")
        #expect(wrong.status == 64)
        #expect(
            wrong.errors
                == "lazyimg: '-dash.gif' is read as an option. Write './-dash.gif' or '-- -dash.gif' for a file of that name.\n"
        )
        #expect(
            Tool.shell("cd '\(scratch.path)' && \"$lazyimg\" poster -o a.png -- -dash.gif").status
                == 0)
        let file = Tool.shell("cd '\(scratch.path)' && \"$lazyimg\" ./-dash.gif")
        #expect(file.status == 64 && file.errors.contains("'lazyimg play ./-dash.gif'"))
    }
}
