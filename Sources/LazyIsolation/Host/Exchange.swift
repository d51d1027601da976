internal import LazyBase
internal import LazyMedia

/// Questions to a decoder on one channel, and its answers; gives it bytes while it works.
final class Exchange: Sendable {
    let session: MediaSession
    let channel: Channel
    private let source: any ByteSource
    private let cancellation: CancellationFlag
    private let counts: KnownCounts?
    private let answerTime: Duration
    private let cancelID: Int
    private let isOperation: Bool
    /// Why bytes could not be read, which the decoder repeats in words only.
    private let readFailure = Locked<MediaError?>(nil)

    /// Begins to ask; `isOperation` where the channel belongs to one operation, which ends with this object.
    ///
    /// `counts` are those of the media, which answers may change.
    init(
        _ session: MediaSession, _ channel: Channel, source: any ByteSource,
        cancellation: CancellationFlag, answerTime: Duration, counts: KnownCounts? = nil,
        isOperation: Bool = true
    ) {
        self.counts = counts
        self.isOperation = isOperation
        self.session = session
        self.channel = channel
        self.source = source
        self.cancellation = cancellation
        self.answerTime = answerTime
        cancelID = cancellation.onCancel { [weak channel] in channel?.shutDown() }
    }

    deinit {
        cancellation.forget(cancelID)
        if isOperation { channel.shutDown() }
    }

    /// Sends a request.
    func send(_ request: HostMessage, with descriptors: [CInt] = []) throws(MediaError) {
        do throws(ChannelError) { try channel.send(request, with: descriptors) } catch {
            throw failure(error)
        }
    }

    /// The next answer, of at most so many bytes.
    ///
    /// The time in which this side reads bytes does not count, but their number does.
    func answer(atMost most: Int = 32 << 20) throws(MediaError) -> DecoderMessage {
        var deadline = ContinuousClock.now + answerTime
        var budget = readBudget
        var isCounted = false
        while true {
            let message: DecoderMessage
            do throws(ChannelError) {
                let packet = try channel.receive(atMost: most, deadline: deadline)
                var reader = MessageReader(packet.bytes)
                do throws(GrammarError) { message = try reader.field() } catch {
                    throw .grammar(error.message)
                }
            } catch {
                throw failure(error)
            }
            if case .counted(let news) = message, let counts, !isCounted {
                (counts.value, isCounted) = (news, true)
                continue
            }
            if case .willRead(let range) = message {
                let range = range.clamped(to: 0..<source.count)
                try spend(range.count, of: &budget)
                source.willRead(range)
                continue
            }
            guard case .needsBytes(let offset, let count) = message else {
                return withReason(message)
            }
            try spend(count, of: &budget)
            let start = ContinuousClock.now
            try send(bytes(count, at: offset))
            deadline += ContinuousClock.now - start
        }
    }

    private func spend(_ count: Int, of budget: inout Int) throws(MediaError) {
        budget -= max(count, Self.leastCost)
        guard budget >= 0 else { throw broken("It reads the media again and again.") }
    }

    // Reading for one answer may go back and forth, as between tracks far apart, but must end.
    private var readBudget: Int {
        let (bytes, isHuge) = source.count.multipliedReportingOverflow(by: 64)
        return isHuge ? .max : max(bytes, 64 << 20)
    }
    /// What a request for few bytes counts.
    private static let leastCost = 4096

    /// The error for an answer that does not belong to the question.
    func unexpected() -> MediaError { broken("An answer does not belong to its question.") }

    /// The error for a broken rule.
    func broken(_ sentence: String) -> MediaError { failure(.grammar(sentence)) }

    private func bytes(_ count: Int, at offset: Int) -> HostMessage {
        guard offset < source.count else { return .bytes([]) }
        do throws(MediaError) {
            let count = min(count, source.count - offset)
            if source.arrived != nil { return .bytes(try present(count, at: offset)) }
            return .bytes(try source.bytes(count, at: offset, cancellation: cancellation))
        } catch {
            readFailure.withLock { $0 = error }
            return .noBytes(error)
        }
    }

    /// The same answer, of which a failure to read bytes has its reason.
    private func withReason(_ message: DecoderMessage) -> DecoderMessage {
        guard case .failed(let generation, let error, let warnings) = message,
            let own = readFailure.withLock({ $0 }), own.code == error.code,
            own.message == error.message
        else { return message }
        return .failed(generation: generation, own, warnings)
    }

    /// The bytes of a stream that goes on: as many as are there, at least one before its end.
    private func present(_ count: Int, at offset: Int) throws(MediaError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(MediaError) in
                try source.read(at: offset, into: buffer, cancellation: cancellation)
            }
        }
        bytes.removeLast(count - (try got.get()))
        return bytes
    }

    private func failure(_ error: ChannelError) -> MediaError {
        cancellation.isCancelled ? .cancelled : session.failure(error)
    }
}
