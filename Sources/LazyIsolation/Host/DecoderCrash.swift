internal import Glibc
internal import LazyBase
internal import LazyMedia

extension MediaSession {
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
