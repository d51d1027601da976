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
