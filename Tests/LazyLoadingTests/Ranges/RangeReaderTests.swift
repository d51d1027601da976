import FoundationEssentials
import LazyBase
import LazyLoading
import Support
import Testing

/// Ranges of a resource from correct and incorrect servers.
@Suite struct RangeReaderTests {
    private static let size = 1_000_000
    private static let bytes: [UInt8] = {
        var random = SplitMix(3)
        return (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
    }()
    private static let pool = BlockingPool(width: 8)

    /// The response of a correct server, and a change of it.
    private static func answer(
        _ request: LoadRequest, etag: String? = "\"one\"", date: String? = nil
    ) -> ScriptedLoader.Answer {
        guard case .bytes(let asked)? = request.range else { return .init([bytes]) }
        let range = asked.clamped(to: 0..<size)
        var headers = HTTPHeaders()
        headers["ETag"] = etag
        headers["Last-Modified"] = date
        let head = ResponseHead(
            url: request.url, status: 206, headers: headers, expectedCount: range.count,
            contentRange: (range, size), origin: .network)
        let middle = range.lowerBound + range.count / 3
        return .init(
            [Array(bytes[range.lowerBound..<middle]), Array(bytes[middle..<range.upperBound])]
                .filter { !$0.isEmpty }, head: head)
    }

    /// A correct server whose answers after the first wait for a second.
    private static func waiting(for clock: ManualClock) -> ScriptedLoader {
        ScriptedLoader { request in
            var answer = answer(request)
            if request.headers["If-Range"] != nil {
                answer.gate = { _ in try? await clock.sleep(until: .seconds(1)) }
            }
            return answer
        }
    }

    private static let address = URL(string: "http://127.0.0.1/clip.mp4").unsafelyUnwrapped

    private func open(
        _ loader: ScriptedLoader, _ request: LoadRequest = LoadRequest(url: address),
        memory: Int = 1 << 24
    ) async throws -> RangeReader {
        guard
            case .ranges(let reader) = try await RangeReader.open(
                request, loader: loader, memory: memory)
        else { throw LoadingError(.malformed, "no ranges") }
        return reader
    }

    private func read(
        _ reader: RangeReader, _ range: Range<Int>, _ flag: CancellationFlag? = nil
    ) async throws(LoadingError) -> [UInt8] {
        try await Self.pool.run { () throws(LoadingError) -> [UInt8] in
            var buffer = [UInt8](repeating: 0, count: range.count)
            let result = buffer.withUnsafeMutableBytes { buffer in
                Result { () throws(LoadingError) in
                    try reader.read(at: range.lowerBound, into: buffer, cancellation: flag)
                }
            }
            return Array(buffer.prefix(try result.get()))
        }
    }

    @Test func `any reads give the bytes of the file`() async throws {
        for memory in [0, 1 << 24] {
            let loader = ScriptedLoader { Self.answer($0) }
            let reader = try await open(loader, memory: memory)
            #expect(reader.count == Self.size)
            var random = SplitMix(5)
            for _ in 0..<60 {
                let start = Int.random(in: 0..<Self.size + 10, using: &random)
                let count = Int.random(in: 0..<200_000, using: &random)
                let got = try await read(reader, start..<start + count)
                let wanted = Self.bytes[min(start, Self.size)..<min(start + count, Self.size)]
                #expect(got == Array(wanted))
            }
            #expect(reader.requests == loader.requests.count)
            #expect(loader.live == 0)
        }
    }

    @Test func `small reads fetch little, and nothing twice`() async throws {
        let loader = ScriptedLoader { Self.answer($0) }
        let reader = try await open(loader)
        #expect(reader.bytesRead == 65_536)
        _ = try await read(reader, 100..<5000)
        #expect(reader.requests == 1)
        _ = try await read(reader, 500_000..<500_010)
        _ = try await read(reader, 500_020..<500_030)
        #expect(reader.requests == 2)
        #expect(reader.bytesRead == 131_072)
        #expect(try await read(reader, 999_990..<1_100_000).count == 10)
        #expect(reader.bytesRead == 131_072 + Self.size % 65_536)
        #expect(loader.requests.last?.range == .bytes(983_040..<1_000_000))
        #expect(loader.requests.last?.headers["If-Range"] == "\"one\"")
    }

    @Test func `sequential reading takes few requests`() async throws {
        let loader = ScriptedLoader { Self.answer($0) }
        let reader = try await open(loader)
        var all: [UInt8] = []
        while all.count < Self.size {
            all += try await read(reader, all.count..<all.count + 10_000)
        }
        #expect(all == Self.bytes)
        #expect(reader.requests <= 7)
        #expect(reader.bytesRead == Self.size)
    }

    @Test func `what is going to be read takes one request`() async throws {
        let loader = ScriptedLoader { Self.answer($0) }
        let reader = try await open(loader)
        reader.willRead(10..<900_000)
        for start in stride(from: 0, to: 880_000, by: 80_000).reversed() {
            let range = start..<start + 10_000
            #expect(try await read(reader, range) == Array(Self.bytes[range]))
        }
        let asked: [ByteRange?] = [.bytes(0..<65_536), .bytes(65_536..<917_504)]
        #expect(loader.requests.map(\.range) == asked)
        // What is there, or beyond the end, is not requested.
        reader.willRead(10..<900_000)
        reader.willRead(Self.size..<Self.size + 10)
        _ = try await read(reader, 0..<900_000)
        #expect(reader.requests == 2)
    }

    @Test func `a failure of what was to be read is that of the read, which may be repeated`()
        async throws
    {
        let isWrong = Locked(true)
        let loader = ScriptedLoader { request in
            var answer = Self.answer(request)
            if request.headers["If-Range"] != nil, isWrong.withLock({ $0 }) {
                answer.failure = LoadingError(.reset, "The connection was lost.")
            }
            return answer
        }
        let reader = try await open(loader)
        reader.willRead(300_000..<600_000)
        let error = await #expect(throws: LoadingError.self) {
            try await read(reader, 500_000..<500_010)
        }
        #expect(error?.code == .reset)
        isWrong.withLock { $0 = false }
        #expect(
            try await read(reader, 500_000..<500_010) == Array(Self.bytes[500_000..<500_010]))
    }

    @Test func `a reader that is dropped ends what it fetched ahead`() async throws {
        let clock = ManualClock()
        let loader = Self.waiting(for: clock)
        var reader: RangeReader? = try await open(loader)
        reader?.willRead(300_000..<600_000)
        await clock.waitForSleepers()
        reader = nil
        while loader.live > 0 { await Task.yield() }
    }

    @Test func `concurrent readers fetch a block once`() async throws {
        let loader = ScriptedLoader { Self.answer($0) }
        let reader = try await open(loader)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for task in 0..<40 {
                group.addTask {
                    let start = 300_000 + task % 4 * 20_000
                    let range = start..<start + 30_000
                    return try await read(reader, range) == Array(Self.bytes[range])
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        let asked = loader.requests.flatMap { request -> [Int] in
            guard case .bytes(let range)? = request.range else { return [] }
            return Array(range.lowerBound / 65_536..<(range.upperBound + 65_535) / 65_536)
        }
        #expect(asked.count == Set(asked).count)
    }

    @Test func `a server without ranges returns the whole response`() async throws {
        let loader = ScriptedLoader { _ in .init([Self.bytes]) }
        let opening = try await RangeReader.open(
            LoadRequest(url: Self.address), loader: loader)
        guard case .whole(let response) = opening else { throw LoadingError(.malformed, "") }
        #expect(try await response.body.collect() == Self.bytes)
        #expect(loader.requests.count == 1)
    }

    @Test func `compressed ranges are refused`() async throws {
        let loader = ScriptedLoader { request in
            var answer = Self.answer(request)
            answer.head?.headers["Content-Encoding"] = "gzip"
            return answer
        }
        await #expect(throws: LoadingError.self) { try await open(loader) }
    }

    @Test func `a first response with another range is refused`() async throws {
        let loader = ScriptedLoader { request in
            var answer = Self.answer(request)
            answer.head?.contentRange = (5..<65_541, Self.size)
            return answer
        }
        let error = await #expect(throws: LoadingError.self) { try await open(loader) }
        #expect(error?.code == .malformed)
    }

    /// The change of the second response, and the code of the error.
    @Test(arguments: [
        ("status", LoadingError.Code.changed), ("etag", .changed), ("size", .changed),
        ("place", .malformed), ("short", .truncated), ("reset", .reset), ("date", .changed),
    ]) func `wrong responses have different errors`(what: String, code: LoadingError.Code)
        async throws
    {
        let isWrong = Locked(false)
        let loader = ScriptedLoader { request in
            var answer = Self.answer(
                request, etag: what == "date" ? nil : "\"one\"",
                date: "Mon, 01 Jan 2024 00:00:00 GMT")
            guard isWrong.withLock({ $0 }) else { return answer }
            switch what {
            case "status":
                answer = .init([Self.bytes])
            case "etag": answer.head?.headers["ETag"] = "\"two\""
            case "date": answer.head?.headers["Last-Modified"] = "Tue, 02 Jan 2024 00:00:00 GMT"
            case "size": answer.head?.contentRange?.whole = Self.size + 1
            case "place": answer.head?.contentRange = (7..<9, Self.size)
            case "short": answer.pieces = [Array(answer.pieces[0].prefix(9))]
            default: answer.failure = LoadingError(.reset, "The connection was lost.")
            }
            return answer
        }
        let reader = try await open(loader)
        isWrong.withLock { $0 = true }
        let error = await #expect(throws: LoadingError.self) {
            try await read(reader, 400_000..<400_010)
        }
        #expect(error?.code == code)
        #expect(loader.live == 0)
        isWrong.withLock { $0 = false }
        // What may heal is tried again; another version of the file stays one.
        if code == .changed {
            await #expect(throws: LoadingError.self) { try await read(reader, 0..<10) }
        } else {
            let again = try await read(reader, 400_000..<400_010)
            #expect(again == Array(Self.bytes[400_000..<400_010]))
        }
    }

    /// What a server sends for ranges after the first: `answer` is the right one.
    @Test(arguments: [
        "whole as a part", "whole", "from earlier on", "20 000 bytes", "broken off", "shorter",
    ]) func `a server that sends more or less than a range is read all the same`(
        what: String
    ) async throws {
        let loader = ScriptedLoader { request in
            var answer = Self.answer(request)
            guard case .bytes(let asked)? = request.range, asked.lowerBound > 0 || what == "shorter"
            else { return answer }
            let range = asked.clamped(to: 0..<Self.size)
            switch what {
            case "whole as a part":
                answer.head?.contentRange?.range = 0..<Self.size
                answer.pieces = [Self.bytes]
            case "whole":
                answer.head?.status = 200
                answer.head?.contentRange = nil
                answer.head?.expectedCount = Self.size
                answer.pieces = [Self.bytes]
            case "from earlier on":
                let wider = range.lowerBound - 3001..<range.upperBound
                answer.head?.contentRange?.range = wider
                answer.pieces = [Array(Self.bytes[wider])]
            case "20 000 bytes":
                let part = range.lowerBound..<min(range.upperBound, range.lowerBound + 20_000)
                answer.head?.contentRange?.range = part
                answer.pieces = [Array(Self.bytes[part])]
            case "broken off":
                answer.pieces = [Array(Self.bytes[range].prefix(5_000))]
                answer.bodyFailure = LoadingError(.reset, "The connection was lost.")
            default:
                answer.pieces = [Array(Self.bytes[range].dropLast(range.count > 2_000 ? 1_000 : 0))]
            }
            return answer
        }
        let reader = try await open(loader)
        for range in [900_000..<900_010, 100..<70_000, 400_000..<560_000, 999_999..<1_000_005] {
            let wanted = Array(Self.bytes[range.clamped(to: 0..<Self.size)])
            #expect(try await read(reader, range) == wanted)
        }
        // What is sent anyway is kept.
        if what.hasPrefix("whole") { #expect(loader.requests.count == 2) }
        while loader.live > 0 { await Task.yield() }
    }

    @Test func `weak validators are compared but not sent`() async throws {
        let loader = ScriptedLoader { Self.answer($0, etag: "W/\"one\"", date: "some day") }
        let reader = try await open(loader)
        _ = try await read(reader, 400_000..<400_010)
        #expect(loader.requests.last?.headers["If-Range"] == nil)
        let dated = ScriptedLoader { Self.answer($0, etag: nil, date: "some day") }
        _ = try await read(try await open(dated), 400_000..<400_010)
        #expect(dated.requests.last?.headers["If-Range"] == "some day")
    }

    @Test(arguments: ["flag", "reader", "answer"])
    func `a blocked read ends with its flag, its reader or the response`(
        how: String
    ) async throws {
        let clock = ManualClock()
        let loader = Self.waiting(for: clock)
        let reader = try await open(loader)
        let flag = CancellationFlag()
        async let blocked = read(reader, 400_000..<400_010, flag)
        await clock.waitForSleepers()
        switch how {
        case "flag": flag.cancel()
        case "reader": reader.cancel()
        default: clock.advance(by: .seconds(2))
        }
        if how == "answer" {
            #expect(try await blocked == Array(Self.bytes[400_000..<400_010]))
        } else {
            do {
                _ = try await blocked
                Issue.record("it was not ended")
            } catch {
                #expect((error as? LoadingError)?.code == .cancelled)
            }
        }
    }

    @Test func `an oversized resource is refused at once`() async throws {
        var request = LoadRequest(url: Self.address)
        request.maximumBytes = 999_999
        let loader = ScriptedLoader { Self.answer($0) }
        let error = await #expect(throws: LoadingError.self) { try await open(loader, request) }
        #expect(error?.code == .tooLarge)
        #expect(loader.live == 0)
    }

    @Test func `an impossible size from a server does not trap`() async throws {
        let loader = ScriptedLoader { request in
            guard case .bytes(let range)? = request.range else { return .init([[1]]) }
            let head = ResponseHead(
                url: request.url, status: 206, expectedCount: range.count,
                contentRange: (range, .max), origin: .network)
            return .init([[UInt8](repeating: 7, count: range.count)], head: head)
        }
        let reader = try await open(loader)
        #expect(reader.count == .max)
        #expect(
            try await read(reader, .max - 100 ..< .max - 50) == [UInt8](repeating: 7, count: 50))
    }

    @Test func `a range that is refused is an error, not the file`() async throws {
        let loader = ScriptedLoader { request in
            .init([[1, 2]], head: ResponseHead(url: request.url, status: 416, origin: .network))
        }
        do throws(LoadingError) {
            _ = try await RangeReader.open(LoadRequest(url: Self.address), loader: loader)
            Issue.record("it was opened")
        } catch { #expect(error.status == 416) }
    }
}
