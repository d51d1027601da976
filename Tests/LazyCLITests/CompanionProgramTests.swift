import LazyPipeline
import Testing

@testable import LazyCLI

@Suite struct CompanionProgramTests {
    private let program = CompanionProgram("lazyimg-view", hint: "Install it.")

    @Test func `a program is looked for beside this one, then in libexec, then in PATH`() {
        let places = program.places(beside: "/opt/bin", path: "/usr/bin:/bin")
        #expect(
            places == [
                "/opt/bin/lazyimg-view", "/opt/bin/../libexec/lazyimg/lazyimg-view",
                "/opt/bin/../lib/lazyimg/lazyimg-view", "/opt/bin/../libexec/lazyimg-view",
                "/usr/bin/lazyimg-view", "/bin/lazyimg-view",
            ])
    }

    @Test func `relative and empty folders of PATH are not searched`() {
        let places = program.places(beside: "/opt/bin", path: ":bin:.:/usr/bin")
        #expect(places.dropFirst(4) == ["/usr/bin/lazyimg-view"])
    }

    @Test func `a missing program is an error with a hint`() {
        let missing = CompanionProgram("lazyimg-there-is-none", hint: "Install it.")
        let failure = #expect(throws: CommandFailure.self) { try missing.replaceProcess([]) }
        #expect(failure?.status == .unavailable)
        #expect(failure?.hint == "Install it.")
    }
}
