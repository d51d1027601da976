internal import CSandbox
internal import LazyBase
internal import LazyMedia

/// Opens media in a new decoder, or in one that an earlier part of a list has left.
struct SessionOpening {
    private let bytes: any ByteSource
    private let type: MediaType
    private let track: Int?
    private let limits: DecodingLimits
    private let host: DecoderHost
    private let cancellation: CancellationFlag

    init(
        _ bytes: any ByteSource, _ type: MediaType, track: Int? = nil, _ limits: DecodingLimits,
        _ host: DecoderHost, _ cancellation: CancellationFlag
    ) {
        self.bytes = bytes
        self.type = type
        self.track = track
        self.limits = limits
        self.host = host
        self.cancellation = cancellation
    }

    /// A session with one user, and what the header says.
    func open() throws(MediaError) -> (MediaSession, MediaInfo) {
        if let opened = try open(type, isLast: false) { return opened }
        // A decoder that declined left the media to another one, whose library its process had not loaded.
        guard let opened = try open(Self.everything, isLast: true) else {
            throw .decoderCrashed("ended")
        }
        return opened
    }

    /// In place of a type: the decoder has all libraries.
    private static let everything = MediaType(name: "", mimeType: "", family: .still)

    /// Nil where a library is missing in a decoder that has those of one type.
    private func open(
        _ loaded: MediaType, isLast: Bool
    ) throws(MediaError) -> (MediaSession, MediaInfo)? {
        let session = try start(loaded)
        return try ending(session) { () throws(MediaError) in
            let answer = try ask(session) { .open($0, limits) }
            switch answer.first {
            case .opened(let info):
                try check(info)
                host.didWork(session.process)
                return (session, info)
            case .failed(_, let error, _) where error.code == .environment && !isLast:
                host.budget.remove(session)
                session.end()
                return nil
            case .failed(_, let error, _): throw error
            default: throw answer.exchange.unexpected()
            }
        }
    }

    /// Changes a file; every part of the new one is passed to a closure.
    func rewrite(
        _ change: TimingChange, to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        let session = try start(type)
        try ending(session) { () throws(MediaError) in
            var answer = try ask(session) { .rewrite($0, limits, change) }
            while case .written(let part) = answer.first {
                try cancellation.check()
                try write(part)
                answer.first = try answer.exchange.answer()
            }
            switch answer.first {
            case .done: break
            case .failed(_, let error, _): throw error
            default: throw answer.exchange.unexpected()
            }
        }
        host.budget.remove(session)
        session.end()
    }

    private func start(_ loaded: MediaType) throws(MediaError) -> MediaSession {
        if let session = host.idle?.take(loaded) { return session }
        try host.budget.reserve(cancellation)
        let session: MediaSession
        do throws(MediaError) {
            session = MediaSession(
                try host.decoder(loaded, limits), for: loaded,
                memoryLimit: Int(clamping: host.limits(limits).memory))
        } catch {
            host.budget.abandon()
            throw error
        }
        host.budget.add(session)
        host.didStart()
        let time = IsolatedMedia.answerTime(limits.openTime, host.policy)
        try ending(session) { () throws(MediaError) in
            _ = try session.process.ready(host.policy, deadline: .now + time, cancellation)
        }
        return session
    }

    private func ending<Result>(
        _ session: MediaSession, _ body: () throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        do throws(MediaError) { return try body() } catch {
            host.budget.remove(session)
            host.didFail(session, by: error)
            if [.decoderCrashed, .timedOut].contains(error.code) { host.didCrash(session.process) }
            session.end()
            throw error
        }
    }

    /// Sends the first message of a session, and returns the first answer.
    func ask(
        _ session: MediaSession, _ message: (SourceDescription) -> HostMessage
    ) throws(MediaError) -> (first: DecoderMessage, exchange: Exchange) {
        let time = IsolatedMedia.answerTime(limits.openTime, host.policy)
        let exchange = Exchange(
            session, session.process.channel, source: bytes, cancellation: cancellation,
            answerTime: time, isOperation: false)
        let sent = try SentSource(bytes, type, track: track)
        try exchange.send(message(sent.description), with: sent.descriptor.map { [$0] } ?? [])
        withExtendedLifetime(sent) {}
        return (try exchange.answer(), exchange)
    }

    // A child is believed in nothing; pictures are checked by their readers.
    private func check(_ info: MediaInfo) throws(MediaError) {
        try limits.checkPixels(info.size)
        if let film = info.motion, film.range.upperBound > bytes.count {
            throw .decoderCrashed("told of a film behind the end")
        }
    }
}
