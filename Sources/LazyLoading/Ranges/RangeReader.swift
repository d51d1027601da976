public import LazyBytes

/// Bytes of a remote resource, fetched in ranges where they are read.
///
/// Blocks that have been read are kept, up to a bound; reading on in sequence asks for more at a
/// time. The server must keep to one version: where its validators or the size change on the way,
/// every read throws `.changed`. Dropping the reader ends its requests.
public final class RangeReader: Sendable {
    /// What the first answer tells.
    public enum Opening: Sendable {
        /// The server has ranges.
        case ranges(RangeReader)
        /// It has none, or not for this: its answer to the first request, to be read on.
        case whole(LoadResponse)
    }

    /// The bytes that the first request asks for.
    public static let firstCount = 1 << 16

    /// A store on disk keeps whole blocks of this size only.
    private static let blockSize = 1 << 16

    /// The number of bytes of the whole.
    public let count: Int
    /// The head of the first answer.
    public let head: ResponseHead
    /// The first bytes, at most `firstCount`.
    public let beginning: [UInt8]
    private let source: RangeSource
    private let store: RangeStore

    /// Asks for the first bytes and learns the size and whether there are ranges.
    ///
    /// Keeps at most `memory` bytes; beyond that the longest unused go. Who reads on and on has up to
    /// `ahead` bytes loaded before they are read. Throws what the loader
    /// throws, `.tooLarge` beyond the request's limit, and `.malformed` for an answer that is
    /// neither the range asked for nor the whole.
    public static func open(
        _ request: LoadRequest, loader: any DataLoading, memory: Int = 1 << 24, ahead: Int = 0
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
                    .status, "The server has no bytes where the first ones should be.", status: 416)
            }
            if head.status == 206 {
                throw LoadingError(
                    .malformed, "The server answered a request for a range with another one.",
                    status: 206)
            }
            return .whole(response)
        }
        if let most = request.maximumBytes, whole > most {
            throw LoadingError(
                .tooLarge, "The answer of \(whole) bytes is larger than \(most) bytes.")
        }
        let source = RangeSource(first, head, whole, loader)
        let bytes = try await source.collect(response, min(range.count, firstCount))
        return .ranges(RangeReader(source, head, bytes, memory: memory, ahead: ahead))
    }

    private init(
        _ source: RangeSource, _ head: ResponseHead, _ beginning: [UInt8], memory: Int,
        ahead: Int
    ) {
        self.source = source
        self.head = head
        self.beginning = beginning
        count = source.count
        // What one fetch brings must not drive itself out before it is read.
        store = RangeStore(
            RangePlan(count: source.count, blockSize: Self.blockSize, window: ahead),
            mostBytes: max(memory, ahead * 2, 1 << 21))
        _ = store.take(beginning, at: 0)
    }

    deinit { store.end(.cancelled) }

    /// The bytes that came over the network, those of the first request included.
    public var bytesRead: Int { source.counts.withLock { max(0, $0.bytes) } }

    /// The requests that were made of the loader, the first one included.
    public var requests: Int { source.counts.withLock { $0.requests } }

    /// Copies bytes from `offset` on and returns how many were there; 0 at the end.
    ///
    /// Blocks until all of them have come, or it is cancelled: never to be called on the cooperative
    /// pool. Any number of threads may read at once; what two of them want is fetched once.
    public func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer,
        cancellation: CancellationFlag? = nil
    ) throws(LoadingError) -> Int {
        guard offset >= 0, offset < count, !buffer.isEmpty else { return 0 }
        let length = min(buffer.count, count - offset)
        let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(length))
        let (source, store) = (source, store)
        return try store.read(at: offset, into: wanted, cancellation) { fetch in
            // Owned by the store, which cancels it with the last reader.
            Task { await source.run(fetch, into: store) }
        }
    }

    /// Ends all reads, those under way and those to come, with `.cancelled`.
    public func cancel() { store.end(.cancelled) }
}

extension LoadingError.Code {
    /// The resource has changed between two requests for parts of it.
    public static let changed = LoadingError.Code(rawValue: "changed")
}
