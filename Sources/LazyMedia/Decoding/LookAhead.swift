/// Decides when frames are decoded in advance of their consumer; pure.
///
/// There is at most one producer. It starts when the consumer waits or the buffer has room, and stops
/// when the buffer is full: a consumer that stops pulling stops the decoding. With a depth of 0
/// nothing is decoded before the consumer waits for it.
struct LookAhead<Element>: ~Copyable {
    /// What the caller does next.
    enum Step {
        /// Deliver this to the consumer; then, if true, start a producer.
        case deliver(Result<Element?, MediaError>, startsProducer: Bool)
        /// Make the consumer wait; if true, start a producer.
        case wait(startsProducer: Bool)
    }

    private let depth: Int
    private var buffer: [Result<Element?, MediaError>] = []
    private var isProducing = false
    private var isFinished = false

    init(depth: Int) { self.depth = max(0, depth) }

    /// Whether a pull would be answered immediately.
    var hasElements: Bool { !buffer.isEmpty || isFinished }

    /// Takes the next element for the consumer.
    mutating func pull() -> Step {
        if buffer.isEmpty {
            if isFinished { return .deliver(.success(nil), startsProducer: false) }
            return .wait(startsProducer: claimProducerForWaiting())
        }
        let element = buffer.removeFirst()
        return .deliver(element, startsProducer: claimProducer())
    }

    /// Adds an element of the producer; returns whether the producer continues.
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

    /// Starts a producer for a waiting consumer, whatever the depth.
    private mutating func claimProducerForWaiting() -> Bool {
        guard !isProducing, !isFinished else { return false }
        isProducing = true
        return true
    }
}
