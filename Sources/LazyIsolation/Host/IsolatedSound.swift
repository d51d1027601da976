internal import LazyBase
internal import LazyMedia

/// Sound whose packets are found in a process of its own.
struct IsolatedSound: SoundTrack {
    let media: IsolatedMedia
    let choice: TrackChoice
    let format: SoundFormat

    func makeReader(_ cancellation: CancellationFlag) throws(MediaError) -> any SoundReader {
        try IsolatedSoundReader(media, choice, format, cancellation)
    }
}

/// Reads packets; its decoder stays alive with it.
private final class IsolatedSoundReader: SoundReader {
    private let media: IsolatedMedia
    private let exchange: Exchange

    init(
        _ media: IsolatedMedia, _ choice: TrackChoice, _ format: SoundFormat,
        _ cancellation: CancellationFlag
    ) throws(MediaError) {
        self.media = media
        let session = try media.session(cancellation)
        do throws(MediaError) {
            exchange = try media.exchange(session, .sound(choice), nil, nil, cancellation)
            guard try exchange.soundFormat() == format else {
                throw exchange.broken("The sound is another one than before.")
            }
        } catch {
            media.release(session, after: error)
            throw error
        }
    }

    deinit { media.release(exchange.session) }

    func next() throws(MediaError) -> SoundPacket? {
        try exchange.send(.nextPacket)
        switch try exchange.answer() {
        case .packet(let packet): return packet
        case .failed(_, let error, _): throw error
        default: throw exchange.unexpected()
        }
    }
}
