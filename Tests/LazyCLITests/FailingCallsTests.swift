import Support
import Testing
import ToolSupport

/// The command where the system fails it: the same script as `make faults`, which says what it may do then.
@Suite(.ownThreads, .enabled(if: !Sanitizer.isLinked)) struct FailingCallsTests {
    @Test(arguments: [
        ("info-gif", "descriptor"), ("poster-gif", "rename"), ("loop", "rename"),
        ("poster-text", "thread"),
    ])
    func `a command whose system calls fail loses nothing and says so`(
        job: String, kinds: String
    ) {
        let scratch = Scratch()
        let script = "\(Project.folder)Tests/Faults/run.py"
        let outcome = Tool.shell(
            "'\(script)' \"$lazyimg\" --jobs \(job) --kinds \(kinds) --state '\(scratch.path)/state'"
        )
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
    }

    @Test func `a judge of such runs sees what is wrong with one`() {
        // It refuses to begin where a program that loses its input, or lies about it, is not seen.
        let scratch = Scratch()
        let script = "\(Project.folder)Tests/Faults/run.py"
        let outcome = Tool.shell(
            "'\(script)' /bin/false --jobs none --state '\(scratch.path)/state'")
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
    }
}
