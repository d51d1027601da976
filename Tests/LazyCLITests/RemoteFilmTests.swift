import FoundationEssentials
import HTTPSupport
import Support
import Testing
import ToolSupport

/// The executable and a long film at a server: what of it is asked for.
@Suite(.ownThreads) struct RemoteFilmTests {
    private let server: Nginx
    private let scratch = Scratch()
    private let name = "film-\(UInt64.random(in: 0 ... .max)).mp4"
    private let film: [UInt8]

    init() throws {
        server = try Nginx.shared()
        film = MovieForge.spread(
            try Media.array("clip.mp4"), room: 12_000_000, tablesFirst: false)
        try server.put(film, as: name)
        scratch.write(film, name)
    }

    private func run(_ job: [String], of input: String, _ output: String) -> Tool.Outcome {
        Tool.run(
            [job[0], input] + job.dropFirst()
                + ["-o", scratch.path(output), "--cache-dir", scratch.path("cache")])
    }

    @Test(arguments: [["sheet", "--count", "9"], ["animate", "--duration", "0.5"]])
    func `some frames of a film are read by ranges`(job: [String]) throws {
        #expect(film.count > 30_000_000)
        let output = job[0] == "sheet" ? "out.png" : "out.gif"
        let remote = run(job, of: server.url("/" + name).absoluteString, "remote-" + output)
        #expect(remote.status == 0, "\(remote.errors)")
        let log = server.log(of: "/" + name)
        #expect(log.allSatisfy { $0.status == 206 })
        #expect(log.count <= 24)
        #expect(log.reduce(0) { $0 + $1.bodyBytes } < film.count / 10)
        let local = run(job, of: scratch.path(name), "local-" + output)
        #expect(local.status == 0, "\(local.errors)")
        #expect(
            Tool.bytes(scratch.path("remote-" + output))
                == Tool.bytes(scratch.path("local-" + output)))
    }

    @Test func `without ranges all of a film is loaded for a sheet`() throws {
        let job = ["sheet", "--count", "9"]
        let address = server.url("/norange/" + name).absoluteString
        #expect(run(job, of: address, "remote.png").status == 0)
        #expect(server.log(of: "/norange/" + name).contains { $0.bodyBytes == film.count })
        #expect(run(job, of: scratch.path(name), "local.png").status == 0)
        #expect(Tool.bytes(scratch.path("remote.png")) == Tool.bytes(scratch.path("local.png")))
    }
}
