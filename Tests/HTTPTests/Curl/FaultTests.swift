import FoundationEssentials
import HTTPSupport
import LazyBase
import LazyLoading
import Testing

@Suite struct FaultTests {
    /// A malformed response and its error.
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var code: LoadingError.Code
        var actions: [ScriptedServer.Action]
        var delivered = 0
        /// Opened when the client has received the first bytes.
        var hasBytes: Gate?

        init(
            _ name: String, _ code: LoadingError.Code, _ actions: [ScriptedServer.Action],
            delivered: Int = 0, opening hasBytes: Gate? = nil
        ) {
            self.hasBytes = hasBytes
            testDescription = name
            self.code = code
            self.actions = actions
            self.delivered = delivered
        }
    }

    static let head = "HTTP/1.1 200 OK\r\n"
    static let flood = (0..<300).map { "X-\($0): y\r\n" }.joined()
    // Only for the reset: it overtakes bytes that the client has not read.
    static let later = Gate()
    static let faults = [
        Fault("no answer", .reset, [.close]),
        Fault("a reset instead of an answer", .reset, [.reset]),
        Fault("a cut in the head", .reset, [.text(head + "Content-Len"), .close]),
        Fault("another protocol", .malformed, [.text("220 mail.example ESMTP\r\n"), .close]),
        Fault("garbage", .malformed, [.send((0..<200).map { $0 &+ 128 }), .close]),
        Fault(
            "a status that is no number", .malformed, [.text("HTTP/1.1 abc OK\r\n\r\n"), .close]),
        Fault("a field without a colon", .malformed, [.text(head + "Nonsense\r\n\r\n"), .close]),
        Fault("a field without a name", .malformed, [.text(head + ": x\r\n\r\n"), .close]),
        Fault("a null in a field", .malformed, [.text(head + "A: b\0c\r\n\r\n"), .close]),
        Fault("too many fields", .malformed, [.text(head + flood + "\r\n"), .close]),
        Fault(
            "endless fields", .malformed,
            [
                .text(head),
                .repeat(Array("X: \(String(repeating: "y", count: 500))\r\n".utf8), times: nil),
            ]),
        Fault(
            "an endless field", .malformed,
            [.text(head + "X: "), .repeat([UInt8](repeating: 120, count: 10_000), times: nil)]),
        Fault(
            "endless interim answers", .malformed,
            [.repeat(Array("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n".utf8), times: nil)]),
        Fault(
            "a length that is none", .malformed,
            [.text(head + "Content-Length: x\r\n\r\nabc"), .close]),
        Fault(
            "a negative length", .malformed,
            [.text(head + "Content-Length: -5\r\n\r\nabc"), .close]),
        Fault(
            "two lengths", .malformed,
            [.text(head + "Content-Length: 3\r\nContent-Length: 5\r\n\r\nabc"), .close]),
        Fault(
            "a part unasked", .malformed,
            [.send(ScriptedServer.Response.head(206, count: 1)), .text("x")]),
        Fault(
            "less than announced", .truncated,
            [.text(head + "Content-Length: 10\r\n\r\nabc"), .close], delivered: 3),
        Fault(
            "nothing of what was announced", .truncated,
            [.text(head + "Content-Length: 10\r\n\r\n"), .close]),
        Fault(
            "a reset in the body", .reset,
            [.text(head + "Content-Length: 10\r\n\r\nabc"), .wait(later), .reset],
            delivered: 3, opening: later),
        Fault(
            "chunks that are none", .malformed,
            [.text(head + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n"), .close],
            delivered: 3),
        Fault(
            "no last chunk", .truncated,
            [.text(head + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"), .close], delivered: 3),
        Fault(
            "endless trailers", .malformed,
            [
                .text(head + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"),
                .repeat(Array("X: \(String(repeating: "y", count: 50))\r\n".utf8), times: nil),
            ], delivered: 3),
        Fault(
            "compression that is none", .malformed,
            [.text(head + "Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"), .close]),
        Fault(
            "an unknown compression", .malformed,
            [.text(head + "Content-Encoding: magic\r\nContent-Length: 5\r\n\r\nhello"), .close]),
    ]

    @Test(arguments: faults) func `a malformed response is a typed error`(fault: Fault) async throws
    {
        let server = try ScriptedServer { _ in ScriptedServer.Response(fault.actions) }
        var request = LoadRequest(url: server.url("/broken"))
        // A loaded machine may leave this test waiting for longer than a user would.
        request.readTimeout = .seconds(600)
        var count = 0
        do throws(LoadingError) {
            let answer = try await HTTPLoader().load(request)
            while let piece = try await answer.body.next() {
                count += piece.count
                fault.hasBytes?.open()
            }
            Issue.record("the load succeeded with \(count) bytes")
        } catch {
            #expect(error.code == fault.code, "\(error.message)")
            #expect(error.message.contains("/broken") && error.message.hasSuffix("."))
            #expect(!error.message.dropLast().contains("\n"))
        }
        #expect(count == fault.delivered)
    }

    @Test(arguments: [200, 403, 404, 410, 429, 500, 503])
    func `a status other than success is an error`(status: Int) async throws {
        let nginx = try Nginx.shared()
        try nginx.put([1], as: "status.bin")
        let path = status == 200 ? "/status.bin" : "/status/\(status)"
        do throws(LoadingError) {
            _ = try await HTTPLoader().load(LoadRequest(url: nginx.url(path)))
            #expect(status == 200)
        } catch {
            #expect(error.code == .status && error.status == status)
            #expect(error.retryAfter == .seconds(7))
            #expect(error.isTransient == [429, 500, 503].contains(status))
        }
    }

    @Test(arguments: [304, 416, 305, 400])
    func `a response without a matching request is an error`(status: Int) async throws {
        let server = try ScriptedServer { _ in .answer(status) }
        await #expect(throws: LoadingError.self) {
            try await HTTPLoader().load(LoadRequest(url: server.url("/")))
        }
    }

    @Test func `a refused connection and an unknown name differ`() async throws {
        let server = try ScriptedServer { _ in [] }
        let url = server.url("/")
        server.stop()
        await server.wait { $0.openConnections == 0 }
        #expect(await code(of: LoadRequest(url: url)) == .connect)
        let nowhere = try #require(URL(string: "http://nothing.invalid/"))
        #expect(await code(of: LoadRequest(url: nowhere)) == .dns)
    }

    @Test(arguments: [
        "file:///etc/passwd", "http:///path", "ftp://127.0.0.1/", "relative", "data:,x",
    ])
    func `other URLs than HTTP are refused`(text: String) async throws {
        let url = try #require(URL(string: text))
        #expect(await code(of: LoadRequest(url: url)) == .badAddress)
    }

    @Test(arguments: [("A B", "x"), ("A", "x\r\nB: y"), ("", "x"), ("A:", "x"), ("A", "x\0")])
    func `a header field with a line break is not sent`(name: String, value: String) async throws {
        let server = try ScriptedServer { _ in .answer(body: [1]) }
        var request = LoadRequest(url: server.url("/"))
        request.headers.add(name, value)
        #expect(await code(of: request) == .badAddress)
        #expect(server.requests.isEmpty)
    }

    @Test func `interim responses and trailers are ignored`() async throws {
        let server = try ScriptedServer { _ in
            [
                .text("HTTP/1.1 103 Early Hints\r\nX-Hint: 1\r\n\r\n"),
                .text(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Real: 1\r\nX-Fold: a\r\n  b\r\n\r\n"
                ),
                .text("3\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n"),
            ]
        }
        let answer = try await HTTPLoader().load(LoadRequest(url: server.url("/")))
        #expect(answer.head.headers["X-Hint"] == nil)
        #expect(answer.head.headers["X-Real"] == "1")
        #expect(answer.head.headers["X-Fold"] == "a b")
        #expect(answer.head.expectedCount == nil)
        #expect(try await answer.body.collect() == Array("abc".utf8))
    }

    @Test func `a complete response is valid if the connection ends`() async throws {
        let server = try ScriptedServer { _ in [.text(Self.head + "\r\nabc"), .close] }
        let answer = try await HTTPLoader().load(LoadRequest(url: server.url("/")))
        #expect(try await answer.body.collect() == Array("abc".utf8))
    }

    private func code(of request: LoadRequest) async -> LoadingError.Code? {
        do throws(LoadingError) {
            _ = try await HTTPLoader().load(request).body.collect()
            return nil
        } catch { return error.code }
    }
}
