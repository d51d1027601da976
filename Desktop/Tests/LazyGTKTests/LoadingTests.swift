import DesktopSupport
import Testing

/// Views that load from a server, which says what it is asked.
@Suite(.serialized) struct LoadingTests {
    private let screen: Screen
    private let server: Program
    private let address: String

    init() throws {
        screen = try Screen()
        server = try Program(
            "python3",
            [Place.root + "Desktop/Tests/DesktopSupport/server.py", Place.media("counter.gif")])
        let port = try #require(server.line(beginning: "port")).dropFirst(5)
        address = "http://127.0.0.1:\(port)"
    }

    private func start(_ name: String, _ path: String) throws -> Program {
        try Program(
            Place.program("GTKScenarios"), [name, address + path],
            environment: screen.environment())
    }

    @Test func `a failed load shows a button that loads again`() throws {
        let facts = try start("failure", "/failing.gif").facts()
        #expect(facts["phase"] == "failure")
        #expect(facts["button"] == "true")
        #expect(facts["again"] == "success")
        #expect(facts["child"] == "none")
    }

    @Test func `only what is on screen is loaded, and what leaves it is cancelled`() throws {
        let program = try start("scroll", "")
        #expect(program.line(beginning: "loading") == "loading 4")
        var lines: Set<String> = []
        for _ in 0..<4 { lines.insert(try #require(server.line())) }
        #expect(lines == Set((0..<4).map { "get /\($0).gif" }))
        program.write("scroll")
        #expect(program.line(beginning: "loading") == "loading 4")
        lines = []
        for _ in 0..<8 { lines.insert(try #require(server.line())) }
        #expect(
            lines
                == Set((0..<4).map { "gone /\($0).gif" } + (20..<24).map { "get /\($0).gif" }))
        program.write("end")
        #expect(program.wait() == 0)
    }
}
