import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyCLI
@testable import LazyTerminal

/// The same command for the same folder, night after night.
@Suite(.ownThreads) struct FolderNightsTests {
    private let scratch = Scratch()
    private static let clip = Tool.bytes(Media.path("small.mp4"))

    private func run(_ words: String) -> Tool.Outcome {
        Tool.shell(
            "cd '\(scratch.path)' && XDG_STATE_HOME='\(scratch.path("state"))' \"$lazyimg\" \(words)"
        )
    }

    private func film(_ name: String, _ bytes: [UInt8] = FolderNightsTests.clip) {
        Tool.write(bytes, to: scratch.path(name))
    }

    private func makeFolder(_ names: [String]) {
        for folder in ["films", "films/sub"] { mkdir(scratch.path(folder), 0o700) }
        for name in names { film("films/" + name) }
    }

    /// Changes the last byte, and no size.
    private func edit(_ name: String) {
        var bytes = Tool.bytes(scratch.path(name))
        bytes[bytes.count - 1] ^= 1
        Tool.write(bytes, to: scratch.path(name))
    }

    /// When a file was last written, to the nanosecond.
    private func written(_ name: String) -> FileTime? { FileTime(ofFile: scratch.path(name)) }

    @Test(.needs("ffmpeg")) func `three nights with foreign pictures, moved and deleted films`() {
        makeFolder(["a.mp4", "Film.mp4", "sub/b.mp4"])
        _ = Peer.output(
            of:
                "ffmpeg -v error -f lavfi -i testsrc2=s=64x64 -frames:v 1 '\(scratch.path("films/Film.jpg"))'"
        )
        let foreign = Tool.bytes(scratch.path("films/Film.jpg"))
        let poster = "poster -r films -f jpg -W 32"

        let first = run(poster)
        #expect(first.status == 1)
        #expect(
            first.errors.hasSuffix(
                "lazyimg: films/Film.mp4: films/Film.jpg exists already, and lazyimg did not make it. Write elsewhere with -o, or other names with --name.\n"
            ), "\(first.errors)")
        #expect(
            scratch.names("films") == ["Film.jpg", "Film.mp4", "a.jpg", "a.mp4", "sub"])
        #expect(scratch.names("films/sub") == ["b.jpg", "b.mp4"])
        #expect(Tool.bytes(scratch.path("films/Film.jpg")) == foreign)

        // The second night: one is new, one has another name, one has other content.
        let (a, b) = (written("films/a.jpg"), written("films/sub/b.jpg"))
        film("films/new.mp4")
        rename(scratch.path("films/sub/b.mp4"), scratch.path("films/sub/c.mp4"))
        film("films/a.mp4", Tool.bytes(Media.path("clip.mp4")))
        #expect(run(poster).status == 1)
        #expect(
            scratch.names("films")
                == ["Film.jpg", "Film.mp4", "a.jpg", "a.mp4", "new.jpg", "new.mp4", "sub"])
        #expect(scratch.names("films/sub") == ["b.jpg", "c.jpg", "c.mp4"])
        #expect(written("films/a.jpg") != a && written("films/sub/b.jpg") == b)

        // The third: without the clash nothing is wrong, and nothing is made again.
        unlink(scratch.path("films/Film.jpg"))
        let kept = ["films/a.jpg", "films/new.jpg", "films/sub/c.jpg"].map(written)
        let third = run(poster)
        #expect(third.status == 0 && third.errors == "", "\(third.errors)")
        #expect(["films/a.jpg", "films/new.jpg", "films/sub/c.jpg"].map(written) == kept)
        #expect(scratch.names("films").contains("Film.jpg"))

        // Films are deleted; one of their posters was drawn on.
        unlink(scratch.path("films/new.mp4"))
        unlink(scratch.path("films/a.mp4"))
        edit("films/new.jpg")
        let pruned = run(poster + " --prune")
        #expect(pruned.status == 0, "\(pruned.errors)")
        #expect(
            pruned.errors.hasSuffix(
                """
                lazyimg: \(scratch.path("films/new.jpg")) was changed since it was made, and stays.
                lazyimg: 2 files of inputs that are gone were removed.

                """), "\(pruned.errors)")
        #expect(scratch.names("films") == ["Film.jpg", "Film.mp4", "new.jpg", "sub"])
        #expect(scratch.names("films/sub") == ["c.jpg", "c.mp4"])
    }

    @Test(arguments: [
        ("poster -W 16", ["a.png"]), ("animate -W 16 -f gif", ["a.gif"]),
        ("sheet -W 16", ["a-sheet.jpg", "a-sheet.json", "a-sheet.vtt"]),
        ("convert -W 16 -f webp", ["a.webp"]),
        ("batch poster -W 16", ["a.png"]),
    ]) func `each command knows its results, and those of the others`(
        words: String, results: [String]
    ) {
        makeFolder(["a.mp4"])
        for (night, others) in ["", "poster", "animate -W 16 -f apng"].enumerated() {
            if !others.isEmpty { #expect(run("\(others) -r films").status == 0) }
            let outcome = run("\(words) -r films")
            #expect(outcome.status == 0, "night \(night): \(outcome.errors)")
        }
        let all = Set(results + ["a.mp4", "a.png", "a.apng", "sub"])
        #expect(Set(scratch.names("films")) == all)
        // Another folder, and another way to it.
        #expect(run("poster -r '\(scratch.path)'").status == 0)
        #expect(
            Tool.shell(
                "cd '\(scratch.path("films"))' && XDG_STATE_HOME=../state \"$lazyimg\" poster -r ."
            ).status == 0)
        #expect(Set(scratch.names("films")) == all)
    }

    @Test func `two inputs of one name have one output, which stays with its input`() {
        makeFolder(["a.mp4", "other.mp4"])
        #expect(run("poster -r films").status == 0)
        // Comes first in order, and does not get what was made of the other.
        film("films/a.gif", Tool.bytes(Media.path("counter.gif")))
        let time = written("films/a.png")
        for words in ["poster -r films", "batch poster -r films"] {
            let outcome = run(words)
            #expect(outcome.status == 1)
            #expect(
                outcome.errors.contains(
                    "films/a.png is the output of films/a.mp4, so films/a.gif has none. Name both: -o films --name '{dir}/{name}-{ext}.png'."
                ), "\(outcome.errors)")
            #expect(written("films/a.png") == time)
        }
        // The advice helps, in a folder of its own too.
        let named = run("poster -r films -o films --name '{dir}/{name}-{ext}.png'")
        #expect(named.status == 0, "\(named.errors)")
        #expect(scratch.names("films").contains("a-gif.png"))
        #expect(
            run("sheet -r films -o out -W 16").errors.contains(
                "Name both: --name '{dir}/{name}-{ext}.jpg'."))
        #expect(scratch.names("out").contains("other-sheet.jpg"))
        // When its film is gone, the output can become the other's.
        unlink(scratch.path("films/a.mp4"))
        #expect(run("poster -r films").status == 0)
        #expect(written("films/a.png") != time)
    }

    @Test func `a picture beside a film of its name is left, and no fault`() {
        makeFolder(["Film.mp4"])
        film("films/Film.bmp", Tool.bytes(Media.path("counter.gif")))
        #expect(run("poster films/Film.mp4 -o films/Film.jpg -W 32").status == 0)
        unlink(scratch.path("films/Film.bmp"))
        for _ in 0..<2 {
            let outcome = run("poster -r films")
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("1 file has the name of its output, or of a film's"))
        }
        #expect(scratch.names("films") == ["Film.jpg", "Film.mp4", "Film.png", "sub"])
    }

    @Test func `force replaces results and foreign files, but no input`() {
        makeFolder(["a.mp4", "b.mp4"])
        #expect(run("poster films/a.mp4 -o films/a.jpg -W 32").status == 0)
        film("films/b.png", [1, 2, 3])
        let before = Tool.bytes(scratch.path("films/a.jpg"))
        #expect(run("poster -r films -f jpg --force").status == 1)
        #expect(Tool.bytes(scratch.path("films/a.jpg")) == before)
        #expect(run("poster -r films --kind video --force").status == 0)
        #expect(Tool.bytes(scratch.path("films/b.png")).count > 3)
    }

    @Test func `kinds and times choose among the files of a folder`() throws {
        makeFolder(["a.mp4"])
        film("films/b.gif", Tool.bytes(Media.path("counter.gif")))
        #expect(run("poster films/a.mp4 -o films/c.jpg").status == 0)
        var old = [
            timeval(tv_sec: 1_600_000_000, tv_usec: 0), timeval(tv_sec: 1_600_000_000, tv_usec: 0),
        ]
        utimes(scratch.path("films/a.mp4"), &old)
        let names = { (words: String) -> [String] in
            let outcome = run("info -r films --json \(words)")
            #expect(outcome.status == 0, "\(outcome.errors)")
            guard let answers = try? ParsedJSON.parse(outcome.text) else { return [] }
            return (answers.elements ?? [answers]).compactMap { $0["input"]?.string }
        }
        #expect(names("--kind video") == ["films/a.mp4"])
        #expect(names("--kind animation,image") == ["films/b.gif", "films/c.jpg"])
        #expect(names("--kind video --kind image") == ["films/a.mp4", "films/c.jpg"])
        #expect(names("--newer films/a.mp4") == ["films/b.gif", "films/c.jpg"])
        #expect(names("--newer 2020-09-14") == ["films/b.gif", "films/c.jpg"])
        #expect(names("--newer 2020-09-12T12:00:00Z").count == 3)
        #expect(
            run("info -r films --newer yesterday").errors.contains(
                "write the name of a file that exists, or a date"))
        #expect(
            run("info -r films --kind film").errors.contains(
                "the kinds are video, animation, image, audio"))
        let alone = run("poster films/a.mp4 --kind video")
        #expect(alone.status == 64 && alone.errors.contains("Add --recursive (-r)."))
    }

    @Test func `pruning keeps what is not meant, and an empty folder prunes nothing`() {
        makeFolder(["a.mp4", "sub/b.mp4"])
        film("films/notes.txt", [0x41])
        #expect(run("poster -r films -o out").status == 0)
        #expect(run("animate -r films -W 16").status == 0)
        unlink(scratch.path("films/sub/b.mp4"))
        #expect(run("poster -r films -o out --prune").status == 0)
        #expect(scratch.names("out") == ["a.png"])
        // That was beside its input.
        #expect(scratch.names("films/sub") == ["b.webp"])
        // As if the drive were missing.
        rename(scratch.path("films"), scratch.path("away"))
        mkdir(scratch.path("films"), 0o700)
        #expect(run("poster -r films -o out --prune").status == 66)
        #expect(scratch.names("out") == ["a.png"])
        rmdir(scratch.path("films"))
        rename(scratch.path("away"), scratch.path("films"))
        // The last film.
        unlink(scratch.path("films/a.mp4"))
        let last = run("batch poster -r films -o out --prune --json")
        #expect(
            last.status == 0
                && last.text.contains("\"removed\": [\"\(scratch.path("out/a.png"))\"]"),
            "\(last.text) \(last.errors)")
        #expect(scratch.names("out") == [])
    }

    @Test func `a PNG of a film says which one it is of`() {
        makeFolder(["a.mp4"])
        #expect(run("poster -r films").status == 0)
        let texts = PNGTexts.read(Tool.bytes(scratch.path("films/a.png")))
        #expect(texts?["Thumb::URI"] == "file://" + scratch.path("films/a.mp4"))
        #expect(texts?["Thumb::MTime"] == (written("films/a.mp4")?.seconds).map { String($0) })
    }

    @Test func `without a place for a journal the command works, and says what that means`() {
        makeFolder(["a.mp4"])
        let outcome = Tool.shell(
            "cd '\(scratch.path)' && env -u HOME -u XDG_STATE_HOME \"$lazyimg\" poster -r films")
        #expect(outcome.status == 0)
        #expect(
            outcome.errors.contains("The results will not be known again."), "\(outcome.errors)")
    }
}
