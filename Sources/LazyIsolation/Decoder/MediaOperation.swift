internal import Glibc
internal import LazyBase
internal import LazyMedia

/// One operation in a decoder, on a thread and a channel of its own.
final class MediaOperation: Sendable {
    let channel: Channel
    private let requests: ByteRequests.Current
    private let media: any OpenedMedia
    private let counts: KnownCounts
    private let cancellation: CancellationFlag
    private let memory: FileDescriptor?

    init(
        channel: Channel, media: any OpenedMedia, counts: KnownCounts,
        cancellation: CancellationFlag, memory: FileDescriptor?
    ) {
        self.counts = counts
        self.channel = channel
        self.media = media
        self.cancellation = cancellation
        self.memory = memory
        requests = ByteRequests.Current(channel)
    }

    /// Answers until the host closes the channel.
    func run(_ operation: Operation) {
        ByteRequests.channels.use(requests) {
            // An error is the end of the host, or one that does not keep the grammar.
            try? answer(operation)
        }
        channel.shutDown()
    }

    /// Sends an answer, and before it what the media has found out about itself.
    func send(_ answer: DecoderMessage) throws(ChannelError) {
        if let news = counts.news(media.info) { try channel.send(DecoderMessage.counted(news)) }
        try channel.send(answer)
    }

    private func answer(_ operation: Operation) throws {
        do {
            switch operation {
            case .frames(var options, let slots, let slotBytes):
                options.cancellation = cancellation
                try frames(options, slots, slotBytes)
            case .index(let kind): try send(.index(try index(kind)))
            case .poster(var options):
                options.cancellation = cancellation
                guard let picture = try media.embeddedPoster(options) else {
                    return try send(.picture(nil))
                }
                try offer(picture)
            case .sound(let choice): try sound(choice)
            case .subtitles(let choice):
                let track = try media.subtitleTrack(choice, cancellation)
                try channel.send(DecoderMessage.subtitles(track))
            }
        } catch let error as MediaError {
            try send(.failed(generation: 0, error, nil))
        }
    }

    private func index(_ kind: IndexKind) throws(MediaError) -> FrameIndex? {
        switch kind {
        case .exact: try media.frameIndex(cancellation)
        case .container: try media.containerIndex(cancellation)
        case .cheap: try media.cheapFrameIndex(cancellation)
        }
    }

    // MARK: - Sound

    private func sound(_ choice: TrackChoice) throws {
        let track = try media.soundTrack(choice, cancellation)
        try send(.sound(track?.format))
        guard let track else { return }
        var reader: (any SoundReader)?
        while case .nextPacket = try requests.next().message {
            let open = try reader ?? track.makeReader(cancellation)
            reader = open
            try send(.packet(try open.next()))
        }
    }

    // MARK: - Pictures

    /// Offers a picture, and writes it into the memory that the host sends for it.
    private func offer(_ picture: Bitmap) throws {
        let offer = PictureOffer(
            size: picture.size, isOpaque: picture.isOpaque, layout: .pixels, timing: nil,
            color: .sRGB)
        try send(.picture(offer))
        try picture.withBytes { try PictureTransfer.write($0, requests) }
    }

    private func frames(_ options: ReaderOptions, _ slots: Int, _ slotBytes: Int) throws {
        guard let memory else { throw GrammarError("No memory came for frames.") }
        // The other slots of a reader of single frames are seldom used.
        let shared = try SharedMemory(
            memory.number, byteCount: slots * slotBytes, writes: true,
            written: options.isSingleFrame ? slotBytes : slots * slotBytes)
        let reader = try media.makeReader(options)
        try send(.done(generation: 0, reader.warnings))
        let size = options.size ?? media.info.size
        try FrameServer(
            self, requests, reader: reader, size: size, shared: shared, slots: slots,
            options: options
        ).run()
    }
}
