internal import LazyBase
internal import LazyMedia

extension IsolatedMedia {
    func frameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        guard let index = try index(.exact, cancellation) else {
            throw .decoderCrashed("told of no frames")
        }
        return index
    }

    func containerIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex {
        guard let index = try index(.container, cancellation) else {
            throw .decoderCrashed("told of no frames")
        }
        return index
    }

    func cheapFrameIndex(_ cancellation: CancellationFlag) throws(MediaError) -> FrameIndex? {
        try index(.cheap, cancellation)
    }

    private func index(
        _ kind: IndexKind, _ cancellation: CancellationFlag
    ) throws(MediaError) -> FrameIndex? {
        try exchanging(.index(kind), nil, cancellation) { (exchange) throws(MediaError) in
            // A decoder cannot make this process hold more than reading it here would.
            let most = min(limits.memory ?? 1 << 30, 1 << 30)
            switch try exchange.answer(atMost: most) {
            case .index(let index):
                guard index != nil || kind == .cheap else { throw exchange.unexpected() }
                return index
            case .failed(_, let error, _): throw error
            default: throw exchange.unexpected()
            }
        }
    }

    func makeReader(_ options: ReaderOptions) throws(MediaError) -> any FrameReader {
        try options.limits.check(canvas: options.size ?? info.size)
        let reader = IsolatedReader(self, options)
        try reader.begin()
        return reader
    }

    func embeddedPoster(_ options: ReaderOptions) throws(MediaError) -> Bitmap? {
        try exchanging(.poster(options), options.limits.decodeTime, options.cancellation) {
            (exchange) throws(MediaError) in
            try exchange.offeredPicture(options.limits)?.bitmap()
        }
    }

    func motionFilm() throws(MediaError) -> any ByteSource {
        if let film = info.motion { return ByteSlice(bytes, film.range) }
        if let warning = info.motionWarning { throw MediaError(.malformed, warning.message) }
        throw .noFilm
    }

    func soundTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) throws(MediaError) -> (any SoundTrack)? {
        let format = try exchanging(.sound(choice), nil, cancellation) {
            (exchange) throws(MediaError) in try exchange.soundFormat()
        }
        return format.map { IsolatedSound(media: self, choice: choice, format: $0) }
    }

    func subtitleTrack(
        _ choice: TrackChoice, _ cancellation: CancellationFlag
    ) throws(MediaError) -> SubtitleTrack {
        let fontBytes = min(limits.fontBytes ?? Self.maxFontBytes, Self.maxFontBytes)
        return try exchanging(.subtitles(choice), nil, cancellation) {
            (exchange) throws(MediaError) in
            // Text, fonts, and the numbers of each line.
            let most =
                SubtitleTrack.maxBytes + fontBytes + 24 * SubtitleTrack.maxLines + (1 << 20)
            switch try exchange.answer(atMost: most) {
            case .subtitles(let track):
                guard track.fonts.reduce(0, { $0 + $1.bytes.count }) <= fontBytes else {
                    throw exchange.unexpected()
                }
                return track
            case .failed(_, let error, _): throw error
            default: throw exchange.unexpected()
            }
        }
    }

    private static let maxFontBytes = 1 << 28
}

extension Exchange {
    /// A picture whose size was not known before.
    struct OfferedPicture {
        let offer: PictureOffer
        let memory: SharedMemory

        /// A copy of the pixels.
        func bitmap() throws(MediaError) -> Bitmap {
            try memory.bitmap(offer.size, isOpaque: offer.isOpaque)
        }
    }

    /// Receives an offer, checks it, and sends memory for the picture.
    func offeredPicture(_ limits: DecodingLimits) throws(MediaError) -> OfferedPicture? {
        let offer: PictureOffer
        switch try answer() {
        case .picture(let some?): offer = some
        case .picture(nil): return nil
        case .failed(_, let error, _): throw error
        default: throw unexpected()
        }
        try limits.check(canvas: offer.size)
        let count = offer.layout == .deep ? offer.size.deepByteCount : offer.size.rgbaByteCount
        let (memory, file) = try SharedMemory.make(byteCount: count)
        try send(.takePicture, with: [file.number])
        switch try answer() {
        case .done: return OfferedPicture(offer: offer, memory: memory)
        case .failed(_, let error, _): throw error
        default: throw unexpected()
        }
    }

    /// The answer to the question for sound.
    func soundFormat() throws(MediaError) -> SoundFormat? {
        switch try answer() {
        case .sound(let format): return format
        case .failed(_, let error, _): throw error
        default: throw unexpected()
        }
    }
}
