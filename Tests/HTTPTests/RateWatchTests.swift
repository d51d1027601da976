import HTTPSupport
import LazyBase
import Testing

@testable import LazyLoading

/// Servers that send too slowly.
@Suite struct RateWatchTests {
    private func watch(_ bytes: Int = 100, limit: Int? = nil) -> RateWatch {
        RateWatch(.init(bytesPerSecond: bytes, window: .seconds(10)), limit: limit)
    }

    private func isTooSlow(_ watch: inout RateWatch, at seconds: Int) -> Bool {
        watch.isTooSlow(at: .seconds(seconds))
    }

    @Test func `too few bytes in a window are too slow, else another window begins`() {
        var watch = watch()
        #expect(watch.deadline == nil)
        watch.didReceive(1000, at: .seconds(5))
        #expect(watch.deadline == .seconds(15))
        #expect(!isTooSlow(&watch, at: 14))
        #expect(!isTooSlow(&watch, at: 15))
        #expect(watch.deadline == .seconds(25))
        watch.didReceive(999, at: .seconds(24))
        #expect(isTooSlow(&watch, at: 25))
    }

    @Test func `paused time does not count`() {
        var watch = watch()
        watch.didReceive(500, at: .zero)
        watch.pause(at: .seconds(4))
        watch.pause(at: .seconds(5))
        #expect(watch.deadline == nil)
        #expect(!isTooSlow(&watch, at: 1000))
        watch.resume(at: .seconds(1000))
        #expect(watch.deadline == .seconds(1006))
        watch.didReceive(500, at: .seconds(1005))
        #expect(!isTooSlow(&watch, at: 1006))
    }

    @Test func `without a rate, or below the own limit, nothing is too slow`() {
        for rate in [LoadRequest.MinimumRate(bytesPerSecond: 0), nil] {
            var watch = RateWatch(rate, limit: nil)
            watch.didReceive(1, at: .zero)
            #expect(watch.deadline == nil)
        }
        #expect(watch(100, limit: 50).bytesPerSecond == 25)
        #expect(watch(100, limit: 5000).bytesPerSecond == 100)
    }

    @Test func `a dripping server is left regardless of the read timeout`()
        async throws
    {
        let server = try ScriptedServer { _ in
            [.send(ScriptedServer.Response.head(200, count: 9000)), .text("abc"), .waitForClose]
        }
        var request = LoadRequest(url: server.url("/drip"))
        request.readTimeout = .seconds(600)
        request.minimumRate = .init(bytesPerSecond: 1_000_000, window: .milliseconds(50))
        do throws(LoadingError) {
            _ = try await HTTPLoader().load(request).body.collect()
            Issue.record("the load succeeded")
        } catch {
            #expect(error.code == .timeout)
            #expect(error.message.contains("fewer than 1000000 bytes a second"))
        }
    }

    @Test func `trailers and interim responses count with the head`() {
        let head = ["HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\r\n"]
        var trailers = HeadReader(fieldLimit: 4, byteLimit: 1000)
        #expect(head.map { take($0, &trailers) } == [.more, .more, .whole])
        for _ in 0..<3 { #expect(take("B: 2\r\n", &trailers) == .more) }
        #expect(take("B: 2\r\n", &trailers) == .fault("more than 4 header fields"))
        var bytes = HeadReader(fieldLimit: 100, byteLimit: 40)
        for line in head { _ = take(line, &bytes) }
        #expect(
            take("B: 2345678901234567890\r\n", &bytes) == .fault("a head of more than 40 bytes"))
        var interim = HeadReader(fieldLimit: 6, byteLimit: 1000)
        var steps: [HeadReader.Step] = []
        for _ in 0..<4 {
            steps += ["HTTP/1.1 103 x\r\n", "B: 1\r\n", "\r\n"].map { take($0, &interim) }
        }
        #expect(steps.last == .fault("more than 6 header fields"))
    }

    private func take(_ line: String, _ reader: inout HeadReader) -> HeadReader.Step {
        Array(line.utf8).withUnsafeBytes { reader.take($0) }
    }
}
