/// The queue of a stage: limited concurrency, by priority, first come first served within one.
///
/// Pure: the owner performs its decisions.
struct WorkQueue {
    typealias Ticket = Int

    /// How many tickets may work at a time; a higher limit grants with the next `grantDue()`.
    var limit: Int { didSet { limit = max(1, limit) } }
    /// Whether no more tickets may begin to work.
    var isSuspended = false
    private var running: Set<Ticket> = []
    /// One list per priority.
    private var waiting = Array(repeating: TicketList(), count: Priority.allCases.count)

    init(limit: Int) { self.limit = max(1, limit) }

    /// The number of tickets that work.
    var runningCount: Int { running.count }
    /// The number of tickets that wait.
    var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }

    /// Adds a ticket; returns true if it may work at once.
    mutating func enter(_ ticket: Ticket, _ priority: Priority) -> Bool {
        if !isSuspended, running.count < limit, waitingCount == 0 {
            running.insert(ticket)
            return true
        }
        insert(ticket, priority)
        return false
    }

    /// Moves a waiting ticket.
    mutating func move(_ ticket: Ticket, from old: Priority, to new: Priority) {
        if remove(ticket, old) { insert(ticket, new) }
    }

    /// Removes a waiting ticket; returns false if it does not wait.
    mutating func remove(_ ticket: Ticket, _ priority: Priority) -> Bool {
        waiting[priority.rawValue].remove(ticket)
    }

    /// Ends the work of a ticket and returns the tickets that may work now.
    mutating func release(_ ticket: Ticket) -> [Ticket] {
        running.remove(ticket)
        return grantDue()
    }

    /// Lets tickets work for which there is room; returns them.
    mutating func grantDue() -> [Ticket] {
        var granted: [Ticket] = []
        while !isSuspended, running.count < limit, let next = takeFirst() {
            running.insert(next)
            granted.append(next)
        }
        return granted
    }

    private mutating func takeFirst() -> Ticket? {
        guard let urgent = waiting.lastIndex(where: { $0.count > 0 }) else { return nil }
        return waiting[urgent].removeFirst()
    }

    private mutating func insert(_ ticket: Ticket, _ priority: Priority) {
        waiting[priority.rawValue].insert(ticket)
    }
}

/// Tickets in their order, which is that of the requests; the first one is taken in constant time.
private struct TicketList {
    private var tickets: [WorkQueue.Ticket] = []
    /// What is before was taken.
    private var first = 0

    var count: Int { tickets.count - first }

    mutating func insert(_ ticket: WorkQueue.Ticket) {
        tickets.insert(ticket, at: place(of: ticket))
    }

    /// False if it is not in the list.
    mutating func remove(_ ticket: WorkQueue.Ticket) -> Bool {
        let place = place(of: ticket)
        guard place < tickets.count, tickets[place] == ticket else { return false }
        tickets.remove(at: place)
        return true
    }

    mutating func removeFirst() -> WorkQueue.Ticket {
        defer {
            first += 1
            if first > tickets.count / 2 {
                tickets.removeFirst(first)
                first = 0
            }
        }
        return tickets[first]
    }

    /// The index of a ticket, or its insertion point.
    private func place(of ticket: WorkQueue.Ticket) -> Int {
        var (low, high) = (first, tickets.count)
        while low < high {
            let middle = (low + high) / 2
            if tickets[middle] < ticket { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
