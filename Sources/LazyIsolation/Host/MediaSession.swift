internal import Glibc
internal import LazyBase
internal import LazyMedia

/// Media that is open in a decoder, or the next one after it.
final class MediaSession: Sendable {
    let process: DecoderProcess
    /// What the process has libraries for.
    let loaded: MediaType
    private let memoryLimit: Int
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

    /// What became of the decoder where a channel failed; ends it.
    func failure(_ error: ChannelError) -> MediaError {
        defer { end() }
        switch error {
        case .grammar(let sentence):
            return MediaError(
                .decoderCrashed, "The answers of the decoder make no sense: \(sentence)")
        case .timedOut: return .decoderIsSilent
        case .system(let error): return error.mediaError("ask", "the decoder")
        case .closed:
            return switch process.ending() {
            case .told(let end): failure(end)
            case .withItsProgram: .decoderKilled
            case nil: .decoderCrashed("ended")
            }
        }
    }

    private func failure(_ end: DecoderProcess.End) -> MediaError {
        if end.status < 0 {
            return SystemError(code: end.error).mediaError("start", "a decoder")
        }
        switch end.signal {
        case SIGXCPU: return .decoderIsSilent
        case SIGSYS:
            return .decoderCrashed("made a system call that decoding does not need, and was ended")
        // Its own limits end it by other signals.
        case SIGKILL: return OutOfMemoryKills.wasOne() ? .systemOutOfMemory : .decoderKilled
        case let signal?:
            // A failed allocation that nobody checked.
            return Int64(memoryLimit) > 0 && end.memory >= Int64(memoryLimit) / 10 * 9
                ? outOfMemory : .decoderCrashed("crashed with signal \(signal)")
        case nil: return .decoderCrashed("ended")
        }
    }

    private var outOfMemory: MediaError {
        MediaError(
            .limitExceeded, "Decoding this needs more memory than its process may have.",
            excess: .init(
                limit: "memory", allowed: Int64(memoryLimit), actual: Int64(memoryLimit) + 1))
    }
}

extension MediaError {
    static let decoderIsSilent = MediaError(
        .timedOut, "The decoder did not answer in time, and was ended.")

    static let decoderKilled = MediaError(
        .decoderKilled, "The process that decoded the media was killed from outside.")

    static let systemOutOfMemory = MediaError(
        .limitExceeded, "The system had no memory left for the process that decoded this.")

    static func decoderCrashed(_ what: String) -> MediaError {
        MediaError(.decoderCrashed, "The process that decoded the media \(what).")
    }
}
