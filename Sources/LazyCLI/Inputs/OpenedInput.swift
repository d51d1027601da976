internal import LazyBase
internal import LazyKit
internal import LazyMedia

/// Which part of an input will be used, so that only its bytes are loaded.
enum InputPart: Sendable {
    /// All frames.
    case all
    /// One image, or the metadata.
    case glance
    /// Frames in order while they play, and those after seeking.
    case playing
    /// All frames in order, each as soon as it is there.
    case frames
}

/// Opened media, and the transfer for it.
struct OpenedInput: Sendable {
    var sequence: FrameSequence
    /// The transfer of a remote input.
    let transfer: Transfer?
    /// The size of a local input.
    var localByteCount: Int?
    /// Whether it goes on, so that nothing can be counted to its end.
    var isUnending = false

    /// The size of the input, if it is known.
    var byteCount: Int? { localByteCount ?? transfer?.total }

    /// Opens another track, whose size is the input's from then on; blocks while its header is read.
    mutating func select(
        _ track: MediaTrack, _ decoders: DecoderRegistry
    ) throws(MediaError) {
        guard track != .main else { return }
        if track == .motion, let film = sequence.info.motion {
            OutputStream.silenceStderr(reading: film.type)
            localByteCount = film.range.count
        }
        sequence = try sequence.track(track, openedBy: decoders)
    }
}

/// The transfer of one input.
struct Transfer: Sendable {
    /// `network`, `store`, `revalidated`, `stale`, `resumed` or `ranges`.
    let origin: String
    /// The total size, if it is known.
    let total: Int?
    /// The number of bytes loaded so far.
    let bytesRead: @Sendable () -> Int
}
