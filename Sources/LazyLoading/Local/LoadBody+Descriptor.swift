internal import Glibc
internal import LazyBytes

extension LoadBody {
    /// Makes a body of what a descriptor gives: standard input, a pipe, a terminal, a device.
    ///
    /// It is read when a piece is pulled, 256 KiB at the most, in a thread of its own pool; nothing is
    /// kept. Cancelling the task that pulls ends the wait. A stream without a byte throws `.empty`.
    ///
    /// - Parameters:
    ///   - descriptor: What is read, from where it stands.
    ///   - closes: Whether the descriptor is closed when the body is dropped.
    ///   - maximumBytes: The most bytes; beyond that `.tooLarge`.
    public convenience init(
        reading descriptor: Int32, closes: Bool = false, maximumBytes: Int? = nil
    ) {
        let stream = DescriptorStream(descriptor, closes: closes)
        let total = Locked(0)
        self.init { () async throws(LoadingError) in
            let piece = try await stream.next()
            let sum = total.withLock { sum in
                sum += piece?.count ?? 0
                return sum
            }
            if sum == 0 { throw LoadingError(.empty, "The stream has no bytes.") }
            if let maximumBytes, sum > maximumBytes {
                throw LoadingError(.tooLarge, "The stream is longer than \(maximumBytes) bytes.")
            }
            return piece
        }
    }
}

/// Reads a descriptor that may block for ever, so that cancelling ends the wait.
private final class DescriptorStream: Sendable {
    // Of its own: a pipe that nobody writes to must not hold up the disk.
    private static let pool = BlockingPool(width: 4)

    private let descriptor: CInt
    private let closes: Bool
    // A pipe of our own, written to when the wait is to end.
    private let wake: (reading: CInt, writing: CInt)

    init(_ descriptor: CInt, closes: Bool) {
        self.descriptor = descriptor
        self.closes = closes
        var ends: [CInt] = [-1, -1]
        if pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
        wake = (ends[0], ends[1])
    }

    deinit {
        if closes { close(descriptor) }
        for end in [wake.reading, wake.writing] where end >= 0 { close(end) }
    }

    func next() async throws(LoadingError) -> [UInt8]? {
        let result = await withTaskCancellationHandler {
            await Self.pool.run { self.read() }
        } onCancel: {
            var byte: UInt8 = 1
            _ = write(wake.writing, &byte, 1)
        }
        let piece = try result.get()
        return piece.isEmpty ? nil : piece
    }

    private func read() -> Result<[UInt8], LoadingError> {
        while true {
            var waits = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&waits, 2, -1) < 0 {
                if errno == EINTR { continue }
                return .failure(Self.failure(.last))
            }
            if waits[1].revents != 0 { return .failure(.cancelled) }
            var got = 0
            let piece = [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, filled in
                got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                filled = max(0, got)
            }
            if got >= 0 { return .success(piece) }
            if errno != EINTR, errno != EAGAIN { return .failure(Self.failure(.last)) }
        }
    }

    private static func failure(_ error: SystemError) -> LoadingError {
        LoadingError(.environment, "The stream cannot be read: \(error).", underlying: error)
    }
}
