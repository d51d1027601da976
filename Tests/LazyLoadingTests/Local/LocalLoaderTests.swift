import FoundationEssentials
import Glibc
import LazyBase
import LazyLoading
import Support
import Testing

@Suite struct LocalLoaderTests {
    private let network = ScriptedLoader { _ in .init([[1, 2, 3]]) }
    private var loader: LocalLoader { LocalLoader(next: network) }
    private let folder = Scratch()
    private let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 3) }

    private func request(_ text: String) throws -> LoadRequest {
        LoadRequest(url: try #require(URL(string: text)))
    }

    @Test func `a file is read in bounded pieces and is its own store`() async throws {
        let path = folder.write(bytes, "a b.bin")
        let answer = try await loader.load(
            request("file://\(path.replacing(" ", with: "%20"))"))
        #expect(answer.head.expectedCount == bytes.count)
        #expect(answer.head.origin == .local)
        #expect(try answer.body.stored?.bytes() == bytes)
        var all: [UInt8] = []
        while let piece = try await answer.body.next() {
            #expect(piece.count <= 1 << 18)
            all += piece
        }
        #expect(all == bytes)
        #expect(network.requests.isEmpty)
    }

    static let ranges: [(ByteRange, Range<Int>?)] = [
        (.from(0), 0..<700_000), (.from(699_999), 699_999..<700_000), (.from(700_000), nil),
        (.bytes(5..<10), 5..<10), (.bytes(699_990..<800_000), 699_990..<700_000),
        (.bytes(5..<5), nil), (.last(10), 699_990..<700_000), (.last(0), nil),
        (.last(1_000_000), 0..<700_000),
    ]

    @Test(arguments: ranges) func `a range of a file is a 206`(
        range: ByteRange, expected: Range<Int>?
    ) async throws {
        var request = try request("file://\(folder.write(bytes, "a"))")
        request.range = range
        guard let expected else {
            #expect(await failure { try await loader.load(request) }?.status == 416)
            return
        }
        let answer = try await loader.load(request)
        #expect(answer.head.status == 206)
        #expect(answer.head.contentRange?.range == expected)
        #expect(answer.head.contentRange?.whole == bytes.count)
        #expect(try await answer.body.collect() == Array(bytes[expected]))
        #expect(answer.body.stored?.count == expected.count)
    }

    @Test(arguments: [
        ("file:///no/such/file", LoadingError.Code.notFound), ("file:///tmp", .environment),
        ("file://elsewhere/a", .badAddress), ("data:;base64,Z", .badAddress), ("data:,", .empty),
        ("a/relative/path", .badAddress), ("file:///etc/passwd/x", .notFound),
    ]) func `errors name the cause`(text: String, code: LoadingError.Code) async throws {
        let request = try request(text)
        #expect(await failure { try await loader.load(request) }?.code == code)
    }

    @Test func `empty and oversized files are refused`() async throws {
        let empty = try request("file://\(folder.write([], "empty"))")
        #expect(await failure { try await loader.load(empty) }?.code == .empty)
        var large = try request("file://\(folder.write(bytes, "large"))")
        large.maximumBytes = bytes.count - 1
        #expect(await failure { try await loader.load(large) }?.code == .tooLarge)
        large.maximumBytes = bytes.count
        #expect(try await loader.load(large).body.collect().count == bytes.count)
    }

    @Test func `a file that is truncated during a read is an error`() async throws {
        let path = folder.write(bytes, "cut")
        let answer = try await loader.load(request("file://\(path)"))
        _ = try await answer.body.next()
        truncate(path, 300_000)
        #expect(await failure { try await answer.body.collect() }?.code == .truncated)
    }

    @Test func `data: URLs have a type and support ranges`() async throws {
        var request = try request("data:image/gif;base64,R0lGODlh")
        let whole = try await loader.load(request)
        #expect(whole.head.headers["content-type"] == "image/gif")
        #expect(try await whole.body.collect() == Array("GIF89a".utf8))
        request.range = .last(3)
        #expect(try await loader.load(request).body.collect() == Array("89a".utf8))
    }

    @Test func `a named pipe is read as a stream`() async throws {
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        let answer = try await loader.load(request("file://\(path)"))
        #expect(answer.head.expectedCount == nil)
        #expect(answer.body.stored == nil)
        let bytes = bytes
        async let written: Void = BlockingPool(width: 1).run {
            let descriptor = open(path, O_WRONLY)
            defer { close(descriptor) }
            var offset = 0
            while offset < bytes.count {
                offset += max(
                    0,
                    bytes[offset...].withUnsafeBytes {
                        write(descriptor, $0.baseAddress, $0.count)
                    })
            }
        }
        #expect(try await answer.body.collect() == bytes)
        await written
    }

    @Test func `cancelling the task ends the wait for a pipe`() async throws {
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[1]) }
        let body = LoadBody(reading: ends[0], closes: true)
        let task = Task { try await body.next() }
        task.cancel()
        #expect(await failure { try await task.value }?.code == .cancelled)
    }

    @Test func `endless and empty streams are refused`() async throws {
        var endless = try request("file:///dev/zero")
        endless.maximumBytes = 1_000_000
        let zeros = try await loader.load(endless)
        #expect(await failure { try await zeros.body.collect() }?.code == .tooLarge)
        let nothing = try await loader.load(request("file:///dev/null"))
        #expect(await failure { try await nothing.body.next() }?.code == .empty)
    }

    @Test func `a file in /proc is a stream`() async throws {
        let answer = try await loader.load(request("file:///proc/self/status"))
        #expect(try await answer.body.collect().starts(with: Array("Name:".utf8)))
    }

    @Test func `other requests are passed on`() async throws {
        let answer = try await loader.load(request("https://example.org/a"))
        #expect(try await answer.body.collect() == [1, 2, 3])
        #expect(network.requests.count == 1)
    }
}
