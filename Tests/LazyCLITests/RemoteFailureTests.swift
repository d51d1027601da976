import FoundationEssentials
import HTTPSupport
import Support
import Testing
import ToolSupport

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

/// Every way in which an address can fail: its exit code, its word, one sentence.
@Suite(.ownThreads) struct RemoteFailureTests {
    private typealias Response = ScriptedServer.Response
    private let scratch = Scratch()

    private func fail(_ url: String, _ more: String...) -> (status: CInt, code: String) {
        let outcome = Tool.run(
            ["info", url, "--json", "--retries", "0", "--cache-dir", scratch.path("cache")] + more)
        #expect(outcome.errors.split(separator: "\n").count == 1)
        let parts = outcome.errors.split(separator: "\"")
        let place = parts.firstIndex(of: "code").map { $0 + 2 } ?? 0
        return (outcome.status, place < parts.count ? String(parts[place]) : "")
    }

    @Test(arguments: [
        (403, CInt(77)), (404, 66), (410, 66), (429, 75), (500, 69), (503, 75),
    ]) func `a status has its code`(status: Int, code: CInt) throws {
        let server = try Nginx.shared()
        let failure = fail(server.url("/status/\(status)").absoluteString)
        #expect(failure.status == code)
        #expect(failure.code == "status")
    }

    @Test(arguments: ["always", "never"])
    func `a file that changes while it is read is another version, wherever it is decoded`(
        isolation: String
    ) throws {
        // What is small is read at once.
        let padding: [UInt8] = [0, 0x40, 0, 0] + Array("free".utf8)
        let film =
            Tool.bytes(Media.path("clip.mp4")) + padding
            + [UInt8](repeating: 0, count: (4 << 20) - padding.count)
        let number = Locked(0)
        let server = try ScriptedServer { request in
            let version = number.withLock { number in
                number += 1
                return number
            }
            return .serve(film, to: request, etag: "\"v\(version)\"")
        }
        let outcome = Tool.run([
            "poster", server.url("/a.mp4").absoluteString, "--at", "last", "--no-cache",
            "--isolate",
            isolation, "--json", "-o", "-",
        ])
        #expect(outcome.errors.contains("\"code\": \"changed\""), "\(outcome.errors)")
        #expect(outcome.errors.contains("Download it with 'lazyimg fetch'."), "\(outcome.errors)")
    }

    @Test func `an unknown host and a closed port`() throws {
        #expect(fail("http://nowhere.invalid/a.gif") == (69, "dns"))
        let server = try ScriptedServer { _ in [] }
        let address = server.url("/a.gif").absoluteString
        server.stop()
        #expect(fail(address) == (69, "connect"))
    }

    @Test func `a server that is silent, closes the connection or sends too much`() throws {
        let server = try ScriptedServer { request in
            switch request.path {
            case "/silent": [.waitForClose]
            case "/short": [.send(Response.head(200, count: 100)), .text("too short"), .close]
            case "/long": .answer(body: [UInt8](repeating: 1, count: 50_000))
            case "/empty": .answer()
            default: .answer(body: Array("not media, no!".utf8))
            }
        }
        func url(_ path: String) -> String { server.url(path).absoluteString }
        #expect(fail(url("/silent"), "--timeout", "0.3") == (75, "timeout"))
        #expect(fail(url("/silent"), "--max-time", "0.3") == (75, "timeout"))
        #expect([65, 75].contains(fail(url("/short")).status))
        #expect(fail(url("/short")).code == "truncated")
        #expect(fail(url("/long"), "--max-download", "10K") == (76, "tooLarge"))
        #expect(fail(url("/words")) == (65, "unsupported"))
        #expect(fail(url("/empty")).status == 65)
    }

    @Test func `temporary errors are retried`() throws {
        let server = try ScriptedServer { request in
            request.index == 0
                ? .answer(503, headers: [("Retry-After", "0")])
                : .answer(body: Array("abc".utf8))
        }
        let outcome = Tool.run([
            "fetch", server.url("/a").absoluteString, "-o", "-", "--no-cache", "--retries", "2",
        ])
        #expect(outcome.text == "abc")
        #expect(server.requests.count == 2)
    }
}
