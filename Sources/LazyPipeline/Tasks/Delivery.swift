/// Notices on their way to whoever listens: in order, by one thread at a time, none behind the last.
///
/// Lives under a lock; whoever gets a notice from `next` hands it over outside, and says so.
struct Delivery<Notice: Sendable>: Sendable {
    private var waiting: [Notice] = []
    private var isDelivering = false
    private var isClosed = false

    /// Adds a notice; one that comes behind the last is dropped.
    mutating func add(_ notice: Notice) { if !isClosed { waiting.append(notice) } }

    /// Adds the last notice; those still waiting come before it, or not at all.
    mutating func close(with notice: Notice, dropping isDropping: Bool) {
        guard !isClosed else { return }
        isClosed = true
        if isDropping { waiting = [] }
        waiting.append(notice)
    }

    /// The notice to hand over now; nil while another thread does so.
    mutating func next() -> Notice? {
        guard !isDelivering, !waiting.isEmpty else { return nil }
        isDelivering = true
        return waiting.removeFirst()
    }

    /// A notice was handed over.
    mutating func didDeliver() { isDelivering = false }
}
