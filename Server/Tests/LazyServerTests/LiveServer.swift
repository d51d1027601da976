import FoundationEssentials
import Hummingbird
import LazyServer
import Logging

/// An application on a port of its own, and curl as its client.
struct LiveServer {
    /// An answer as curl has it.
    struct Answer {
        var status = 0
        var fields: [String: String] = [:]
        /// The number of bytes.
        var count = 0
        var text = ""
    }

    let port: Int

    /// Runs an application while a closure asks it.
    static func run(
        _ router: Router<BasicRequestContext>, idleTimeout: Duration = .seconds(75),
        _ body: @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let (ports, told) = AsyncStream<Int>.makeStream()
        var quiet = Logger(label: "tests")
        quiet.logLevel = .critical
        let application = Application(
            router: router, server: .previews(idleTimeout: idleTimeout),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                told.yield(channel.localAddress?.port ?? 0)
                told.finish()
            }, logger: quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            for await port in ports { try await body(LiveServer(port: port)) }
            group.cancelAll()
        }
    }

    /// What a script in Python prints, which has `connect()` and `rest(client)`: all that still comes.
    func run(_ script: String) async -> String {
        await shell(
            """
            python3 - <<'END'
            import socket
            def connect():
                return socket.create_connection(("127.0.0.1", \(port)), timeout=60)
            def rest(client):
                data = b""
                try:
                    while piece := client.recv(65536): data += piece
                except ConnectionResetError: pass
                return data
            \(script)
            END
            """
        ).text
    }

    /// The answer to a request.
    func ask(
        _ path: String, method: String = "GET", _ fields: [String: String] = [:]
    ) async -> Answer {
        let headers = fields.map { " -H '\($0.key): \($0.value)'" }.joined()
        let file = "$(mktemp)"
        let kind = method == "HEAD" ? "-I" : "-X \(method)"
        let output = await shell(
            """
            body=\(file)
            curl -s --path-as-is \(kind)\(headers) -D - -o $body 'http://127.0.0.1:\(port)\(path)'
            echo "count: $(stat -c %s $body)"
            echo
            head -c 100000 $body | tr -d '\\0'
            rm $body
            """
        ).text
        var answer = Answer()
        let parts = output.replacing("\r\n", with: "\n").split(
            separator: "\n\n", maxSplits: 2, omittingEmptySubsequences: false)
        for line in parts.prefix(2).joined(separator: "\n").split(separator: "\n") {
            let words = line.split(separator: ":", maxSplits: 1)
            if line.hasPrefix("HTTP/") { answer.status = Int(line.split(separator: " ")[1]) ?? 0 }
            guard words.count == 2 else { continue }
            answer.fields[words[0].lowercased()] = String(words[1].drop { $0 == " " })
        }
        answer.count = Int(answer.fields["count"] ?? "") ?? 0
        answer.text = parts.count > 2 ? String(parts[2]) : ""
        return answer
    }
}
