/// Items on their way to listeners: in order, by one thread at a time, none after the last.
///
/// Lives under a lock; the caller of `next` hands the item over outside, then calls `didDeliver`.
struct Delivery<Item: Sendable>: Sendable {
    private var waiting: [Item] = []
    private var isDelivering = false
    private var isClosed = false

    /// Adds an item; dropped after the last one.
    mutating func add(_ item: Item) { if !isClosed { waiting.append(item) } }

    /// Adds the last item; those still waiting come before it, or are dropped.
    mutating func close(with item: Item, dropping isDropping: Bool) {
        guard !isClosed else { return }
        isClosed = true
        if isDropping { waiting = [] }
        waiting.append(item)
    }

    /// The item to hand over now; nil while another thread does so.
    mutating func next() -> Item? {
        guard !isDelivering, !waiting.isEmpty else { return nil }
        isDelivering = true
        return waiting.removeFirst()
    }

    /// The item was handed over.
    mutating func didDeliver() { isDelivering = false }
}

/// The callers that wait for the result of a task, until its listeners have received it.
///
/// Lives under a lock; callers are resumed outside.
struct ResultWaiters<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, PipelineError>
    typealias Waiter = UnsafeContinuation<Outcome, Never>

    /// The result, once all listeners have received it.
    private(set) var delivered: Outcome?
    private var waiting: [Waiter] = []

    /// Adds a waiter, or returns the result that it is to be resumed with at once.
    mutating func add(_ waiter: Waiter) -> Outcome? {
        if delivered == nil { waiting.append(waiter) }
        return delivered
    }

    /// All listeners have received the result; returns the waiters to resume.
    mutating func deliver(_ outcome: Outcome) -> [Waiter] {
        delivered = outcome
        defer { waiting = [] }
        return waiting
    }
}
