import Hummingbird
import Logging

/// A route of the framework alone, with so many bytes, which hits of the server are measured against.
///
/// usage: bare-route PORT BYTES
@main struct BareRoute {
    static func main() async throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard numbers.count == 2 else {
            print("usage: bare-route PORT BYTES")
            return
        }
        let body = ByteBuffer(repeating: 7, count: numbers[1])
        let router = Router()
        router.get("**") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "image/jpeg"], body: .init(byteBuffer: body))
        }
        var quiet = Logger(label: "bare-route")
        quiet.logLevel = .critical
        try await Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: numbers[0])),
            logger: quiet
        ).runService()
    }
}
