import LazyBase

/// Passes a head, pieces and an end from a transfer on the loop's thread to its consumer.
final class TransferChannel: Sendable {
    /// The buffered bytes at which a transfer is paused and resumed.
    static let highWater = 1 << 20
    static let lowWater = 256 << 10
    /// Smaller pieces are joined up to this size.
    private static let pieceSize = 64 << 10

    typealias Piece = Result<[UInt8]?, LoadingError>
    fileprivate typealias PieceWaiter = CheckedContinuation<(Piece, hasRoom: Bool), Never>

    fileprivate struct State {
        var response: Result<HTTPResponse, LoadingError>?
        var responseWaiter: CheckedContinuation<Result<HTTPResponse, LoadingError>, Never>?
        var pieces: [[UInt8]] = []
        var count = 0
        var isPaused = false
        var end: Result<Void, LoadingError>?
        var pieceWaiter: PieceWaiter?
    }
    private let state = Locked(State())

    // MARK: - The transfer's side

    func deliver(_ response: HTTPResponse) {
        state.withLock { state in
            if state.response == nil { state.response = .success(response) }
            return state.takeResponse()
        }?()
    }

    /// Buffers a piece; returns whether the transfer must pause.
    func push(_ piece: [UInt8]) -> Bool {
        let (waiter, isFull) = state.withLock { state in
            guard state.end == nil else { return (PieceWaiter?.none, false) }
            if let waiter = state.pieceWaiter {
                state.pieceWaiter = nil
                return (waiter, false)
            }
            state.append(piece, pieceSize: Self.pieceSize)
            // Only `take` ends a pause; it then resumes the transfer.
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

    func response() async -> Result<HTTPResponse, LoadingError> {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.responseWaiter = continuation
                return state.takeResponse()
            }?()
        }
    }

    /// Waits for a piece; also returns whether a paused transfer may resume.
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

    /// Ends the channel for its consumer; returns whether the transfer was running.
    func abandon() -> Bool {
        let (actions, wasLive) = state.withLock { state in
            let wasLive = state.end == nil
            // Also after a successful end: discarded pieces must not look like a whole body.
            state.response = .failure(.cancelled)
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

    fileprivate mutating func takeResponse() -> Action? {
        guard let response, let waiter = responseWaiter else { return nil }
        responseWaiter = nil
        return { waiter.resume(returning: response) }
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
        if response == nil, case .failure(let error) = end { response = .failure(error) }
        var actions: [Action] = []
        if let action = takeResponse() { actions.append(action) }
        if let waiter = pieceWaiter {
            pieceWaiter = nil
            actions.append { waiter.resume(returning: (end.map { nil }, false)) }
        }
        return actions
    }
}
