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
        #expect(first.status == 0)
        #expect(
            first.errors
                == "lazyimg: 1 file was skipped, since its output exists and is not known to the journal: films/Film.jpg. Name the journal of earlier runs with --journal, accept what exists with --skip-existing, or replace it with --force.\n",
            "\(first.errors)")
        #expect(
            scratch.names("films") == ["Film.jpg", "Film.mp4", "a.jpg", "a.mp4", "sub"])
        #expect(scratch.names("films/sub") == ["b.jpg", "b.mp4"])
        #expect(Tool.bytes(scratch.path("films/Film.jpg")) == foreign)

        // The second night: one is new, one has another name, one has other content.
        let (a, b) = (written("films/a.jpg"), written("films/sub/b.jpg"))
        film("films/new.mp4")
        rename(scratch.path("films/sub/b.mp4"), scratch.path("films/sub/c.mp4"))
        film("films/a.mp4", Tool.bytes(Media.path("clip.mp4")))
        #expect(run(poster).status == 0)
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
                "cd '\(scratch.path("films"))' && XDG_STATE_HOME='\(scratch.path("state"))' \"$lazyimg\" poster -r ."
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
        for words in ["poster", "batch poster"] {
            let forced = run("\(words) -r films -f jpg --force")
            #expect(forced.status == 1)
            #expect(
                forced.errors.contains(
                    "films/a.jpg is an input itself, and is not replaced. Leave it out with --kind video"
                ), "\(forced.errors)")
            #expect(Tool.bytes(scratch.path("films/a.jpg")) == before)
        }
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

    @Test(arguments: ["poster -W 16", "animate -W 16 -f gif", "sheet -W 16", "batch poster -W 16"])
    func `results of another journal are skipped, accepted, known or replaced`(words: String) {
        makeFolder(["a.mp4", "sub/b.mp4"])
        #expect(run("\(words) -r films --kind video --journal one.jsonl").status == 0)
        let names = scratch.names("films")
        let times = { names.map { written("films/" + $0) } }
        let before = times()
        // The journal is that of another user, or of a container that is gone.
        film("films/new.mp4")
        let skipped = run("\(words) -r films --kind video")
        #expect(skipped.status == 0, "\(skipped.errors)")
        let lines = skipped.errors.split(separator: "\n").filter { $0.contains("skipped, since") }
        #expect(lines.count == 1 && lines[0].contains("2 files were skipped"), "\(skipped.errors)")
        #expect(lines.first?.contains("--journal") == true)
        #expect(times() == before && scratch.names("films").count > names.count)
        for more in ["--skip-existing", "--journal one.jsonl --prune"] {
            unlink(scratch.path("films/new.mp4"))
            let outcome = run("\(words) -r films --kind video \(more)")
            #expect(
                outcome.status == 0 && !outcome.errors.contains("skipped, since"),
                "\(outcome.errors)")
            #expect(times() == before)
        }
        #expect(run("\(words) -r films --kind video --force").status == 0)
        #expect(zip(times(), before).count { $0 != $1 } > 0)
    }

    @Test func `a file that nobody can read, or a picture, never has the output of a film`() {
        makeFolder(["two.mp4"])
        film("films/two.jpg", Array("no picture".utf8))
        for words in ["poster -W 16 -f png", "batch poster -W 16 -f png"] {
            for _ in 0..<2 {
                let outcome = run("\(words) -r films")
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(scratch.names("films").contains("two.png"))
            }
        }
        // A picture had it before the film came.
        film("films/three.bmp", Tool.bytes(Media.path("still-rgb8.png")))
        #expect(run("poster -W 16 -f png -r films").status == 0)
        let before = Tool.bytes(scratch.path("films/three.png"))
        film("films/three.mp4")
        #expect(run("poster -W 16 -f png -r films").status == 0)
        #expect(Tool.bytes(scratch.path("films/three.png")) != before)
    }

    @Test func `where the journal cannot be written, new films are made`() {
        makeFolder(["a.mp4"])
        film("state", [])
        #expect(run("poster films/a.mp4 -o films/a.jpg").status == 0)
        film("films/b.mp4")
        for words in ["poster -W 16", "batch poster -W 16"] {
            let outcome = run("\(words) -r films -f jpg")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.errors.contains("The results will not be known again"))
            #expect(scratch.names("films").contains("b.jpg"))
            unlink(scratch.path("films/b.jpg"))
        }
        #expect(run("poster -r films --prune").status != 0)
        #expect(run("poster films/a.mp4 --journal j").errors.contains("Add --recursive (-r)."))
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

/// Results where other programs read them.
@Suite(.ownThreads) struct LayoutTests {
    private let scratch = Scratch()

    init() { mkdir(scratch.path("films"), 0o700) }

    private func run(_ words: String) -> Tool.Outcome {
        Tool.shell(
            "cd '\(scratch.path)' && XDG_STATE_HOME='\(scratch.path("state"))' XDG_CACHE_HOME='\(scratch.path("cache"))' \"$lazyimg\" \(words)"
        )
    }

    /// The length and the size of a JPEG, by another program.
    private func size(_ name: String) -> String {
        String(
            decoding: Peer.output(
                of:
                    "ffprobe -v error -show_entries stream=codec_name,width,height -of csv=p=0 '\(scratch.path(name))'"
            ), as: UTF8.self)
    }

    /// A pixel of a page, in hexadecimal digits.
    private func color(_ name: String, x: Int, y: Int) -> [UInt8] {
        Peer.output(
            of:
                "ffmpeg -v error -i '\(scratch.path(name))' -vf format=rgb24,crop=1:1:\(x):\(y) -f rawvideo -pix_fmt rgb24 -"
        )
    }

    // GetTrickplayDirectory and CreateTiles of Jellyfin's TrickplayManager: the folder has the width of a tile and
    // the tiles across and down, pages are numbered from 0 and complete, and tile n is of second 10 n.
    @Test(.needs("ffmpeg")) func `trickplay pages are where Jellyfin reads them`() throws {
        // Red at first, and blue from second 1005: tile 101, the second of page 1.
        _ = Peer.output(
            of:
                "ffmpeg -v error -f lavfi -i color=red:s=64x36:r=1:d=1005 -f lavfi -i color=blue:s=64x36:r=1:d=100 -filter_complex concat -c:v mpeg4 -g 1 '\(scratch.path("films/Film (2001).mkv"))'"
        )
        let words = "sheet -r films --layout jellyfin --kind video"
        let outcome = run(words)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let folder = "films/Film (2001).trickplay/320 - 10x10"
        #expect(scratch.names("films") == ["Film (2001).mkv", "Film (2001).trickplay"])
        #expect(scratch.names(folder) == ["0.jpg", "1.jpg"])
        for page in 0...1 { #expect(size("\(folder)/\(page).jpg") == "mjpeg,3200,1800\n") }
        // Tiles 100 and 101 show seconds 1000 and 1010; from tile 111 on there is none.
        let (first, second) = (
            color("\(folder)/1.jpg", x: 160, y: 90), color("\(folder)/1.jpg", x: 480, y: 90)
        )
        try #require(first.count == 3 && second.count == 3)
        #expect(first[0] > 200 && first[2] < 60 && second[0] < 60 && second[2] > 200)
        #expect(color("\(folder)/1.jpg", x: 2000, y: 900).allSatisfy { $0 < 20 })
        // The next night, and when the film is gone.
        let time = FileTime(ofFile: scratch.path(folder + "/1.jpg"))
        #expect(run(words).status == 0)
        #expect(FileTime(ofFile: scratch.path(folder + "/1.jpg")) == time)
        #expect(run("info -r films --kind image --json").status == 0)
        Tool.write([0x41], to: scratch.path("films/notes.txt"))
        unlink(scratch.path("films/Film (2001).mkv"))
        #expect(run(words + " --prune").status == 0)
        #expect(scratch.names("films") == ["notes.txt"])
    }

    @Test func `options change the layout, and some have no place in it`() {
        Tool.write(Tool.bytes(Media.path("small.mp4")), to: scratch.path("films/a.mp4"))
        let outcome = run(
            "sheet films/a.mp4 --layout jellyfin -o out/ --width 161 --columns 5 --rows 4 -i 1")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(scratch.names("out/a.trickplay") == ["160 - 5x4"])
        for words in ["--name x.jpg", "--gap 2", "--format png", "-o -", "--count 5"] {
            let refused = run("sheet films/a.mp4 --layout jellyfin \(words)")
            #expect(
                refused.status == 64 && refused.errors.contains("--layout jellyfin"), "\(words)")
        }
    }

    // The Thumbnail Managing Standard: "Thumbnail Directory", "Thumbnail Attributes" and "Permissions".
    @Test(arguments: ["poster", "batch poster"])
    func `desktop thumbnails of a folder follow the standard`(command: String) throws {
        Tool.write(Tool.bytes(Media.path("clip.mp4")), to: scratch.path("films/a b.mp4"))
        let words = command + " -r films --layout xdg"
        #expect(run(words).status == 0)
        let source = scratch.path("films/a b.mp4")
        let address = ThumbnailAddress(path: source)
        #expect(scratch.names("films") == ["a b.mp4"])
        let place = { (size: String) in "cache/thumbnails/\(size)/\(address.fileName)" }
        for (size, side) in [("normal", 128), ("large", 256), ("x-large", 512), ("xx-large", 1024)]
        {
            let path = scratch.path(place(size))
            let texts = try #require(PNGTexts.read(Tool.bytes(path)), "\(size)")
            #expect(texts["Thumb::URI"] == "file://" + source.replacing(" ", with: "%20"))
            #expect(
                texts["Thumb::MTime"] == FileTime(ofFile: source).map { String($0.seconds) })
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
            let widths = self.size(place(size)).split(separator: ",").dropFirst().compactMap {
                Int($0.filter(\.isNumber))
            }
            #expect(widths.count == 2 && widths.allSatisfy { $0 <= side })
        }
        // A touched film has thumbnails of its new time, though its content is the same.
        var old = [
            timeval(tv_sec: 1_600_000_000, tv_usec: 0), timeval(tv_sec: 1_600_000_000, tv_usec: 0),
        ]
        utimes(source, &old)
        #expect(run(words).status == 0)
        #expect(
            PNGTexts.read(Tool.bytes(scratch.path(place("large"))))?["Thumb::MTime"] == "1600000000"
        )
        let time = FileTime(ofFile: scratch.path(place("large")))
        #expect(run(words).status == 0)
        #expect(FileTime(ofFile: scratch.path(place("large"))) == time)
        #expect(run("poster -r films --layout xdg -o x/").status == 64)
        // They go with the film.
        Tool.write([0x41], to: scratch.path("films/notes.txt"))
        unlink(source)
        #expect(run(words + " --prune").status == 0)
        #expect(scratch.names("cache/thumbnails/large") == [])
    }
}
