import Glibc
import Support
import Testing
import ToolSupport

/// What faults of decoders are for those who run a command.
@Suite(.ownThreads, .enabled(if: !Sanitizer.isLinked))
struct ExitStatusTests {
    private let scratch = Scratch()

    /// A file that looks like a GIF, and a decoder that does what is in it.
    private func outcome(_ command: String, _ words: String, _ options: String = "") -> Tool.Outcome
    {
        let path = scratch.write(Array("GIF89aHOSTILE \(command)".utf8), "hostile.gif")
        return Tool.shell(
            "LAZYIMG_DECODER='\(Hosts.folder)/HostileDecoder' \"$lazyimg\" \(words) --isolate always \(options) '\(path)'"
        )
    }

    @Test(arguments: [
        ("crash", "", CInt(65), "decoderCrashed"), ("leave", "", 65, "decoderCrashed"),
        ("exec x", "", 65, "decoderCrashed"), ("send 0000", "", 65, "decoderCrashed"),
        ("silent", "--limit open-time=100ms", 75, "timedOut"),
        ("eat", "--limit memory=20M", 76, "limitExceeded"),
    ])
    func `A fault of a decoder has its exit code`(
        _ command: String, _ options: String, _ status: CInt, _ code: String
    ) {
        let outcome = outcome(command, "info --json", options)
        #expect(outcome.status == status, "\(outcome.errors)")
        #expect((outcome.text + outcome.errors).contains("\"\(code)\""), "\(outcome.text)")
    }

    @Test
    func `A signal ends a command that waits for a decoder`() {
        let program = SilentProgram()
        for words in [
            "info", "poster -o '\(scratch.path("x.png"))'", "play --frames - --format null",
        ] {
            let outcome = Tool.shell(
                """
                LAZYIMG_DECODER='\(program.path)' "$lazyimg" \(words) --isolate always '\(Media.path("clip.mp4"))' &
                while [ ! -s '\(program.mark)' ]; do sleep 0.01; done
                kill -TERM $!
                wait $!
                status=$?
                kill -KILL $(cat '\(program.mark)')
                rm '\(program.mark)'
                exit $status
                """)
            #expect(outcome.status == 128 + SIGTERM, "\(words): \(outcome.errors)")
            // It ended because it was told to, not because its time was over.
            #expect(!outcome.errors.contains("did not end in time"), "\(words)")
        }
    }
}
