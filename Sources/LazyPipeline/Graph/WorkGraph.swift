/// The work in progress, its subscribers and its priorities; a pure machine.
///
/// A node is one unit of work: a download, a decoding, one processor. Tasks and other nodes
/// subscribe to it; it depends on at most one other node. Work without a subscriber
/// is cancelled. Functions take events and return actions.
struct WorkGraph {
    typealias NodeID = Int
    typealias TaskID = Int

    /// What the caller is to do.
    enum Action: Equatable {
        /// Cancel the work of a node without subscribers.
        case cancel(NodeID)
        /// Let a ticket work.
        case grant(WorkQueue.Ticket)
        /// Refuse a ticket whose node is gone.
        case refuse(WorkQueue.Ticket)
    }

    private struct Node {
        let key: WorkKey?
        var tasks = NumberSet()
        var dependents = NumberSet()
        var dependency: NodeID?
        var tickets = NumberSet()
        var priorities = PriorityCounts()
        /// Stages whose queue a subscriber skips.
        var skipped: Set<Stage> = []
    }
    private struct Slot {
        let node: NodeID
        let stage: Stage
        var isWaiting: Bool
        var priority: Priority
    }

    private var nodes: [NodeID: Node] = [:]
    private var shared: [WorkKey: NodeID] = [:]
    private var tasks: [TaskID: (node: NodeID, priority: Priority)] = [:]
    private var slots: [WorkQueue.Ticket: Slot] = [:]
    private var queues: [WorkQueue]
    private var lastNode = 0
    private var lastTicket = 0

    init(limits: (Stage) -> Int) { queues = Stage.allCases.map { WorkQueue(limit: limits($0)) } }

    /// The number of nodes.
    var nodeCount: Int { nodes.count }
    /// The number of tasks.
    var taskCount: Int { tasks.count }
    /// The number of tickets that work in a stage.
    func runningCount(in stage: Stage) -> Int { queue(of: stage).runningCount }
    /// The highest priority of a node's subscribers.
    func priority(of node: NodeID) -> Priority? { nodes[node]?.priorities.highest }
    /// Whether a node has subscribers.
    func contains(_ node: NodeID) -> Bool { nodes[node] != nil }
    /// Whether a task is subscribed to exactly this node, and not only to a dependent one.
    func hasTasks(_ node: NodeID) -> Bool { nodes[node]?.tasks.isEmpty == false }

    // MARK: - Subscribing

    /// Subscribes a task to the node of a key, which is created if there is none.
    ///
    /// A nil key is never shared.
    mutating func join(
        _ task: TaskID, _ priority: Priority, _ key: WorkKey?
    ) -> (node: NodeID, isNew: Bool) {
        let (id, isNew) = findOrMake(key)
        update(id) { $0.tasks.insert(task) }
        tasks[task] = (id, priority)
        change(id) { $0.add(priority) }
        return (id, isNew)
    }

    /// Subscribes a node to the node of a key; nil if the first has no subscribers left.
    mutating func depend(
        _ node: NodeID, on key: WorkKey?
    ) -> (node: NodeID, isNew: Bool)? {
        guard let own = nodes[node], let priority = own.priorities.highest else { return nil }
        let (id, isNew) = findOrMake(key)
        update(id) {
            $0.dependents.insert(node)
            $0.skipped.formUnion(own.skipped)
        }
        update(node) { $0.dependency = id }
        change(id) { $0.add(priority) }
        return (id, isNew)
    }

    /// Removes a task.
    mutating func leave(_ task: TaskID) -> [Action] {
        guard let (node, priority) = tasks.removeValue(forKey: task) else { return [] }
        update(node) { $0.tasks.remove(task) }
        return lose(node, priority)
    }

    /// Changes the priority of a task, and moves its tickets in their queues.
    mutating func setPriority(_ new: Priority, of task: TaskID) {
        guard let (node, old) = tasks[task], old != new else { return }
        tasks[task] = (node, new)
        change(node) {
            $0.add(new)
            $0.remove(old)
        }
    }

    /// Removes a node whose work has ended.
    ///
    /// Returns its tasks.
    mutating func finish(_ id: NodeID) -> (tasks: [TaskID], actions: [Action]) {
        guard let node = nodes.removeValue(forKey: id) else { return ([], []) }
        if let key = node.key { shared[key] = nil }
        for dependent in node.dependents { update(dependent) { $0.dependency = nil } }
        for task in node.tasks { tasks[task] = nil }
        return (node.tasks.sorted(), abandon(id, node, node.priorities.highest))
    }

    /// The tasks that are subscribed to exactly this node.
    func tasks(of node: NodeID) -> NumberSet { nodes[node]?.tasks ?? NumberSet() }

    /// The tasks that are subscribed to a node or to a dependent one.
    func tasks(above node: NodeID) -> [TaskID] {
        guard let node = nodes[node] else { return [] }
        return node.dependents.reduce(into: Array(node.tasks)) { $0 += tasks(above: $1) }
    }

    /// The nodes that depend on a node.
    func dependents(of node: NodeID) -> NumberSet { nodes[node]?.dependents ?? NumberSet() }

    /// A node and its chain of dependencies.
    func chain(from node: NodeID) -> [NodeID] {
        Array(sequence(first: node) { nodes[$0]?.dependency })
    }

    // MARK: - Working

    /// Requests a slot in a stage for a node.
    ///
    /// Outside the queue there is no wait and no limit.
    mutating func ask(
        _ node: NodeID, _ stage: Stage, isOutsideQueue: Bool = false
    ) -> (ticket: WorkQueue.Ticket, answer: Action?) {
        lastTicket += 1
        let ticket = lastTicket
        guard let own = nodes[node], let priority = own.priorities.highest else {
            return (ticket, .refuse(ticket))
        }
        if isOutsideQueue || own.skipped.contains(stage) { return (ticket, .grant(ticket)) }
        let mayWork = queues[stage.rawValue].enter(ticket, priority)
        update(node) { $0.tickets.insert(ticket) }
        slots[ticket] = Slot(
            node: node, stage: stage, isWaiting: !mayWork, priority: priority)
        return (ticket, mayWork ? .grant(ticket) : nil)
    }

    /// Ends the work of a ticket; others may start.
    mutating func release(_ ticket: WorkQueue.Ticket) -> [Action] {
        guard let slot = slots.removeValue(forKey: ticket) else { return [] }
        update(slot.node) { $0.tickets.remove(ticket) }
        return grants(queues[slot.stage.rawValue].release(ticket))
    }

    /// Lets a node and its dependencies skip the queue of a stage, now and later.
    mutating func skipQueue(_ stage: Stage, for node: NodeID) -> [Action] {
        chain(from: node).flatMap { node -> [Action] in
            update(node) { $0.skipped.insert(stage) }
            return (nodes[node]?.tickets ?? NumberSet()).compactMap { ticket in
                guard let slot = slots[ticket], slot.isWaiting, slot.stage == stage else {
                    return nil
                }
                forget(ticket, slot)
                return .grant(ticket)
            }
        }
    }

    /// The queue of a stage.
    func queue(of stage: Stage) -> WorkQueue { queues[stage.rawValue] }

    /// Changes the queue of a stage; tickets for which there is room now may work.
    mutating func changeQueue(of stage: Stage, _ body: (inout WorkQueue) -> Void) -> [Action] {
        body(&queues[stage.rawValue])
        return grants(queues[stage.rawValue].grantDue())
    }

    // MARK: - Steps

    private mutating func grants(_ granted: [WorkQueue.Ticket]) -> [Action] {
        for ticket in granted { slots[ticket]?.isWaiting = false }
        return granted.map { .grant($0) }
    }

    /// Changes a node in place; the subscript would copy it.
    private mutating func update(_ id: NodeID, _ body: (inout Node) -> Void) {
        if let place = nodes.index(forKey: id) { body(&nodes.values[place]) }
    }

    private mutating func findOrMake(_ key: WorkKey?) -> (node: NodeID, isNew: Bool) {
        if let key, let id = shared[key] { return (id, false) }
        lastNode += 1
        nodes[lastNode] = Node(key: key)
        if let key { shared[key] = lastNode }
        return (lastNode, true)
    }

    private mutating func lose(_ id: NodeID, _ priority: Priority) -> [Action] {
        change(id) { $0.remove(priority) }
        guard let node = nodes[id], node.priorities.highest == nil else { return [] }
        nodes[id] = nil
        if let key = node.key { shared[key] = nil }
        return [.cancel(id)] + abandon(id, node, priority)
    }

    /// Releases what a removed node was waiting for.
    private mutating func abandon(
        _ id: NodeID, _ node: Node, _ priority: Priority?
    ) -> [Action] {
        var actions: [Action] = []
        for ticket in node.tickets.sorted() {
            guard let slot = slots[ticket], slot.isWaiting else { continue }
            forget(ticket, slot)
            actions.append(.refuse(ticket))
        }
        if let below = node.dependency, let priority {
            update(below) { $0.dependents.remove(id) }
            actions += lose(below, priority)
        }
        return actions
    }

    private mutating func forget(_ ticket: WorkQueue.Ticket, _ slot: Slot) {
        _ = queues[slot.stage.rawValue].remove(ticket, slot.priority)
        slots[ticket] = nil
        update(slot.node) { $0.tickets.remove(ticket) }
    }

    /// Changes the subscribers of a node, and propagates a new maximum to its tickets and dependencies.
    private mutating func change(_ id: NodeID, _ body: (inout PriorityCounts) -> Void) {
        guard let place = nodes.index(forKey: id) else { return }
        let old = nodes.values[place].priorities.highest
        body(&nodes.values[place].priorities)
        guard let old, let new = nodes.values[place].priorities.highest, new != old else { return }
        let node = nodes.values[place]
        for ticket in node.tickets {
            guard let slot = slots[ticket], slot.isWaiting else { continue }
            queues[slot.stage.rawValue].move(ticket, from: slot.priority, to: new)
            slots[ticket]?.priority = new
        }
        guard let below = node.dependency else { return }
        change(below) {
            $0.add(new)
            $0.remove(old)
        }
    }
}
