/// Lets one at a time use what only one may use, in the order in which they came.
///
/// Waiting blocks no thread and ends when its task is cancelled. Who has a turn ends it, or lets
/// go of it, which ends it too.
public final class TakingTurns: Sendable {
    /// The leave to go ahead; ended once, by `end()` or with its last reference.
    public final class Turn: Sendable {
        private let turns: TakingTurns
        private let isOver = Locked(false)

        fileprivate init(_ turns: TakingTurns) { self.turns = turns }

        deinit { end() }

        /// Lets the next one go ahead.
        public func end() {
            let wasOver = isOver.withLock { isOver in
                defer { isOver = true }
                return isOver
            }
            if !wasOver { turns.didEnd() }
        }
    }

    private typealias Waiting = CheckedContinuation<Bool, Never>

    private struct State {
        var queue = TurnQueue()
        var waiting: [Int: Waiting] = [:]
    }
    private let state = Locked(State())

    /// The encoders of SVT-AV1, whoever reaches them: several at once crash (1.4).
    public static let svtAV1 = TakingTurns()

    /// Makes one whose first turn is free.
    public init() {}

    /// Waits for a turn; throws `.cancelled` where the task is cancelled before.
    public func wait() async throws(MediaError) -> Turn {
        let number = state.withLock { $0.queue.join() }
        let isMine = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Waiting) in
                let answer: Bool? = state.withLock { state in
                    let answer = state.queue.answer(number)
                    if answer == nil { state.waiting[number] = continuation }
                    return answer
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let left = state.withLock { state -> Waiting? in
                state.queue.leave(number) ? state.waiting.removeValue(forKey: number) : nil
            }
            left?.resume(returning: false)
        }
        guard isMine else { throw .cancelled }
        return Turn(self)
    }

    private func didEnd() {
        let next = state.withLock { state -> Waiting? in
            state.queue.end().flatMap { state.waiting.removeValue(forKey: $0) }
        }
        next?.resume(returning: true)
    }
}

/// Whose turn it is; pure.
///
/// Numbers are given out in the order of joining.
struct TurnQueue {
    private var next = 0
    private var current: Int?
    private var waiting: [Int] = []

    /// Takes one more in, who has the turn at once where nobody has it.
    mutating func join() -> Int {
        defer { next += 1 }
        if current == nil { current = next } else { waiting.append(next) }
        return next
    }

    /// Whether it is somebody's turn; nil while it is still to come, false once it never will.
    func answer(_ number: Int) -> Bool? {
        if current == number { return true }
        return waiting.contains(number) ? nil : false
    }

    /// Takes out one who waits; false where they have the turn or are not here.
    mutating func leave(_ number: Int) -> Bool {
        guard let place = waiting.firstIndex(of: number) else { return false }
        waiting.remove(at: place)
        return true
    }

    /// Ends the turn; returns whose it is now.
    mutating func end() -> Int? {
        current = waiting.isEmpty ? nil : waiting.removeFirst()
        return current
    }
}
