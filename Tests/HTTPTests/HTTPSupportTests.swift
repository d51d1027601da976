import FoundationEssentials
import Glibc
import HTTPSupport
import Testing

@Suite struct HTTPSupportTests {
    @Test func `nginx serves a file and logs it`() throws {
        let nginx = try Nginx.shared()
        try nginx.put(Array("hello".utf8), as: "rig.txt")
        let answer = try exchange(
            nginx.port, "GET /rig.txt HTTP/1.1\r\nHost: a\r\nRange: bytes=1-2\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 206"))
        #expect(answer.hasSuffix("\r\n\r\nel"))
        let entry = try #require(nginx.log(of: "/rig.txt").last)
        #expect(entry.status == 206 && entry.range == "bytes=1-2" && entry.bodyBytes == 2)
    }

    @Test func `a scripted response arrives as written`() async throws {
        let server = try ScriptedServer { request in
            request.path == "/file"
                ? .serve(Array("hello".utf8), to: request, etag: "\"1\"")
                : [.text("no head"), .close]
        }
        #expect(try exchange(server.port, "GET / HTTP/1.1\r\n") == "no head")
        let part = try exchange(server.port, "GET /file HTTP/1.1\r\nRange: bytes=-3\r\n")
        #expect(part.hasPrefix("HTTP/1.1 206") && part.hasSuffix("\r\n\r\nllo"))
        let same = try exchange(server.port, "GET /file HTTP/1.1\r\nIf-None-Match: W/\"1\"\r\n")
        #expect(same.hasPrefix("HTTP/1.1 304"))
        await server.wait { $0.openConnections == 0 && $0.requests.count == 3 }
    }

    private func exchange(_ port: Int, _ request: String) throws -> String {
        try RawClient.exchange(port: port, request + "Connection: close\r\n\r\n")
    }
}
