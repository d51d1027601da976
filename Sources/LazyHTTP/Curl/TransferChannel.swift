import LazyBytes
import LazyLoading

/// What passes from a transfer on the loop's thread to its one consumer: a head, pieces, an end.
final class TransferChannel: Sendable {
    /// Where a transfer is paused, and where it goes on.
    static let highWater = 1 << 20
    static let lowWater = 256 << 10
    /// Pieces below this are joined.
    private static let pieceSize = 64 << 10

    typealias Piece = Result<[UInt8]?, LoadingError>
    fileprivate typealias PieceWaiter = CheckedContinuation<(Piece, hasRoom: Bool), Never>

    fileprivate struct State {
        var answer: Result<Answer, LoadingError>?
        var answerWaiter: CheckedContinuation<Result<Answer, LoadingError>, Never>?
        var pieces: [[UInt8]] = []
        var count = 0
        var isPaused = false
        var end: Result<Void, LoadingError>?
        var pieceWaiter: PieceWaiter?
    }
    private let state = Locked(State())

    // MARK: - The transfer's side

    func deliver(_ answer: Answer) {
        state.withLock { state in
            if state.answer == nil { state.answer = .success(answer) }
            return state.takeAnswer()
        }?()
    }

    /// Takes a piece; whether the transfer is to be paused.
    func push(_ piece: [UInt8]) -> Bool {
        let (waiter, isFull) = state.withLock { state in
            guard state.end == nil else { return (PieceWaiter?.none, false) }
            if let waiter = state.pieceWaiter {
                state.pieceWaiter = nil
                return (waiter, false)
            }
            state.append(piece, pieceSize: Self.pieceSize)
            // A pause ends with `take` only, which then tells the transfer to go on.
            if state.count >= Self.highWater { state.isPaused = true }
            return (nil, state.isPaused)
        }
        waiter?.resume(returning: (.success(piece), false))
        return isFull
    }

    func finish(_ end: Result<Void, LoadingError>) {
        for action in state.withLock({ $0.finish(end) }) { action() }
    }

    // MARK: - The consumer's side

    func answer() async -> Result<Answer, LoadingError> {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.answerWaiter = continuation
                return state.takeAnswer()
            }?()
        }
    }

    /// Waits for a piece; tells too whether a paused transfer may go on.
    func next() async -> (Piece, hasRoom: Bool) {
        if let ready = state.withLock({ $0.take(lowWater: Self.lowWater) }) { return ready }
        return await withCheckedContinuation { continuation in
            let ready = state.withLock { state in
                let ready = state.take(lowWater: Self.lowWater)
                if ready == nil { state.pieceWaiter = continuation }
                return ready
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }

    /// Ends the channel for its consumer; whether the transfer had not ended.
    func abandon() -> Bool {
        let (actions, wasLive) = state.withLock { state in
            let wasLive = state.end == nil
            // Also behind a good end: what is thrown away here must not look like a whole body.
            state.answer = .failure(.cancelled)
            state.end = nil
            state.pieces = []
            state.count = 0
            return (state.finish(.failure(.cancelled)), wasLive)
        }
        for action in actions { action() }
        return wasLive
    }
}

extension TransferChannel.State {
    typealias Action = @Sendable () -> Void

    fileprivate mutating func takeAnswer() -> Action? {
        guard let answer, let waiter = answerWaiter else { return nil }
        answerWaiter = nil
        return { waiter.resume(returning: answer) }
    }

    fileprivate mutating func append(_ piece: [UInt8], pieceSize: Int) {
        count += piece.count
        if let last = pieces.indices.last, pieces[last].count + piece.count <= pieceSize {
            pieces[last] += piece
        } else {
            pieces.append(piece)
        }
    }

    fileprivate mutating func take(lowWater: Int) -> (TransferChannel.Piece, hasRoom: Bool)? {
        guard !pieces.isEmpty else { return end.map { ($0.map { nil }, false) } }
        let piece = pieces.removeFirst()
        count -= piece.count
        let hasRoom = isPaused && count <= lowWater && end == nil
        if hasRoom { isPaused = false }
        return (.success(piece), hasRoom)
    }

    fileprivate mutating func finish(_ end: Result<Void, LoadingError>) -> [Action] {
        guard self.end == nil else { return [] }
        self.end = end
        if answer == nil, case .failure(let error) = end { answer = .failure(error) }
        var actions: [Action] = []
        if let action = takeAnswer() { actions.append(action) }
        if let waiter = pieceWaiter {
            pieceWaiter = nil
            actions.append { waiter.resume(returning: (end.map { nil }, false)) }
        }
        return actions
    }
}
