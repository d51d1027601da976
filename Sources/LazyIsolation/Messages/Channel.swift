internal import CSandbox
internal import Glibc
internal import LazyBase

/// One end of a connection between a host and a decoder that keeps the bounds of messages.
///
/// A message is one packet or several: the first byte of a packet tells whether more follow. For one
/// reading and one writing thread at a time.
final class Channel: Sendable {
    /// The most bytes of the source in one message.
    static let maxBytes = 1 << 16
    private static let packetBytes = maxBytes + 256
    private static let maxDescriptors = 2

    let descriptor: CInt

    /// Takes ownership of a socket.
    init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Makes two connected ends.
    static func pair() throws(SystemError) -> (Channel, Channel) {
        var ends: [CInt] = [0, 0]
        if sandbox_pair(&ends) != 0 { throw .last }
        return (Channel(ends[0]), Channel(ends[1]))
    }

    /// A message, and what came with it.
    struct Packet {
        var bytes: [UInt8]
        var descriptors: [FileDescriptor]
    }

    /// Sends a message; waits while the other side does not read, at most as long as `limitSending` says.
    func send(
        _ field: some MessageField, with descriptors: [CInt] = []
    ) throws(ChannelError) {
        var writer = MessageWriter()
        writer.put(field)
        let bytes = writer.bytes
        var start = 0
        repeat {
            let end = min(bytes.count, start + Self.packetBytes - 1)
            var packet = [UInt8]()
            packet.reserveCapacity(end - start + 1)
            packet.append(end < bytes.count ? 1 : 0)
            packet += bytes[start..<end]
            let attached = start == 0 ? descriptors : []
            if sandbox_send(descriptor, packet, packet.count, attached, CInt(attached.count)) != 0 {
                throw ChannelError(sending: errno)
            }
            start = end
        } while start < bytes.count
    }

    /// Makes `send` throw `.timedOut` when the other side does not read for so long.
    func limitSending(to seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    /// The next message of at most so many bytes and descriptors; blocks, at most until a deadline.
    func receive(
        atMost most: Int, descriptors: Int = 0, deadline: ContinuousClock.Instant? = nil
    ) throws(ChannelError) -> Packet {
        var message = Packet(bytes: [], descriptors: [])
        while true {
            if let deadline { try pollfd.wait(for: descriptor, until: deadline) }
            if try receivePart(into: &message, most, descriptors) { return message }
        }
    }

    /// Whether `receive` would not block.
    var hasMessage: Bool {
        var polled = pollfd(descriptor: descriptor)
        return poll(&polled, 1, 0) > 0
    }

    /// Ends the connection: both sides see its end, also in calls that wait.
    func shutDown() { shutdown(descriptor, CInt(SHUT_RDWR)) }

    /// True for the last part.
    private func receivePart(
        into message: inout Packet, _ most: Int, _ maxDescriptors: Int
    ) throws(ChannelError) -> Bool {
        var numbers = [CInt](repeating: 0, count: Self.maxDescriptors)
        var count: CInt = 0
        var got = 0
        let packet = [UInt8](unsafeUninitializedCapacity: Self.packetBytes) { buffer, filled in
            got = sandbox_receive(
                descriptor, buffer.baseAddress, buffer.count, &numbers, CInt(maxDescriptors),
                &count)
            filled = max(0, got)
        }
        let error = errno
        message.descriptors += numbers.prefix(Int(count)).map { FileDescriptor($0) }
        guard got >= 0 else { throw ChannelError(receiving: error) }
        guard let more = packet.first else { throw .closed }
        guard more <= 1, packet.count - 1 <= most - message.bytes.count,
            message.descriptors.count <= maxDescriptors
        else { throw .grammar("A message is too long.") }
        if message.bytes.isEmpty, more == 0 {
            message.bytes = packet
            message.bytes.removeFirst()
        } else {
            message.bytes += packet.dropFirst()
        }
        return more == 0
    }
}

extension pollfd {
    /// Waits for something to read.
    init(descriptor: CInt) { self.init(fd: descriptor, events: Int16(POLLIN), revents: 0) }

    /// Blocks until there is something to read, or the end, whatever signals arrive; throws `.timedOut`.
    static func wait(
        for descriptor: CInt, until deadline: ContinuousClock.Instant
    ) throws(ChannelError) {
        while true {
            let left = deadline - .now
            guard left > .zero else { throw .timedOut }
            let milliseconds = min(left / .milliseconds(1), 60_000).rounded(.up)
            var polled = pollfd(descriptor: descriptor)
            let count = poll(&polled, 1, CInt(milliseconds))
            if count > 0 { return }
            if count < 0, errno != EINTR { throw .system(.last) }
        }
    }
}

/// Why a message did not go or come.
enum ChannelError: Error {
    /// The other side has ended.
    case closed
    /// The other side does not answer or read in time.
    case timedOut
    /// What came is no message.
    case grammar(String)
    /// A system call failed.
    case system(SystemError)

    fileprivate init(sending error: CInt) {
        switch error {
        case EPIPE, ECONNRESET, ENOTCONN: self = .closed
        case EAGAIN: self = .timedOut
        default: self = .system(SystemError(code: error))
        }
    }

    fileprivate init(receiving error: CInt) {
        switch error {
        case ECONNRESET: self = .closed
        case EMSGSIZE: self = .grammar("A message is too long, or has descriptors.")
        default: self = .system(SystemError(code: error))
        }
    }
}
