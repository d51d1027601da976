public import LazyLoading
public import LazyMedia

/// Opens a remote clip for reading by ranges, so that a poster costs only the bytes it needs.
public protocol RemoteOpening: Sendable {
    /// Requests the first bytes from the server and creates a source that fetches the rest.
    ///
    /// Cancelling the task cancels the request.
    func open(_ request: LoadRequest) async throws(LoadingError) -> RemoteOpened

    /// Creates a source of the parts of a clip whose download has begun, by the head of that response.
    ///
    /// For previews of what the download brings last. Sends no request until the source is read. Nil if the
    /// server announces no ranges or the type cannot be read by them.
    func open(
        _ type: MediaType, downloadedBy request: LoadRequest, _ head: ResponseHead
    ) -> RemoteMedia?
}

extension RemoteOpening {
    /// Nil: the clip has no preview by ranges.
    public func open(
        _ type: MediaType, downloadedBy request: LoadRequest, _ head: ResponseHead
    ) -> RemoteMedia? { nil }
}

/// The result of opening a remote clip.
public enum RemoteOpened: Sendable {
    /// The clip can be read by ranges.
    case ranges(RemoteMedia)
    /// The server does not support ranges and sends the whole file, which is to be read on.
    case whole(LoadResponse)
    /// The whole file is to be loaded, because ranges would cost more or are not possible.
    case usual
}

/// A remote clip that is read by ranges.
public struct RemoteMedia: Sendable {
    /// The bytes, fetched as they are read.
    public let bytes: any ByteSource
    /// The type, by the first bytes.
    public let type: MediaType
    /// The head of the first response.
    public let head: ResponseHead
    /// The number of bytes received so far.
    public var bytesRead: @Sendable () -> Int

    /// Creates a description of an opened clip.
    public init(
        bytes: any ByteSource, type: MediaType, head: ResponseHead,
        bytesRead: @escaping @Sendable () -> Int
    ) {
        self.bytes = bytes
        self.type = type
        self.head = head
        self.bytesRead = bytesRead
    }
}
