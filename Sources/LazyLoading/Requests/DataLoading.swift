public import FoundationEssentials
public import LazyBytes

/// Loads bytes from an address; the role of `HTTPLoader` and of every loader around it.
///
/// Loaders wrap loaders: caching, resuming and retrying are each a `DataLoading` around another.
public protocol DataLoading: Sendable {
    /// Begins a load and returns once its head is there; the body is pulled.
    ///
    /// A content coding is undone, unless the request has an `Accept-Encoding` of its own; the head
    /// keeps its `Content-Encoding`. With a range no coding is asked for.
    ///
    /// A status that is no success is an error of code `.status`, except 304 and 416 for a request that
    /// asked for them by its own header fields. Cancelling the task ends the load.
    func load(_ request: LoadRequest) async throws(LoadingError) -> LoadResponse
}

/// The head of an answer, and its body to be pulled.
public struct LoadResponse: Sendable {
    /// What came before the body.
    public var head: ResponseHead
    /// The bytes.
    public var body: LoadBody

    /// Makes an answer.
    public init(head: ResponseHead, body: LoadBody) {
        self.head = head
        self.body = body
    }
}

/// What an answer tells before its body.
public struct ResponseHead: Sendable {
    /// Which part of the house answered.
    public enum Origin: String, Sendable {
        /// The server, in full.
        case network
        /// The store, fresh or by policy, without a word to the server.
        case store
        /// The store, after the server said that nothing has changed (304).
        case revalidated
        /// The store, stale but allowed (`stale-while-revalidate`, `stale-if-error`).
        case stale
        /// A partial of an earlier load, and the rest from the server (206).
        case resumed
        /// A file, a data: address, memory or a pipe.
        case local
    }

    /// The address of the bytes, after redirects.
    public var url: URL
    /// The status, 200 for what is not HTTP.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The number of bytes that the body will have in all, where it is known.
    ///
    /// Not known for a body whose content coding (gzip) is being undone.
    public var expectedCount: Int?
    /// For a 206: the place of the body in the whole, and the size of the whole where it is told.
    public var contentRange: (range: Range<Int>, whole: Int?)?
    /// Which part of the house answered.
    public var origin: Origin
    /// How many bytes came over the network before this body, for a body partly from a partial: 0.
    public var resumedCount: Int

    /// Makes a head.
    public init(
        url: URL, status: Int = 200, headers: HTTPHeaders = HTTPHeaders(),
        expectedCount: Int? = nil, contentRange: (range: Range<Int>, whole: Int?)? = nil,
        origin: Origin, resumedCount: Int = 0
    ) {
        self.url = url
        self.status = status
        self.headers = headers
        self.expectedCount = expectedCount
        self.contentRange = contentRange
        self.origin = origin
        self.resumedCount = resumedCount
    }
}

/// The bytes of an answer, pulled piece by piece by one consumer.
///
/// Nothing is read ahead without bound: a body that is not pulled stops its transfer. Dropping the
/// body, or cancelling the task that pulls, ends the load.
public final class LoadBody: Sendable {
    /// What makes the pieces: nil at the end.
    public typealias Pull = @Sendable () async throws(LoadingError) -> [UInt8]?

    private let pull: Pull
    private let storedBytes: @Sendable () -> Blob?
    private let end: @Sendable () -> Void

    /// Makes a body.
    ///
    /// - Parameters:
    ///   - stored: The bytes pulled so far as a store keeps them, if one does.
    ///   - end: Called when the body is dropped; ends the load if it has not ended.
    ///   - pull: Makes the next piece, nil at the end; called by one task at a time.
    public init(
        stored: @escaping @Sendable () -> Blob? = { nil },
        end: @escaping @Sendable () -> Void = {}, pull: @escaping Pull
    ) {
        self.pull = pull
        storedBytes = stored
        self.end = end
    }

    /// Makes a body of bytes at hand, in one piece where they are in memory, else in pieces of 256 KiB.
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
                    .truncated, "The bytes end at \(offset) of \(blob.count): the file was cut.")
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

    /// The bytes pulled so far, where a store or a file keeps them: no need to keep them twice.
    ///
    /// Whole once `next()` has returned nil. Nil where nobody keeps them.
    public var stored: Blob? { storedBytes() }

    /// All bytes; throws `.tooLarge` beyond a number of them.
    public func collect(atMost limit: Int? = nil) async throws(LoadingError) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await next() {
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
            if let limit, bytes.count > limit {
                throw LoadingError(.tooLarge, "The answer is larger than \(limit) bytes.")
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
