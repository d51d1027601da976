internal import LazyBase
internal import LazyMedia

/// Media that is open in a decoder, or the next one after it.
final class MediaSession: Sendable {
    let process: DecoderProcess
    /// What the process has libraries for.
    let loaded: MediaType
    /// The limit of its memory, in bytes.
    let memoryLimit: Int
    private let isOver = Locked(false)
    private let hasFault = Locked(false)
    /// One message at a time.
    private let sending = Locked(())

    init(_ process: DecoderProcess, for loaded: MediaType, memoryLimit: Int) {
        self.process = process
        self.loaded = loaded
        self.memoryLimit = memoryLimit
    }

    deinit { process.end() }

    /// Whether the process was ended, by whatever.
    var hasEnded: Bool { isOver.withLock { $0 } }

    /// Whether no fault of it was told before; several readers are told of one.
    func isFirstFault() -> Bool {
        hasFault.withLock { hasFault in
            defer { hasFault = true }
            return !hasFault
        }
    }

    /// Kills the process.
    func end() {
        isOver.withLock { $0 = true }
        process.end()
    }

    /// Begins an operation on a channel of its own; `memory` is what frames are written into.
    func begin(
        _ operation: Operation, memory: FileDescriptor? = nil
    ) throws(ChannelError) -> Channel {
        let own: Channel
        let other: Channel
        do throws(SystemError) { (own, other) = try Channel.pair() } catch { throw .system(error) }
        own.limitSending(to: 30)
        try sending.withLock { _ throws(ChannelError) in
            try process.channel.send(
                HostMessage.begin(operation),
                with: [other.descriptor] + (memory.map { [$0.number] } ?? []))
        }
        return own
    }
}
