/// Which work there is, who waits for it, and how urgent it is; a pure machine.
///
/// A node is one piece of work: a download, a decoding, one processor. Tasks and other nodes
/// subscribe to it; it has at most one node that it depends on itself. Work without a subscriber
/// ends. Functions take events and return what is to be done.
struct WorkGraph {
    typealias NodeID = Int
    typealias TaskID = Int

    /// What is to be done.
    enum Action: Equatable {
        /// The work of a node is to be cancelled: nobody wants it any more.
        case cancel(NodeID)
        /// A ticket may work.
        case grant(WorkQueue.Ticket)
        /// A ticket will never work: its node is gone.
        case refuse(WorkQueue.Ticket)
    }

    private struct Node {
        let key: WorkKey?
        var tasks: Set<TaskID> = []
        var dependents: Set<NodeID> = []
        var dependency: NodeID?
        var tickets: Set<WorkQueue.Ticket> = []
        var urgency = Urgency()
        /// Stages whose queue somebody need not wait in.
        var skipped: Set<Stage> = []
    }
    private struct Seat {
        let node: NodeID
        let stage: Stage
        var isWaiting: Bool
        var priority: Priority
    }

    private var nodes: [NodeID: Node] = [:]
    private var shared: [WorkKey: NodeID] = [:]
    private var tasks: [TaskID: (node: NodeID, priority: Priority)] = [:]
    private var seats: [WorkQueue.Ticket: Seat] = [:]
    private var queues: [WorkQueue]
    private var lastNode = 0
    private var lastTicket = 0

    init(limits: (Stage) -> Int) { queues = Stage.allCases.map { WorkQueue(limit: limits($0)) } }

    /// How many nodes there are.
    var nodeCount: Int { nodes.count }
    /// How many tasks wait for one.
    var taskCount: Int { tasks.count }
    /// How many work in a stage now.
    func runningCount(in stage: Stage) -> Int { queues[stage.rawValue].runningCount }
    /// The highest priority of those who want a node.
    func priority(of node: NodeID) -> Priority? { nodes[node]?.urgency.highest }
    /// Whether a node is still wanted.
    func contains(_ node: NodeID) -> Bool { nodes[node] != nil }
    /// Whether a task waits for exactly this node, and not only for what is made of it.
    func hasTasks(_ node: NodeID) -> Bool { nodes[node]?.tasks.isEmpty == false }

    // MARK: - Subscribing

    /// A task wants work: what is under way for the key, or a new node.
    ///
    /// A nil key is never shared.
    mutating func join(
        _ task: TaskID, _ priority: Priority, _ key: WorkKey?
    ) -> (node: NodeID, isNew: Bool) {
        let (id, isNew) = findOrMake(key)
        nodes[id]?.tasks.insert(task)
        tasks[task] = (id, priority)
        change(id) { $0.add(priority) }
        return (id, isNew)
    }

    /// A node needs another one; nil when nobody wants the first any more.
    mutating func depend(
        _ node: NodeID, on key: WorkKey?
    ) -> (node: NodeID, isNew: Bool)? {
        guard let own = nodes[node], let priority = own.urgency.highest else { return nil }
        let (id, isNew) = findOrMake(key)
        nodes[id]?.dependents.insert(node)
        nodes[node]?.dependency = id
        nodes[id]?.skipped.formUnion(own.skipped)
        change(id) { $0.add(priority) }
        return (id, isNew)
    }

    /// A task is no longer interested.
    mutating func leave(_ task: TaskID) -> [Action] {
        guard let (node, priority) = tasks.removeValue(forKey: task) else { return [] }
        nodes[node]?.tasks.remove(task)
        return lose(node, priority)
    }

    /// The priority of a task changes; what waits for it moves in its queue.
    mutating func setPriority(_ new: Priority, of task: TaskID) {
        guard let (node, old) = tasks[task], old != new else { return }
        tasks[task] = (node, new)
        change(node) {
            $0.add(new)
            $0.remove(old)
        }
    }

    /// The work of a node has ended; it is gone, and newcomers start anew.
    ///
    /// Returns its tasks.
    mutating func finish(_ id: NodeID) -> (tasks: [TaskID], actions: [Action]) {
        guard let node = nodes.removeValue(forKey: id) else { return ([], []) }
        if let key = node.key { shared[key] = nil }
        for dependent in node.dependents { nodes[dependent]?.dependency = nil }
        for task in node.tasks { tasks[task] = nil }
        return (node.tasks.sorted(), abandon(id, node, node.urgency.highest))
    }

    /// The tasks that wait for exactly this node.
    func tasks(of node: NodeID) -> Set<TaskID> { nodes[node]?.tasks ?? [] }

    /// The tasks that a node's progress is of interest to.
    func tasks(above node: NodeID) -> [TaskID] {
        guard let node = nodes[node] else { return [] }
        return node.dependents.reduce(into: Array(node.tasks)) { $0 += tasks(above: $1) }
    }

    /// The nodes that wait for a node.
    func dependents(of node: NodeID) -> Set<NodeID> { nodes[node]?.dependents ?? [] }

    /// A node and what it depends on, from above to below.
    func chain(from node: NodeID) -> [NodeID] {
        Array(sequence(first: node) { nodes[$0]?.dependency })
    }

    // MARK: - Working

    /// A node asks to work in a stage.
    ///
    /// Outside the queue nobody waits and no limit counts.
    mutating func ask(
        _ node: NodeID, _ stage: Stage, isOutsideQueue: Bool = false
    ) -> (ticket: WorkQueue.Ticket, answer: Action?) {
        lastTicket += 1
        let ticket = lastTicket
        guard let own = nodes[node], let priority = own.urgency.highest else {
            return (ticket, .refuse(ticket))
        }
        if isOutsideQueue || own.skipped.contains(stage) { return (ticket, .grant(ticket)) }
        let mayWork = queues[stage.rawValue].enter(ticket, priority)
        nodes[node]?.tickets.insert(ticket)
        seats[ticket] = Seat(
            node: node, stage: stage, isWaiting: !mayWork, priority: priority)
        return (ticket, mayWork ? .grant(ticket) : nil)
    }

    /// The work of a ticket has ended; others may begin.
    mutating func release(_ ticket: WorkQueue.Ticket) -> [Action] {
        guard let seat = seats.removeValue(forKey: ticket) else { return [] }
        nodes[seat.node]?.tickets.remove(ticket)
        let granted = queues[seat.stage.rawValue].release(ticket)
        for other in granted { seats[other]?.isWaiting = false }
        return granted.map { .grant($0) }
    }

    /// Who waits in a stage for this node, or for what it depends on, need not, now or later.
    mutating func skipQueue(_ stage: Stage, for node: NodeID) -> [Action] {
        chain(from: node).flatMap { node -> [Action] in
            nodes[node]?.skipped.insert(stage)
            return (nodes[node]?.tickets ?? []).compactMap { ticket in
                guard let seat = seats[ticket], seat.isWaiting, seat.stage == stage else {
                    return nil
                }
                forget(ticket, seat)
                return .grant(ticket)
            }
        }
    }

    // MARK: - Steps

    private mutating func findOrMake(_ key: WorkKey?) -> (node: NodeID, isNew: Bool) {
        if let key, let id = shared[key] { return (id, false) }
        lastNode += 1
        nodes[lastNode] = Node(key: key)
        if let key { shared[key] = lastNode }
        return (lastNode, true)
    }

    private mutating func lose(_ id: NodeID, _ priority: Priority) -> [Action] {
        change(id) { $0.remove(priority) }
        guard let node = nodes[id], node.urgency.highest == nil else { return [] }
        nodes[id] = nil
        if let key = node.key { shared[key] = nil }
        return [.cancel(id)] + abandon(id, node, priority)
    }

    /// Lets go of what a node that is gone was waiting for.
    private mutating func abandon(
        _ id: NodeID, _ node: Node, _ priority: Priority?
    ) -> [Action] {
        var actions: [Action] = []
        for ticket in node.tickets.sorted() {
            guard let seat = seats[ticket], seat.isWaiting else { continue }
            forget(ticket, seat)
            actions.append(.refuse(ticket))
        }
        if let below = node.dependency, let priority {
            nodes[below]?.dependents.remove(id)
            actions += lose(below, priority)
        }
        return actions
    }

    private mutating func forget(_ ticket: WorkQueue.Ticket, _ seat: Seat) {
        _ = queues[seat.stage.rawValue].remove(ticket, seat.priority)
        seats[ticket] = nil
        nodes[seat.node]?.tickets.remove(ticket)
    }

    /// Changes who wants a node, and hands a new maximum on to its tickets and what is below it.
    private mutating func change(_ id: NodeID, _ body: (inout Urgency) -> Void) {
        guard var urgency = nodes[id]?.urgency else { return }
        let old = urgency.highest
        body(&urgency)
        nodes[id]?.urgency = urgency
        guard let old, let new = urgency.highest, new != old, let node = nodes[id] else { return }
        for ticket in node.tickets {
            guard let seat = seats[ticket], seat.isWaiting else { continue }
            queues[seat.stage.rawValue].move(ticket, from: seat.priority, to: new)
            seats[ticket]?.priority = new
        }
        guard let below = node.dependency else { return }
        change(below) {
            $0.add(new)
            $0.remove(old)
        }
    }
}
