/// Decides who works when frames are decoded a little ahead of their consumer; pure.
///
/// There is at most one producer. It is started when somebody waits or the buffer has room, and
/// stops when the buffer is full: a consumer that stops pulling stops the decoding. With a depth of
/// 0 nothing is made before somebody waits for it.
struct LookAhead<Element>: ~Copyable {
    /// What the shell around this value is to do next.
    enum Step {
        /// Hand this to the consumer; then, if true, start a producer.
        case deliver(Result<Element?, MediaError>, startsProducer: Bool)
        /// The consumer has to wait; if true, start a producer.
        case wait(startsProducer: Bool)
    }

    private let depth: Int
    private var buffer: [Result<Element?, MediaError>] = []
    private var isProducing = false
    private var isFinished = false

    init(depth: Int) { self.depth = max(0, depth) }

    /// Whether a pull would be answered at once.
    var hasElements: Bool { !buffer.isEmpty || isFinished }

    /// The consumer wants the next element.
    mutating func pull() -> Step {
        if buffer.isEmpty {
            if isFinished { return .deliver(.success(nil), startsProducer: false) }
            return .wait(startsProducer: claimProducerForWaiting())
        }
        let element = buffer.removeFirst()
        return .deliver(element, startsProducer: claimProducer())
    }

    /// The producer has made an element; returns whether it is to go on.
    mutating func push(_ element: Result<Element?, MediaError>) -> Bool {
        buffer.append(element)
        switch element {
        case .success(.some): break
        case .success(.none), .failure: isFinished = true
        }
        isProducing = !isFinished && buffer.count < depth
        return isProducing
    }

    private mutating func claimProducer() -> Bool {
        guard !isProducing, !isFinished, buffer.count < depth else { return false }
        isProducing = true
        return true
    }

    /// Starts what is waited for, whatever the depth.
    private mutating func claimProducerForWaiting() -> Bool {
        guard !isProducing, !isFinished else { return false }
        isProducing = true
        return true
    }
}
