internal import Glibc
internal import LazyBase
internal import LazyMedia

/// The channels by which threads ask their host for bytes.
enum ByteRequests {
    /// A channel, and what came by it while bytes were awaited.
    final class Current: Sendable {
        let channel: Channel
        // One exchange at a time, also of threads that help the one that owns the channel.
        private let exchange = Locked(())
        private let early = Locked<[Channel.Packet]>([])

        init(_ channel: Channel) { self.channel = channel }

        /// Asks for bytes; other messages are kept for `next()`.
        func bytes(_ count: Int, at offset: Int) throws(MediaError) -> [UInt8] {
            try exchange.withLock { _ throws(MediaError) in
                do {
                    try channel.send(DecoderMessage.needsBytes(offset: offset, count: count))
                    while true {
                        let packet = try channel.receive(atMost: 1 << 24, descriptors: 2)
                        var reader = MessageReader(packet.bytes)
                        switch try reader.field(HostMessage.self) {
                        case .bytes(let bytes): return bytes
                        case .noBytes(let error): throw error
                        default: early.withLock { $0.append(packet) }
                        }
                    }
                } catch let error as MediaError {
                    throw error
                } catch {
                    throw .cancelled
                }
            }
        }

        /// Tells the host that a range is going to be read.
        func willRead(_ range: Range<Int>) {
            // What is not announced is read all the same.
            exchange.withLock { _ in try? channel.send(DecoderMessage.willRead(range)) }
        }

        /// The next message of the host.
        func next() throws -> (message: HostMessage, descriptors: [FileDescriptor]) {
            let kept = early.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            let packet = try kept ?? channel.receive(atMost: 1 << 24, descriptors: 2)
            var reader = MessageReader(packet.bytes)
            return (try reader.field(), packet.descriptors)
        }

        /// The next message, while threads that help the one that owns the channel may ask for bytes.
        func answer() throws -> HostMessage { try exchange.withLock { _ in try next().message } }

        /// Whether `next()` would not block.
        var hasMessage: Bool { early.withLock { !$0.isEmpty } || channel.hasMessage }
    }

    /// The channels of the threads of this process.
    static let channels = Channels()

    /// Which thread has which channel.
    final class Channels: Sendable {
        private let all = Locked<[(thread: pthread_t, current: Current)]>([])

        /// Makes a channel that of this thread until the end of a closure.
        func use<Result>(_ current: Current, _ body: () -> Result) -> Result {
            let thread = pthread_self()
            all.withLock { $0.append((thread, current)) }
            defer {
                all.withLock { $0.removeAll { $0.current === current } }
            }
            return body()
        }

        /// This thread's channel; a thread that helps another takes that of the latest operation.
        var current: Current? {
            let thread = pthread_self()
            return all.withLock { all in
                (all.last { pthread_equal($0.thread, thread) != 0 } ?? all.last)?.current
            }
        }
    }
}

/// Bytes that the host reads, range by range.
final class RequestedBytes: RangedBytes {
    let count: Int
    let isRemote: Bool
    let isPartial: Bool
    let fetchesRanges: Bool
    let arrived: Int?
    private let whole = WholeBytes()

    init(_ source: SourceDescription) {
        arrived = source.arrived
        count = source.count
        isRemote = source.isRemote
        isPartial = source.isPartial
        fetchesRanges = source.fetchesRanges
    }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        guard offset >= 0, offset < count, !buffer.isEmpty else { return 0 }
        guard let current = ByteRequests.channels.current else { throw .cancelled }
        let bytes = try current.bytes(
            min(buffer.count, count - offset, Channel.maxBytes), at: offset)
        guard bytes.count <= buffer.count else { return 0 }
        buffer.copyBytes(from: bytes)
        return bytes.count
    }

    func willRead(_ range: Range<Int>) {
        // The host has local bytes at once, and no use for the message.
        if isRemote { ByteRequests.channels.current?.willRead(range.clamped(to: 0..<count)) }
    }

    func contiguous() throws(MediaError) -> MemoryBytes { try whole.bytes(of: self) }
}

/// Bytes whose descriptor the host has sent.
final class SentBytes: ByteSource {
    private let file: FileDescriptor
    let count: Int
    let isRemote: Bool
    let isPartial: Bool
    private let whole = WholeBytes()

    private init(_ file: FileDescriptor, _ source: SourceDescription) {
        self.file = file
        count = source.count
        isRemote = source.isRemote
        isPartial = source.isPartial
    }

    /// The source of a description; a file is one also for those who ask.
    static func source(_ file: FileDescriptor, _ source: SourceDescription) -> any ByteSource {
        if source.kind == .file, !source.isRemote, !source.isPartial {
            return FileBytes(adopting: dup(file.number), count: source.count)
        }
        return SentBytes(file, source)
    }

    func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        guard offset >= 0, offset < count else { return 0 }
        let part = UnsafeMutableRawBufferPointer(
            rebasing: buffer.prefix(min(buffer.count, count - offset)))
        do throws(SystemError) { return try file.read(at: offset, into: part) } catch {
            throw error.mediaError("read", "the input")
        }
    }

    func contiguous() throws(MediaError) -> MemoryBytes { try whole.bytes(of: self) }
}
