internal import Glibc
internal import LazyBase
internal import LazyMedia

/// Serves one media in a process of its own, or one after the other, until its host has enough.
struct MediaService {
    /// An operation that runs, as the main thread sees it.
    private struct Running {
        let channel: Channel
        let cancellation: CancellationFlag
    }

    private let control: Channel
    private let formats: FormatRegistry

    /// POLLRDHUP: the other side has closed; Swift's Glibc module does not have it.
    private static let hangUp = Int16(0x2000)

    init(_ control: Channel, _ formats: FormatRegistry) {
        self.control = control
        self.formats = formats
    }

    /// Serves the host, and ends the process.
    func run() -> Never {
        serve()
        _exit(0)
    }

    /// A message and the files that came with it.
    private typealias Request = (message: HostMessage, descriptors: [FileDescriptor])

    /// Opens what the first message names, and runs operations until the host has enough, or names the next media.
    func serve() {
        do {
            var request: Request? = try receive()
            while let current = request {
                request = nil
                switch current.message {
                case .open(let source, let limits):
                    if let media = try open(source, limits, current.descriptors) {
                        request = try serve(media)
                    }
                case .rewrite(let source, let limits, let change):
                    try rewrite(source, limits, change, current.descriptors)
                default: break
                }
            }
        } catch {
            // The host has ended, or is none: nobody is left to be told.
        }
    }

    private func receive() throws -> Request {
        let packet = try control.receive(atMost: 1 << 24, descriptors: 2)
        var reader = MessageReader(packet.bytes)
        return (try reader.field(), packet.descriptors)
    }

    // MARK: - Opening

    private func source(
        _ source: SourceDescription, _ descriptors: [FileDescriptor]
    ) throws(GrammarError) -> any ByteSource {
        guard source.kind != .ranges else { return RequestedBytes(source) }
        guard let file = descriptors.first else { throw GrammarError("A file did not come.") }
        return SentBytes.source(file, source)
    }

    private func open(
        _ description: SourceDescription, _ limits: DecodingLimits, _ descriptors: [FileDescriptor]
    ) throws -> (any OpenedMedia)? {
        let bytes = try source(description, descriptors)
        let media = ByteRequests.channels.use(ByteRequests.Current(control)) {
            Result { () throws(MediaError) in
                let media = try formats.decoders.open(
                    bytes, as: description.type, limits: limits)
                return try description.track.map { (number) throws(MediaError) in
                    try media.videoTrack(number, CancellationFlag())
                } ?? media
            }
        }
        switch media {
        case .failure(let error):
            try control.send(DecoderMessage.failed(generation: 0, error, nil))
            return nil
        case .success(let media): return media
        }
    }

    private func rewrite(
        _ description: SourceDescription, _ limits: DecodingLimits, _ change: TimingChange,
        _ descriptors: [FileDescriptor]
    ) throws {
        let bytes = try source(description, descriptors)
        let result = ByteRequests.channels.use(ByteRequests.Current(control)) {
            Result { () throws(MediaError) in
                guard let rewriter = formats.rewriter(for: description.type) else {
                    throw MediaError(.unsupported, "Files of this type are not rewritten.")
                }
                try rewriter.rewrite(bytes, change, limits: limits) { (part) throws(MediaError) in
                    do throws(ChannelError) { try control.send(DecoderMessage.written(part)) } catch
                    {
                        throw .cancelled
                    }
                }
            }
        }
        switch result {
        case .failure(let error):
            try control.send(DecoderMessage.failed(generation: 0, error, nil))
        case .success: try control.send(DecoderMessage.done(generation: 0, nil))
        }
    }

    // MARK: - Operations

    /// Returns the message that is no operation of this media, whose operations end.
    private func serve(_ media: any OpenedMedia) throws -> Request? {
        let info = media.info
        try control.send(DecoderMessage.opened(info))
        let counts = KnownCounts(info)
        var running: [Running] = []
        while true {
            var polled = [pollfd(descriptor: control.descriptor)]
            polled += running.map {
                pollfd(fd: $0.channel.descriptor, events: Self.hangUp, revents: 0)
            }
            if poll(&polled, nfds_t(polled.count), -1) < 0 {
                if errno == EINTR { continue }
                return nil
            }
            for index in running.indices.reversed() where polled[index + 1].revents != 0 {
                running[index].cancellation.cancel()
                running.remove(at: index)
            }
            guard polled[0].revents != 0 else { continue }
            let request = try receive()
            guard case .begin(let operation) = request.message else {
                for operation in running { operation.cancellation.cancel() }
                return request
            }
            guard let channel = request.descriptors.first.flatMap({ dup($0.number) }) else {
                return nil
            }
            let flag = CancellationFlag()
            let work = MediaOperation(
                channel: Channel(channel), media: media, counts: counts, cancellation: flag,
                memory: request.descriptors.dropFirst().first)
            running.append(Running(channel: work.channel, cancellation: flag))
            try DetachedThread.start { work.run(operation) }
        }
    }
}
