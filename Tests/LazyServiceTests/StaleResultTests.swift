import FoundationEssentials
import LazyBase
import LazyKit
import LazyLoading
import LazyMedia
import LazyPipeline
import Support
import Testing

@testable import LazyService

/// Results whose source is no longer fresh (RFC 5861).
@Suite(.timeLimit(.minutes(2))) struct StaleResultTests {
    /// Which version a server has; nil where it fails.
    private final class Version: Sendable {
        private let number = Locked<Int?>(1)
        func callAsFunction() -> Int? { number.withLock { $0 } }
        func change(to number: Int?) { self.number.withLock { $0 = number } }
    }

    /// A service whose only server answers with the next version of a picture, or fails.
    private final class Origin {
        let clock = ManualClock()
        let loader: ScriptedLoader
        let served: Served
        private let version = Version()

        init(_ control: String, _ change: (inout ServiceConfiguration) -> Void = { _ in }) throws {
            let pictures = try (1...2).map {
                try Pictures.plain(PixelSize(width: 10 * $0, height: 10)).pngData()
            }
            let version = version
            let loader = ScriptedLoader { request in
                guard let number = version() else {
                    return .init(failure: LoadingError(.connect, "The server is away."))
                }
                let bytes = pictures[number - 1]
                let headers: HTTPHeaders = ["ETag": "\"\(number)\"", "Cache-Control": control]
                return .init(
                    [bytes],
                    head: ResponseHead(
                        url: request.url, status: 200, headers: headers,
                        expectedCount: bytes.count, origin: .network))
            }
            self.loader = loader
            let clocks = clock.clocks
            served = try Served {
                $0.staleLifetime = 100
                change(&$0)
            } pipeline: {
                $0.dataLoader = loader
                $0.remoteOpener = nil
                $0.clocks = clocks
            }
        }

        func get(_ fields: [String: String] = [:]) async -> ServiceResponse {
            await served.get("/unsafe/plain/http://example.com/a.png@png", fields)
        }

        func width(_ response: ServiceResponse) async throws -> Int {
            try await Served.media(response).info.size.width
        }

        func change(to number: Int?) { version.change(to: number) }

        func waitForRevalidations() async throws {
            for _ in 0..<6000 where served.service.revalidations.count > 0 {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    @Test func `a stale result is sent while it is made anew, once`() async throws {
        let origin = try Origin("max-age=10")
        #expect(await origin.get().origin == "made")
        origin.clock.advance(by: .seconds(5))
        #expect(await origin.get().origin == "memory")
        let asked = origin.loader.requests.count
        origin.change(to: 2)
        origin.clock.advance(by: .seconds(20))
        let stale = await origin.get()
        #expect(try await origin.width(stale) == 10 && stale.origin == "memory")
        #expect(stale.fields["Cache-Control"] == "no-cache")
        try await origin.waitForRevalidations()
        #expect(origin.loader.requests.count > asked)
        #expect(try await origin.width(await origin.get()) == 20)
    }

    @Test func `a stale result is sent while its server fails, for the time that is said`()
        async throws
    {
        let origin = try Origin("max-age=10")
        #expect(await origin.get().status == 200)
        origin.change(to: nil)
        origin.clock.advance(by: .seconds(60))
        for _ in 0..<3 {
            #expect(try await origin.width(await origin.get()) == 10)
            try await origin.waitForRevalidations()
        }
        origin.clock.advance(by: .seconds(60))
        #expect(await origin.get().status == 502)
        origin.change(to: 2)
        #expect(try await origin.width(await origin.get()) == 20)
    }

    @Test(arguments: [
        "max-age=10, must-revalidate", "max-age=10, proxy-revalidate", "s-maxage=10", "no-cache",
    ]) func `a server that forbids it is asked`(control: String) async throws {
        let origin = try Origin(control)
        #expect(await origin.get().status == 200)
        origin.change(to: 2)
        origin.clock.advance(by: .seconds(20))
        #expect(try await origin.width(await origin.get()) == 20)
        origin.change(to: nil)
        origin.clock.advance(by: .seconds(20))
        #expect(await origin.get().status == 502)
    }

    /// What a server says, and what is said of the source as it is, of a result, and of one whose address expires.
    @Test(
        arguments: [
            ("private, max-age=60", "private, max-age=60"), ("max-age=60", "public, max-age=60"),
            ("no-store", "no-store"), ("no-cache", "no-cache"), ("", "public, max-age=31536000"),
        ], ["raw:1/", "", "exp:99999999999/"])
    func `caches are told what the server of the source says`(
        said: (control: String, expected: String), option: String
    ) async throws {
        let origin = try Origin(said.control)
        let end = option.isEmpty ? "@png" : ""
        let answer = await origin.served.get(
            "/unsafe/\(option)plain/http://example.com/a.png\(end)")
        #expect(answer.status == 200)
        let value = answer.fields["Cache-Control"] ?? ""
        #expect(value.hasPrefix(said.expected), "\(value)")
        #expect(value.contains("stale-") == (value.contains("max-age") && !option.hasPrefix("exp")))
    }

    @Test func `without a time for it, the source is asked`() async throws {
        let origin = try Origin("max-age=10") { $0.staleLifetime = 0 }
        #expect(await origin.get().status == 200)
        origin.change(to: 2)
        origin.clock.advance(by: .seconds(20))
        #expect(try await origin.width(await origin.get()) == 20)
    }

    @Test func `a client that has a stale result is told so`() async throws {
        let origin = try Origin("max-age=10")
        let tag = try #require(await origin.get().fields["ETag"])
        origin.clock.advance(by: .seconds(20))
        #expect(await origin.get(["if-none-match": tag]).status == 304)
        try await origin.waitForRevalidations()
    }
}
