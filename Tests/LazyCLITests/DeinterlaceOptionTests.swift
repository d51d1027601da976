import Support
import Testing
import ToolSupport

/// `--deinterlace`, in the program's process and in one of its own.
@Suite(.enabled(if: !Sanitizer.isLinked)) struct DeinterlaceOptionTests {
    @Test func `fields become frames unless they are to stay, isolated or not`() {
        func hashes(_ options: String...) -> String {
            let outcome = Tool.run(
                ["play", Media.path("interlaced.mp4"), "--frames", "-", "--format", "framehash"]
                    + options)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.text
        }
        let (usual, combed) = (
            hashes("--isolate", "never"), hashes("--deinterlace", "never", "--isolate", "never")
        )
        #expect(usual != combed)
        #expect(hashes("--deinterlace", "auto", "--isolate", "never") == usual)
        #expect(hashes("--isolate", "always") == usual)
        #expect(hashes("--deinterlace", "never", "--isolate", "always") == combed)
        // Of any other film nothing changes.
        let other = ["never", "auto"].map {
            Tool.run([
                "play", Media.path("small.mp4"), "--frames", "-", "--format", "framehash",
                "--deinterlace", $0,
            ]).text
        }
        #expect(other[0] == other[1])
    }
}
