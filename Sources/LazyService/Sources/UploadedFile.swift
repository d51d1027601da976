internal import LazyBase
internal import LazyMedia

/// A file that a client sends as the source of a result: in memory while it is small, else on disk without a name.
public final class UploadedFile: Sendable {
    private struct State: ~Copyable {
        var spool = Spool()
        var digest = SHA256()
        var count = 0
        var fault: ServiceError?
    }

    private let limit: Int
    private let state = Locked(State())

    /// Makes an empty file of at most so many bytes.
    public init(limit: Int) { self.limit = limit }

    /// Adds bytes; throws where there are too many, or the disk is full.
    ///
    /// The answer to a request with such a file says why, so that nothing more has to be read of it.
    public func append(_ bytes: [UInt8]) throws {
        try state.withLock { (state) throws in
            state.count += bytes.count
            guard state.count <= limit else {
                let fault = ServiceError(413, "A file has at most \(limit) bytes.")
                state.fault = fault
                throw fault
            }
            state.digest.update(bytes)
            do { try bytes.withUnsafeBytes { try state.spool.append($0) } } catch {
                state.fault = ServiceError(507, "The file cannot be kept: \(error)")
                throw error
            }
        }
    }

    /// Why it was not taken.
    var fault: ServiceError? { state.withLock { $0.fault } }

    /// The bytes, and what tells them from others; nothing is added after it.
    func finish() -> (digest: String, blob: Blob) {
        state.withLock { state in
            (state.digest.finish().hexadecimal(), state.spool.takeBlob())
        }
    }
}
