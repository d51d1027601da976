import FoundationEssentials
import Glibc
import HTTPSupport
import LazyBase
import LazyLoading
import Support
import Testing

/// The whole stack: libcurl, retries, caching rules, a disk store; against a real nginx.
@Suite struct NginxCachingTests {
    private let folder = Scratch()
    private let nginx: Nginx

    init() throws { nginx = try Nginx.shared() }

    /// A stack as in a separate process, with an offset of its clock.
    private func stack(later: Duration = .zero) throws -> CachingLoader {
        let clocks = Clocks(wall: { .now + later }, steady: SystemSteadyClock())
        let store = try DiskStore(folder: folder.path, clocks: clocks)
        return CachingLoader(
            RetryingLoader(HTTPLoader(), policy: .none), store: store, clocks: clocks)
    }

    private func put(_ name: String, count: Int, seed: UInt64 = 1) throws -> [UInt8] {
        var random = SplitMix(seed)
        let bytes = (0..<count / 8).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) }
        }
        try nginx.put(bytes, as: name)
        return bytes
    }

    /// Sets the modification time of a file to the past.
    private func age(_ name: String) {
        var times = [
            timeval(tv_sec: time(nil) - 5, tv_usec: 0), timeval(tv_sec: time(nil) - 5, tv_usec: 0),
        ]
        utimes("\(nginx.root)/\(name)", &times)
    }

    private func load(
        _ loader: any DataLoading, _ path: String, _ policy: FetchPolicy = .normal
    ) async throws -> (head: ResponseHead, bytes: [UInt8]) {
        let response = try await loader.load(LoadRequest(url: nginx.url(path), policy: policy))
        return (response.head, try await response.body.collect())
    }

    private func interrupt(_ path: String, after count: Int) async throws {
        let response = try await stack().load(LoadRequest(url: nginx.url(path)))
        var got = 0
        while got < count { got += try await response.body.next()?.count ?? .max }
    }

    @Test func `a fresh response is loaded once by several processes`() async throws {
        let bytes = try put("fresh", count: 300_000)
        #expect(try await load(stack(), "/cached/fresh").head.origin == .network)
        let second = try await load(stack(later: .seconds(3500)), "/cached/fresh")
        #expect(second.head.origin == .store)
        #expect(second.bytes == bytes)
        #expect(nginx.log(of: "/cached/fresh").map(\.status) == [200])
        #expect(
            try await load(stack(later: .seconds(3700)), "/cached/fresh").head.origin
                == .revalidated)
        let log = nginx.log(of: "/cached/fresh")
        #expect(log.map(\.status) == [200, 304])
        #expect(log.last?.ifNoneMatch.isEmpty == false)
    }

    @Test func `a stale response is validated, and loaded again if it changed`() async throws {
        let bytes = try put("stale", count: 100_000)
        for _ in 0..<3 { #expect(try await load(stack(), "/stale/stale").bytes == bytes) }
        let changed = try put("stale", count: 50_000, seed: 2)
        #expect(try await load(stack(), "/stale/stale").bytes == changed)
        #expect(nginx.log(of: "/stale/stale").map(\.status) == [200, 304, 304, 200])
        #expect(try await load(stack(), "/stale/stale", .cacheOnly).bytes == changed)
    }

    @Test func `no-store leaves nothing in the store`() async throws {
        _ = try put("secret", count: 1_000)
        for _ in 0..<2 { _ = try await load(stack(), "/nocache/secret") }
        #expect(nginx.log(of: "/nocache/secret").map(\.status) == [200, 200])
    }

    @Test func `another process continues an interrupted load`() async throws {
        let bytes = try put("long", count: 4_000_000)
        try await interrupt("/long", after: 1_500_000)
        let second = try await load(stack(), "/long")
        #expect(second.head.origin == .resumed)
        #expect(second.head.resumedCount >= 1_500_000)
        #expect(second.bytes == bytes)
        let last = try #require(nginx.log(of: "/long").last)
        #expect(last.status == 206)
        #expect(last.range == "bytes=\(second.head.resumedCount)-")
        let tag = second.head.headers["ETag"]?.replacing("\"", with: "")
        #expect(last.ifRange.replacing("\\x22", with: "") == tag)
        #expect(last.bodyBytes == bytes.count - second.head.resumedCount)
    }

    @Test func `a changed file is loaded again`() async throws {
        _ = try put("changing", count: 3_000_000)
        try await interrupt("/changing", after: 1_000_000)
        let changed = try put("changing", count: 2_500_000, seed: 2)
        let second = try await load(stack(), "/changing")
        #expect(second.head.origin == .network)
        #expect(second.bytes == changed)
        #expect(nginx.log(of: "/changing").last?.status == 200)
        #expect(try await load(stack(), "/changing", .cacheOnly).bytes == changed)
    }

    @Test func `a strong date allows a load to be continued`() async throws {
        let bytes = try put("dated", count: 3_000_000)
        age("dated")
        try await interrupt("/notag/dated", after: 1_000_000)
        let second = try await load(stack(), "/notag/dated")
        #expect(second.head.origin == .resumed)
        #expect(second.bytes == bytes)
        let last = try #require(nginx.log(of: "/notag/dated").last)
        #expect(last.ifRange == second.head.headers["Last-Modified"])
    }

    @Test func `without ranges the whole file is requested`() async throws {
        let bytes = try put("whole", count: 3_000_000)
        try await interrupt("/norange/whole", after: 1_000_000)
        let second = try await load(stack(), "/norange/whole")
        #expect(second.head.origin == .network)
        #expect(second.bytes == bytes)
    }

    @Test func `a compressed response is stored decoded`() async throws {
        let text = Array(String(repeating: "All work and no play. ", count: 5_000).utf8)
        try nginx.put(text, as: "text.txt")
        #expect(try await load(stack(), "/gzip/text.txt").bytes == text)
        let second = try await load(stack(), "/gzip/text.txt", .cacheElseLoad)
        #expect(second.head.origin == .store)
        #expect(second.bytes == text)
        #expect(second.head.headers["Content-Encoding"] == nil)
        #expect(
            try await load(stack(later: .seconds(90_000)), "/gzip/text.txt").head.origin
                == .revalidated)
        let log = nginx.log(of: "/gzip/text.txt")
        #expect(log.map(\.status) == [200, 304])
        #expect(log[0].bodyBytes < text.count / 10)
    }

    @Test func `a redirected response is stored under the requested URL`() async throws {
        let bytes = try put("target", count: 1_000)
        _ = try await load(stack(), "/redirect/three/target")
        let second = try await load(stack(), "/redirect/three/target", .cacheOnly)
        #expect(second.bytes == bytes)
        #expect(second.head.url == nginx.url("/target"))
    }

    @Test func `a range of a stored response needs no server`() async throws {
        let bytes = try put("ranges", count: 500_000)
        _ = try await load(stack(), "/cached/ranges")
        var request = LoadRequest(url: nginx.url("/cached/ranges"))
        request.range = .bytes(200_000..<200_100)
        let response = try await stack().load(request)
        #expect(try await response.body.collect() == Array(bytes[200_000..<200_100]))
        #expect(nginx.log(of: "/cached/ranges").count == 1)
    }

    @Test func `statuses other than success are errors and are not stored`() async throws {
        #expect(await failure { try await load(stack(), "/status/404") }?.status == 404)
        let busy = await failure { try await load(stack(), "/status/503") }
        #expect(busy?.retryAfter == .seconds(7))
        #expect(
            await failure { try await load(stack(), "/status/404", .cacheOnly) }?.code == .notCached
        )
    }

    @Test func `the load of a killed process is continued by the next one`() async throws {
        let bytes = try put("killed", count: 4_000_000)
        let response = try await stack().load(LoadRequest(url: nginx.url("/killed")))
        var got = 0
        while got < 2_000_000 { got += try await response.body.next()?.count ?? .max }
        // What stands on the disk at this instant is what a killed process leaves.
        let copy = Scratch()
        try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path + "/store")
        _ = consume response
        let store = try DiskStore(folder: copy.path + "/store")
        let other = CachingLoader(HTTPLoader(), store: store)
        let second = try await load(other, "/killed")
        #expect(second.head.origin == .resumed)
        #expect(second.head.resumedCount > 1_000_000)
        #expect(second.bytes == bytes)
    }

    @Test func `a changed file can be resumed itself`() async throws {
        _ = try put("twice", count: 4_000_000)
        age("twice")
        try await interrupt("/twice", after: 200_000)
        let bytes = try put("twice", count: 4_000_008, seed: 2)
        age("twice")
        try await interrupt("/twice", after: 200_000)
        let answer = try await load(stack(), "/twice")
        #expect(answer.head.origin == .resumed)
        #expect(answer.bytes == bytes)
    }
}
