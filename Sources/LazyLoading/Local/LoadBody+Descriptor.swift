internal import Glibc
package import LazyBase

extension LoadBody {
    /// Makes a body of what a descriptor gives: standard input, a pipe, a terminal, a device.
    ///
    /// Each pull reads up to 256 KiB on a thread; nothing is kept. Cancelling the pulling task ends
    /// the wait. A stream without a byte throws `.empty`.
    ///
    /// - Parameters:
    ///   - descriptor: Read from its current position.
    ///   - closes: Whether the descriptor is closed when the body is dropped.
    ///   - maximumBytes: The maximum number of bytes; beyond that `.tooLarge`.
    public convenience init(
        reading descriptor: Int32, closes: Bool = false, maximumBytes: Int? = nil
    ) {
        self.init(
            DescriptorStream(descriptor, owner: closes ? FileDescriptor(descriptor) : nil),
            maximumBytes)
    }

    /// Makes a body of a stream, whose descriptor is closed when the body is dropped.
    package convenience init(reading file: FileDescriptor, maximumBytes: Int?) {
        self.init(DescriptorStream(file.number, owner: file), maximumBytes)
    }

    private convenience init(_ stream: DescriptorStream, _ maximumBytes: Int?) {
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

/// Reads a descriptor that may block forever; cancelling ends the wait.
private final class DescriptorStream: Sendable {
    private let descriptor: CInt
    private let owner: FileDescriptor?
    // A pipe that is written to when the wait must end.
    private let wake: (reading: CInt, writing: CInt)

    init(_ descriptor: CInt, owner: FileDescriptor?) {
        self.descriptor = descriptor
        self.owner = owner
        var ends: [CInt] = [-1, -1]
        if pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
        wake = (ends[0], ends[1])
    }

    deinit { for end in [wake.reading, wake.writing] where end >= 0 { close(end) } }

    func next() async throws(LoadingError) -> [UInt8]? {
        let result = await withTaskCancellationHandler {
            await BlockingPool.pipes.run { self.read() }
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
