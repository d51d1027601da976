/// The queue of a stage: limited concurrency, by priority, first come first served within one.
///
/// Pure: the owner performs its decisions.
struct WorkQueue {
    typealias Ticket = Int

    private let limit: Int
    private var running: Set<Ticket> = []
    /// One list per priority, each in the order of tickets, which is that of the requests.
    private var waiting: [[Ticket]] = Array(repeating: [], count: Priority.allCases.count)

    init(limit: Int) { self.limit = max(1, limit) }

    /// The number of tickets that work.
    var runningCount: Int { running.count }
    /// The number of tickets that wait.
    var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }

    /// Adds a ticket; returns true if it may work at once.
    mutating func enter(_ ticket: Ticket, _ priority: Priority) -> Bool {
        if running.count < limit, waitingCount == 0 {
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
        let place = waiting[priority.rawValue].firstPlace(of: ticket)
        guard place < waiting[priority.rawValue].count,
            waiting[priority.rawValue][place] == ticket
        else { return false }
        waiting[priority.rawValue].remove(at: place)
        return true
    }

    /// Ends the work of a ticket and returns the tickets that may work now.
    mutating func release(_ ticket: Ticket) -> [Ticket] {
        running.remove(ticket)
        var granted: [Ticket] = []
        while running.count < limit, let next = takeFirst() {
            running.insert(next)
            granted.append(next)
        }
        return granted
    }

    private mutating func takeFirst() -> Ticket? {
        guard let urgent = waiting.lastIndex(where: { !$0.isEmpty }) else { return nil }
        return waiting[urgent].removeFirst()
    }

    private mutating func insert(_ ticket: Ticket, _ priority: Priority) {
        let place = waiting[priority.rawValue].firstPlace(of: ticket)
        waiting[priority.rawValue].insert(ticket, at: place)
    }
}

extension [Int] {
    /// The index of a number in a sorted array, or its insertion point.
    fileprivate func firstPlace(of number: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
