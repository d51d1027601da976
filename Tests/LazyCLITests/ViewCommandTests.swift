import Glibc
import Support
import Testing
import ToolSupport

/// What `lazyimg view` hands over to the program with the window.
@Suite(.ownThreads) struct ViewCommandTests {
    /// Runs it with a program that prints its arguments.
    private func words(_ arguments: String) -> Tool.Outcome {
        let scratch = Scratch()
        scratch.write(Array("#!/bin/sh\nprintf '%s\\n' \"$@\"\n".utf8), "lazyimg-view")
        chmod(scratch.path("lazyimg-view"), 0o755)
        return Tool.shell(
            "cp \"$lazyimg\" '\(scratch.path)/lazyimg'; PATH='\(scratch.path)':$PATH '\(scratch.path)/lazyimg' view \(arguments)"
        )
    }

    @Test func `edits are handed over as words that the program takes`() {
        let said = words(
            "--trim --crop 16:9 --gravity smart --rotate left --flip both --pad 20 --pad-color '#f80' "
                + "--text '{name}' --text-gravity north --text-size 5.5 --text-color white "
                + "--watermark=m.png --watermark-gravity west --watermark-opacity 0.5 "
                + "--subtitles track:deu -- a.mp4")
        #expect(said.status == 0, "\(said.errors)")
        #expect(
            said.text.split(separator: "\n") == [
                "--trim", "--crop", "16:9", "--rotate", "270", "--flip", "both", "--pad", "20",
                "--pad-color", "#ff8800", "--text", "{name}", "--text-gravity", "north",
                "--text-size", "5.5", "--text-color", "#ffffff", "--watermark", "m.png",
                "--watermark-gravity", "west", "--watermark-opacity", "0.5", "--subtitles",
                "track:deu", "--gravity", "smart", "--", "a.mp4",
            ])
    }

    @Test(arguments: ["--crop wide", "--gravity north", "--pad-color red", "--subtitles track:0"])
    func `mistakes are told before a window opens`(options: String) {
        let said = words(options + " a.mp4")
        #expect(said.status == 64)
        #expect(said.text.isEmpty)
    }
}
