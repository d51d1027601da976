internal import Glibc
internal import LazyBytes
internal import LazyMedia

/// One operation in a decoder, on a thread and a channel of its own.
final class MediaOperation: Sendable {
    let channel: Channel
    private let requests: ByteRequests.Current
    private let media: any OpenedMedia
    private let cancellation: CancellationFlag
    private let memory: FileDescriptor?

    init(
        channel: Channel, media: any OpenedMedia, cancellation: CancellationFlag,
        memory: FileDescriptor?
    ) {
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

    private func answer(_ operation: Operation) throws {
        do {
            switch operation {
            case .frames(var options, let slots, let slotBytes):
                options.cancellation = cancellation
                try frames(options, slots, slotBytes)
            case .index(let kind): try channel.send(DecoderMessage.index(try index(kind)))
            case .poster(var options):
                options.cancellation = cancellation
                guard let picture = try media.embeddedPoster(options) else {
                    return try channel.send(DecoderMessage.picture(nil))
                }
                try offer(picture)
            case .sound: try sound()
            case .subtitles(let choice):
                let track = try media.subtitleTrack(choice, cancellation)
                try channel.send(DecoderMessage.subtitles(track))
            }
        } catch let error as MediaError {
            try channel.send(DecoderMessage.failed(generation: 0, error, nil))
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

    private func sound() throws {
        let track = try media.soundTrack(cancellation)
        try channel.send(DecoderMessage.sound(track?.format))
        guard let track else { return }
        var reader: (any SoundReader)?
        while case .nextPacket = try requests.next().message {
            let open = try reader ?? track.makeReader(cancellation)
            reader = open
            try channel.send(DecoderMessage.packet(try open.next()))
        }
    }

    // MARK: - Pictures

    /// Offers a picture, and writes it into the memory that the host sends for it.
    private func offer(_ picture: Bitmap) throws {
        let offer = PictureOffer(
            size: picture.size, isOpaque: picture.isOpaque, layout: .pixels, timing: nil,
            color: .sRGB)
        try channel.send(DecoderMessage.picture(offer))
        try picture.withBytes { try PictureTransfer.write($0, requests) }
    }

    private func frames(_ options: ReaderOptions, _ slots: Int, _ slotBytes: Int) throws {
        guard let memory else { throw GrammarError("No memory came for frames.") }
        let shared = try SharedMemory(
            memory.number, byteCount: slots * slotBytes, writes: true)
        let reader = try media.makeReader(options)
        try channel.send(DecoderMessage.done(generation: 0, reader.warnings))
        let size = options.size ?? media.info.size
        try FrameServer(
            requests: requests, reader: reader, size: size, shared: shared, slots: slots,
            options: options
        ).run()
    }
}
