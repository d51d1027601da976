public import LazyLoading
public import LazyMedia

/// Opens a remote clip to be read in ranges, so that a poster costs only the bytes it needs.
public protocol RemoteOpening: Sendable {
    /// Asks the server for the beginning of the bytes and makes a source that fetches the rest.
    ///
    /// Cancelling the task ends the request.
    func open(_ request: LoadRequest) async throws(LoadingError) -> RemoteOpened
}

/// What comes of asking for the beginning of a remote clip.
public enum RemoteOpened: Sendable {
    /// It can be read where the decoder asks for bytes.
    case ranges(RemoteMedia)
    /// The server has no ranges and has begun to send all of it: to be read on, not asked for again.
    case whole(LoadResponse)
    /// The whole is to be loaded as usual: that costs less, or the answer was no use.
    case usual
}

/// A remote clip that is read where the decoder asks for bytes.
public struct RemoteMedia: Sendable {
    /// The bytes, fetched where they are asked for.
    public let bytes: any ByteSource
    /// What the bytes are, by their beginning.
    public let type: MediaType
    /// The head of the first answer.
    public let head: ResponseHead
    /// How many bytes came over the network so far.
    public var bytesRead: @Sendable () -> Int

    /// Makes a description of an opened clip.
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
