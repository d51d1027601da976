public import FoundationEssentials
public import LazyBase

/// Loads the bytes of a URL; the protocol of `HTTPLoader` and of the loaders that wrap it.
///
/// Caching, resuming and retrying are each a `DataLoading` around another. One with responses of its
/// own conforms to `StoredResponseLoading`, by which it answers where only caches may.
///
/// What has whole resources is a `BlobLoader`:
///
/// ```swift
/// let loader = BlobLoader { request in Blob(try await row(request.url.path)) }
/// ```
public protocol DataLoading: Sendable {
    /// Begins a load and returns when its head has arrived; the body is pulled.
    ///
    /// A content coding is decoded unless the request has its own `Accept-Encoding`; the head keeps
    /// its `Content-Encoding`. With a range no coding is requested.
    ///
    /// A status other than success is an error of code `.status`, except for 304 and 416 if the header
    /// fields of the request allow them. Cancelling the task ends the load.
    func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse
}

/// Loads whole resources by a closure, of which it serves ranges and limits.
///
/// An error that is no `LoadingError` fails the load with the code `.environment`.
public struct BlobLoader: DataLoading {
    private let data: @Sendable (LoadRequest) async throws -> Blob

    /// Makes a loader of a closure, which is called for each load.
    public init(_ data: @escaping @Sendable (LoadRequest) async throws -> Blob) { self.data = data }

    /// Calls the closure.
    public func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse {
        let blob: Blob
        do { blob = try await data(request) } catch let error as LoadingError {
            throw error
        } catch {
            if error is CancellationError { throw .cancelled }
            throw LoadingError(
                .environment, "\(request.url.shortLabel) cannot be loaded: \(error)",
                underlying: error)
        }
        return try LoadResponse(local: blob, for: request)
    }
}

extension DataLoading {
    /// The whole body of a load; one that a file or a store keeps is not read into memory.
    public func data(for request: LoadRequest) async throws -> Blob {
        let body = try await load(request).body
        var bytes: [UInt8] = []
        while let piece = try await body.next() {
            if body.stored == nil { bytes += piece }
        }
        return body.stored ?? Blob(bytes)
    }
}

/// The head of a response, and its body.
public struct LoadResponse: Sendable {
    /// The head.
    public var head: ResponseHead
    /// The body, which is pulled.
    public var body: LoadBody

    /// Makes a response.
    public init(head: ResponseHead, body: LoadBody) {
        self.head = head
        self.body = body
    }
}

/// The head of a response.
public struct ResponseHead: Sendable {
    /// The source of a response.
    public enum Origin: String, Sendable {
        /// The server, in full.
        case network
        /// The cache, fresh or by policy, without contacting the server.
        case store
        /// The cache, after validation by the server (304).
        case revalidated
        /// The cache, stale but allowed (`stale-while-revalidate`, `stale-if-error`).
        case stale
        /// A partial download, and the rest from the server (206).
        case resumed
        /// A file, a data: URL, memory or a pipe.
        case local
    }

    private struct Fields: Sendable {
        var url: URL
        var status: Int
        var headers: HTTPHeaders
        var expectedCount: Int?
        var contentRange: (range: Range<Int>, whole: Int?)?
        var origin: Origin
        var resumedCount: Int
        var isPrivate = false
    }

    /// The fields, held by one reference: a head is handed on many times.
    @CopyOnWrite private var fields: Fields

    /// The URL of the body, after redirects.
    public var url: URL {
        get { fields.url }
        set { fields.url = newValue }
    }
    /// The HTTP status; 200 for other schemes.
    public var status: Int {
        get { fields.status }
        set { fields.status = newValue }
    }
    /// The header fields.
    public var headers: HTTPHeaders {
        get { fields.headers }
        set { fields.headers = newValue }
    }
    /// The size of the body, if it is known.
    ///
    /// Unknown for a body whose content coding (gzip) is decoded.
    public var expectedCount: Int? {
        get { fields.expectedCount }
        set { fields.expectedCount = newValue }
    }
    /// For a 206: the range of the body, and the size of the whole resource if it is known.
    public var contentRange: (range: Range<Int>, whole: Int?)? {
        get { fields.contentRange }
        set { fields.contentRange = newValue }
    }
    /// The source of the response.
    public var origin: Origin {
        get { fields.origin }
        set { fields.origin = newValue }
    }
    /// The number of bytes from a partial download; 0 if there was none.
    public var resumedCount: Int {
        get { fields.resumedCount }
        set { fields.resumedCount = newValue }
    }

    /// Whether it came from an address that is not in the public Internet, as far as that is known.
    ///
    /// A response of a cache has what the server's had.
    package var isPrivate: Bool {
        get { fields.isPrivate }
        set { fields.isPrivate = newValue }
    }

    /// Makes a head.
    public init(
        url: URL, status: Int = 200, headers: HTTPHeaders = HTTPHeaders(),
        expectedCount: Int? = nil, contentRange: (range: Range<Int>, whole: Int?)? = nil,
        origin: Origin, resumedCount: Int = 0
    ) {
        fields = Fields(
            url: url, status: status, headers: headers, expectedCount: expectedCount,
            contentRange: contentRange, origin: origin, resumedCount: resumedCount)
    }
}

extension ResponseHead: Hashable {
    /// Whether two heads say the same.
    public static func == (left: ResponseHead, right: ResponseHead) -> Bool {
        let (a, b) = (left.fields, right.fields)
        return left._fields.isIdentical(to: right._fields)
            || (a.url == b.url && a.status == b.status && a.headers == b.headers
                && a.expectedCount == b.expectedCount && a.origin == b.origin
                && a.contentRange?.range == b.contentRange?.range
                && a.contentRange?.whole == b.contentRange?.whole
                && a.resumedCount == b.resumedCount)
    }

    /// Hashes the URL, the status and the header fields.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(status)
        hasher.combine(headers)
    }
}

/// The bytes of a response, pulled piece by piece by one consumer.
///
/// Read-ahead is bounded: a body that is not pulled pauses its transfer. Dropping the body, or
/// cancelling the pulling task, ends the load.
public final class LoadBody: Sendable {
    /// Returns the next piece, nil at the end.
    public typealias Pull = @Sendable () async throws(LoadingError) -> [UInt8]?

    private let pull: Pull
    private let storedBytes: @Sendable () -> Blob?
    private let end: @Sendable () -> Void

    /// Makes a body.
    ///
    /// - Parameters:
    ///   - stored: The bytes pulled so far, if a store keeps them.
    ///   - end: Called when the body is dropped; ends the load if it has not ended.
    ///   - pull: Returns the next piece, nil at the end; called by one task at a time.
    public init(
        stored: @escaping @Sendable () -> Blob? = { nil },
        end: @escaping @Sendable () -> Void = {}, pull: @escaping Pull
    ) {
        self.pull = pull
        storedBytes = stored
        self.end = end
    }

    /// Makes a body of a blob, in pieces of 256 KiB if it is not in memory.
    public convenience init(_ blob: Blob) {
        let position = Locked(0)
        self.init(stored: { blob }) { () async throws(LoadingError) in
            let offset = position.withLock { $0 }
            guard offset < blob.count else { return nil }
            if let bytes = blob.bytesInMemory {
                position.withLock { $0 = blob.count }
                return bytes
            }
            let piece = try await LoadBody.piece(of: blob, at: offset)
            if piece.isEmpty {
                throw LoadingError(
                    .truncated,
                    "The file ends at \(offset) of \(blob.count) bytes: it was truncated.")
            }
            position.withLock { $0 = offset + piece.count }
            return piece
        }
    }

    deinit { end() }

    /// The next piece, never empty; nil at the end.
    ///
    /// For one task at a time.
    public func next() async throws(LoadingError) -> [UInt8]? { try await pull() }

    /// The bytes pulled so far if a store or a file keeps them, so that no copy is needed.
    ///
    /// Complete when `next()` has returned nil.
    public var stored: Blob? { storedBytes() }

    /// All bytes; throws `.tooLarge` beyond a number of them.
    public func collect(atMost limit: Int? = nil) async throws(LoadingError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await next() {
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
            if let limit, bytes.count > limit {
                throw LoadingError(.tooLarge, "The response is larger than \(limit) bytes.")
            }
        }
        return bytes
    }

    private static func piece(
        of blob: Blob, at offset: Int
    ) async throws(LoadingError) -> [UInt8] {
        do {
            return try await BlockingPool.disk.run { () throws(SystemError) in
                try blob.bytes(at: offset, count: 1 << 18)
            }
        } catch {
            throw LoadingError(
                .environment, "Stored bytes cannot be read: \(error).", underlying: error)
        }
    }
}
