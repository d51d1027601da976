public import LazyBase

/// Bytes of a remote resource, fetched in ranges on demand.
///
/// Keeps blocks in memory up to a limit, and beyond that in a temporary file, so that no bytes are
/// fetched twice; sequential reads fetch larger ranges. If the validators or the size of the resource
/// change, every read throws `.changed`. Dropping the reader ends its requests.
public final class RangeReader: Sendable {
    /// The result of the first request.
    public enum Opening: Sendable {
        /// The server supports ranges.
        case ranges(RangeReader)
        /// The server does not support ranges: its response, to be read on.
        case whole(LoadResponse)
    }

    /// The number of bytes of the first request.
    public static let firstCount = 1 << 16

    /// The block size of stores on disk, which keep only whole blocks.
    private static let blockSize = 1 << 16

    /// The size of the resource.
    public let count: Int
    /// The head of the first response.
    public let head: ResponseHead
    /// The first bytes, at most `firstCount`; none where a download has them.
    public let beginning: [UInt8]
    private let source: RangeSource
    private let store: RangeStore

    /// Requests the first bytes, which determines the size and whether ranges are supported.
    ///
    /// Keeps at most `memory` bytes in memory; the least recently used beyond that go to a temporary
    /// file of at most `disk` bytes and half of the free space, which has no name. What finds no room
    /// there is fetched again. For sequential reads, up to `ahead` bytes are prefetched. Throws the
    /// errors of the loader, `.tooLarge` beyond the limit of the request, and `.malformed` for a
    /// response that is neither the requested range nor the whole.
    public static func open(
        _ request: LoadRequest, loader: any DataLoading, memory: Int = 1 << 24,
        disk: Int = 1 << 30, ahead: Int = 0
    ) async throws(LoadingError) -> Opening {
        try await open(
            request, loader: loader, memory: memory, ahead: ahead,
            spill: RangeSpill(maxBytes: disk))
    }

    /// The same with a temporary file of the caller.
    static func open(
        _ request: LoadRequest, loader: any DataLoading, memory: Int, ahead: Int = 0,
        spill: RangeSpill
    ) async throws(LoadingError) -> Opening {
        var first = request
        first.range = .bytes(0..<firstCount)
        let response = try await loader.load(first)
        let head = response.head
        let coding = head.headers["Content-Encoding"] ?? "identity"
        guard head.status == 206, let (range, whole) = head.contentRange, let whole,
            range.lowerBound == 0, coding.lowercased() == "identity"
        else {
            if head.status == 416 {
                throw LoadingError(
                    .status, "The server has no bytes at the beginning of the resource.",
                    status: 416)
            }
            if head.status == 206 {
                throw LoadingError(
                    .malformed, "The server responded with another range than the requested one.",
                    status: 206)
            }
            return .whole(response)
        }
        if let most = request.maximumBytes, whole > most {
            throw LoadingError(
                .tooLarge, "The response of \(whole) bytes is larger than \(most) bytes.")
        }
        let source = RangeSource(first, head, whole, loader)
        let bytes = try await source.collect(response, min(range.count, firstCount))
        return .ranges(RangeReader(source, head, bytes, memory: memory, ahead: ahead, spill))
    }

    /// Makes a reader of the parts of a resource whose download has begun, by the head of that response.
    ///
    /// Sends no request until it is read. Nil if the server announces no ranges or no size.
    package convenience init?(
        _ request: LoadRequest, during head: ResponseHead, loader: any DataLoading,
        memory: Int = 1 << 24, disk: Int = 1 << 30
    ) {
        guard head.status == 200, let count = head.expectedCount, count > 0,
            head.headers["Accept-Ranges"]?.lowercased() == "bytes",
            (head.headers["Content-Encoding"] ?? "identity").lowercased() == "identity"
        else { return nil }
        let source = RangeSource(request, head, count, loader, requests: 0)
        self.init(source, head, [], memory: memory, ahead: 0, RangeSpill(maxBytes: disk))
    }

    private init(
        _ source: RangeSource, _ head: ResponseHead, _ beginning: [UInt8], memory: Int,
        ahead: Int, _ spill: RangeSpill
    ) {
        self.source = source
        self.head = head
        self.beginning = beginning
        count = source.count
        // The blocks of one fetch must not evict each other before they are read.
        store = RangeStore(
            RangePlan(count: source.count, blockSize: Self.blockSize, window: ahead),
            maxBytes: max(memory, ahead * 2, 1 << 21), spill: spill)
        _ = store.take(beginning, at: 0)
    }

    deinit { store.end(.cancelled) }

    /// The number of bytes received from the network, including those of the first request.
    public var bytesRead: Int { source.counts.withLock { max(0, $0.bytes) } }

    /// The number of requests to the loader, including the first one.
    public var requests: Int { source.counts.withLock { $0.requests } }

    /// Copies bytes from `offset` and returns how many; 0 at the end.
    ///
    /// Blocks until all of them have arrived or it is cancelled: must not be called on the cooperative
    /// pool. Several threads may read concurrently; bytes that two of them need are fetched once.
    public func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer,
        cancellation: CancellationFlag? = nil
    ) throws(LoadingError) -> Int {
        guard offset >= 0, offset < count, !buffer.isEmpty else { return 0 }
        let length = min(buffer.count, count - offset)
        let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(length))
        let (source, store) = (source, store)
        return try store.read(at: offset, into: wanted, cancellation) { fetch in
            // The store owns the task and cancels it with the last reader.
            Task { await source.run(fetch, into: store) }
        }
    }

    /// Begins to fetch the missing parts of a range that is going to be read, each with one request.
    ///
    /// At most half of the memory for blocks, and eight parts at once. Returns at once; reads wait for what
    /// they need of it and throw its errors.
    public func willRead(_ range: Range<Int>) {
        let (source, store) = (source, store)
        guard !source.sendsMore.withLock({ $0 }) else { return }
        store.fetch(range) { fetch in Task { await source.run(fetch, into: store) } }
    }

    /// The answer to a request without a range: the first bytes, then the rest, which is asked for when they are read.
    package var whole: LoadResponse {
        var head = head
        head.contentRange = (0..<beginning.count, count)
        let first = LoadResponse(head: head, body: LoadBody(Blob(beginning)))
        return source.parts.completed(first, 0..<count, asWhole: true)
    }

    /// Ends all current and future reads with `.cancelled`.
    public func cancel() { store.end(.cancelled) }
}

extension LoadingError.Code {
    /// The resource changed between two requests for parts of it.
    public static let changed = LoadingError.Code(rawValue: "changed")
}
