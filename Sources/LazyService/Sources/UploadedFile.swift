internal import LazyBase
internal import LazyMedia

/// A file that a client sends as the source of a result: in memory while it is small, else on disk without a name.
public final class UploadedFile: Sendable {
    private struct State: ~Copyable {
        var spool = Spool()
        var digest = SHA256()
        var count = 0
    }

    private let limit: Int
    private let state = Locked(State())

    /// Makes an empty file of at most so many bytes.
    public init(limit: Int) { self.limit = limit }

    /// Adds bytes; throws where there are too many, or the disk is full.
    public func append(_ bytes: [UInt8]) throws {
        try state.withLock { (state) throws in
            state.count += bytes.count
            guard state.count <= limit else {
                throw ServiceError(413, "A file has at most \(limit) bytes.")
            }
            state.digest.update(bytes)
            try bytes.withUnsafeBytes { try state.spool.append($0) }
        }
    }

    /// The bytes, and what tells them from others; nothing is added after it.
    func finish() -> (digest: String, blob: Blob) {
        state.withLock { state in
            (state.digest.finish().hexadecimal(), state.spool.takeBlob())
        }
    }
}
