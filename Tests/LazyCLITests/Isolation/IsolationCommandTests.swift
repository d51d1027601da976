import Glibc
import Support
import Testing
import ToolSupport

@testable import LazyCLI

/// `--isolate`, `warm` and what `doctor` tells of it.
@Suite(.enabled(if: !Sanitizer.isLinked))
struct IsolationCommandTests {
    @Test(arguments: ["clip.mp4", "counter.gif", "still.jpg", "animation.webp", "wide-gamut.png"])
    func `Isolated commands write the same files`(_ name: String) {
        let scratch = Scratch()
        for isolation in ["never", "always", "auto"] {
            let poster = Tool.run([
                "poster", Media.path(name), "-W", "90", "-f", "png", "--isolate", isolation,
                "-o", scratch.path("\(isolation).png"),
            ])
            #expect(poster.status == 0, "\(poster.errors)")
        }
        #expect(Tool.bytes(scratch.path("never.png")) == Tool.bytes(scratch.path("always.png")))
        #expect(!Tool.bytes(scratch.path("never.png")).isEmpty)
        let hashes = ["never", "always"].map {
            Tool.run([
                "play", Media.path(name), "--frames", "-", "--format", "framehash", "--isolate", $0,
            ]).text
        }
        #expect(hashes[0] == hashes[1] && !hashes[0].isEmpty)
    }

    @Test
    func `Standard input is isolated, and errors are those of its media`() throws {
        let scratch = Scratch()
        let bytes = try Media.array("clip.mp4")
        let path = scratch.path("cut.mp4")
        Tool.write(Array(bytes.prefix(200)), to: path)
        let piped = Tool.run(["info", "-"], input: path)
        let isolated = Tool.run(["info", path, "--isolate", "always"])
        let usual = Tool.run(["info", path, "--isolate", "never"])
        #expect(piped.status == 65 && isolated.status == 65 && usual.status == 65)
        #expect(isolated.errors == usual.errors)
    }

    @Test
    func `A program that cannot decode is an error of status 69`() {
        let outcome = Tool.shell(
            "LAZYIMG_DECODER=/nowhere/decoder \"$lazyimg\" info '\(Media.path("clip.mp4"))' --isolate always"
        )
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("/nowhere/decoder"))
    }

    @Test
    func `A batch is isolated, and its posters are the same`() {
        let scratch = Scratch()
        let inputs = ["clip.mp4", "counter.gif", "still.jpg"].map(Media.path)
        for isolation in ["never", "auto"] {
            let words =
                ["batch", "poster"] + inputs + ["-W", "64", "-f", "png", "--isolate", isolation]
            let outcome = Tool.run(words + ["-o", scratch.path(isolation) + "/", "--no-journal"])
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let names = scratch.names("never")
        #expect(names == scratch.names("auto") && names.count == 3)
        for name in names {
            #expect(
                Tool.bytes(scratch.path("never/" + name))
                    == Tool.bytes(scratch.path("auto/" + name))
            )
        }
    }

    @Test
    func `A process that is kept warm decodes for the commands that follow`() {
        let scratch = Scratch()
        func run(_ words: String) -> Tool.Outcome {
            Tool.shell("XDG_RUNTIME_DIR='\(scratch.path)' \"$lazyimg\" \(words)")
        }
        func compact(_ outcome: Tool.Outcome) -> String { outcome.text.filter { !$0.isWhitespace } }
        let started = run("warm --idle 20s --json")
        #expect(started.status == 0, "\(started.errors)")
        #expect(compact(started).contains("\"started\":true"))
        defer { _ = run("warm --stop --quiet") }
        // The version of the messages is part of the name.
        let prefix = "lazyimg-decoder-\(Version.number)-"
        let folder = scratch.names(".").first { $0.hasPrefix(prefix) } ?? prefix
        for (name, mode) in [
            (folder, 0o700), (folder + "/films", 0o600), (folder + "/pictures", 0o600),
        ] {
            var status = stat()
            #expect(lstat(scratch.path(name), &status) == 0)
            #expect(status.st_mode & 0o777 == mode)
        }
        #expect(compact(run("warm --json")).contains("\"started\":false"))
        for name in ["clip.mp4", "animation.webp"] {
            let hashes = ["auto", "never"].map {
                run("play '\(Media.path(name))' --frames - --format framehash --isolate \($0)")
            }
            #expect(hashes[0].status == 0, "\(hashes[0].errors)")
            #expect(hashes[0].text == hashes[1].text)
        }
        #expect(compact(run("warm --stop --json")).contains("\"stopped\":true"))
        #expect(compact(run("warm --stop --json")).contains("\"stopped\":false"))
        // Without it the command decodes itself.
        #expect(run("info '\(Media.path("clip.mp4"))'").status == 0)
    }

    /// What others put in the place of the folder for sockets.
    enum Trap: CaseIterable { case link, foreignFolder, foreignParent }

    @Test(.enabled(if: geteuid() == 0), arguments: Trap.allCases)
    func `Warm listens in no folder but its user's, and removes nothing there`(_ trap: Trap) throws
    {
        let (scratch, nobody) = (Scratch(), uid_t(65_534))
        func warm(_ words: String) -> Tool.Outcome {
            Tool.shell("XDG_RUNTIME_DIR='\(scratch.path)' \"$lazyimg\" warm \(words)")
        }
        let path = try #require(
            try ParsedJSON.parse(warm("--idle 20s --json").text)["socket"]?.string)
        #expect(warm("--stop").status == 0)
        let name = try #require(path.split(separator: "/").last.map(String.init))
        mkdir(scratch.path("other"), 0o700)
        scratch.write([1], "other/films")
        if trap == .link {
            symlink("other", path)
        } else {
            rename(scratch.path("other"), path)
        }
        if trap == .foreignFolder { chown(path, nobody, nobody) }
        if trap == .foreignParent { chown(scratch.path, nobody, nobody) }
        let outcome = warm("--idle 20s")
        #expect(outcome.status == 69, "\(outcome.errors)")
        #expect(outcome.errors.contains("no folder of this user alone"), "\(outcome.errors)")
        #expect(warm("--stop").status == 0)
        #expect(scratch.names(trap == .link ? "other" : name).contains("films"))
        #expect(scratch.names("").contains(name))
    }

    @Test
    func `Without a folder for sockets warm exits with 69`() {
        let outcome = Tool.shell("unset XDG_RUNTIME_DIR; \"$lazyimg\" warm")
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("XDG_RUNTIME_DIR"))
    }

    @Test
    func `Doctor and help tell of isolation`() {
        let doctor = Tool.run(["doctor"])
        #expect(doctor.text.contains("filter of system calls (seccomp): yes"))
        #expect(Tool.run(["help", "isolation"]).text.contains("--isolate always"))
    }
}
