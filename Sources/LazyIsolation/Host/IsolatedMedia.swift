internal import CSandbox
internal import LazyBase
internal import LazyMedia

/// Media that is decoded in a process of its own.
///
/// The process may end while nobody uses it; then the media is opened again in another one. After a
/// fault every use throws what happened, except where the process was killed from outside.
final class IsolatedMedia: OpenedMedia, MediaBeside {
    /// What the header says, and the counts once they are known.
    var info: MediaInfo { header.with(counts.value) }
    private let header: MediaInfo
    private let counts: KnownCounts
    let bytes: any ByteSource
    let limits: DecodingLimits
    let host: DecoderHost
    private let type: MediaType
    private let track: Int?
    private let state: Locked<State>

    private struct State {
        var session: MediaSession?
        var failure: MediaError?
    }

    /// Opens media.
    init(
        _ bytes: any ByteSource, _ type: MediaType, track: Int? = nil, _ limits: DecodingLimits,
        _ host: DecoderHost, _ cancellation: CancellationFlag
    ) throws(MediaError) {
        try limits.check(input: bytes)
        self.bytes = bytes
        self.type = type
        self.track = track
        self.limits = limits
        self.host = host
        let (session, info) = try SessionOpening(
            bytes, type, track: track, limits, host, cancellation
        ).open()
        header = info
        counts = KnownCounts(info)
        state = Locked(State(session: session))
        host.budget.finish(session)
    }

    /// Takes over media that is open.
    init(
        _ session: MediaSession, _ info: MediaInfo, _ bytes: any ByteSource,
        _ limits: DecodingLimits, _ host: DecoderHost
    ) throws(MediaError) {
        try host.budget.reserve(CancellationFlag())
        header = info
        counts = KnownCounts(info)
        self.bytes = bytes
        self.limits = limits
        self.host = host
        (type, track) = (info.type, nil)
        state = Locked(State(session: session))
        host.budget.add(session)
        host.budget.finish(session)
    }

    func videoTrack(
        _ number: Int, _ cancellation: CancellationFlag
    ) throws(MediaError) -> any OpenedMedia {
        try IsolatedMedia(bytes, type, track: number, limits, host, cancellation)
    }

    func openBeside(
        as type: MediaType, _ cancellation: CancellationFlag,
        _ bytes: () throws(MediaError) -> any ByteSource
    ) throws(MediaError) -> (any OpenedMedia)? {
        try IsolatedMedia(try bytes(), type, limits, host, cancellation)
    }

    deinit {
        guard let session = state.withLock({ $0.session }), host.idle?.keep(session) != true
        else { return }
        host.budget.remove(session)
        session.end()
    }

    /// The time for one answer: what the limits allow for the work itself, and some for its surroundings.
    static func answerTime(_ limit: Duration?, _ policy: IsolationPolicy) -> Duration {
        limit.map { min($0, .seconds(1 << 20)) + .seconds(5) } ?? policy.answerTime
    }

    // MARK: - Sessions

    /// A session with one more user, which `release` ends.
    func session(_ cancellation: CancellationFlag) throws(MediaError) -> MediaSession {
        let known = try state.withLock { state throws(MediaError) in
            if let failure = state.failure { throw failure }
            return state.session
        }
        if let known, !known.hasEnded, host.budget.begin(known) { return known }
        let (session, _) = try SessionOpening(
            bytes, type, track: track, limits, host, cancellation
        ).open()
        let other = state.withLock { state -> MediaSession? in
            if let other = state.session, other !== known, !other.hasEnded { return other }
            state.session = session
            return nil
        }
        guard let other, host.budget.begin(other) else { return session }
        host.budget.remove(session)
        session.end()
        return other
    }

    /// Ends the use of a session.
    ///
    /// `error` is what its use threw. A fault stays; a cancelled decoder that nobody else uses is killed,
    /// because it may work for long at one picture.
    func release(_ session: MediaSession, after error: MediaError? = nil) {
        if let error { host.didFail(session, by: error) }
        switch error?.code {
        case .decoderCrashed, .timedOut: fail(session, error)
        case .limitExceeded where session.hasEnded: fail(session, error)
        case .decoderKilled:
            host.budget.remove(session)
            session.end()
        case .cancelled where host.budget.isLast(session):
            host.budget.remove(session)
            session.end()
        default: break
        }
        host.budget.finish(session)
    }

    private func fail(_ session: MediaSession, _ error: MediaError?) {
        state.withLock { state in
            state.failure = error
            state.session = nil
        }
        host.budget.remove(session)
        session.end()
        host.didCrash(session.process)
    }

    /// Begins an operation, calls a closure with its answers, and ends it.
    func exchanging<Result>(
        _ operation: Operation, _ limit: Duration?, _ cancellation: CancellationFlag,
        _ body: (Exchange) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        try cancellation.check()
        let session = try session(cancellation)
        do throws(MediaError) {
            let result = try body(exchange(session, operation, nil, limit, cancellation))
            release(session)
            return result
        } catch {
            release(session, after: error)
            throw error
        }
    }

    /// Begins an operation of a session.
    func exchange(
        _ session: MediaSession, _ operation: Operation, _ memory: FileDescriptor?,
        _ limit: Duration?, _ cancellation: CancellationFlag
    ) throws(MediaError) -> Exchange {
        let channel: Channel
        do throws(ChannelError) { channel = try session.begin(operation, memory: memory) } catch {
            throw session.failure(error)
        }
        return Exchange(
            session, channel, source: bytes, cancellation: cancellation,
            answerTime: Self.answerTime(limit, host.policy), counts: counts)
    }
}
