import LazyLoading
import Support
import Testing

@testable import LazyPipeline

@Suite struct WorkGraphTests {
    private func graph(_ limit: Int = 1) -> WorkGraph { WorkGraph { _ in limit } }
    private func key(_ name: String) -> WorkKey {
        .data(DataKey(ImageRequest(url: Given.url(name))))
    }

    @Test func `equal keys share a node, different keys do not`() {
        var graph = graph()
        let first = graph.join(1, .normal, key("a"))
        let second = graph.join(2, .normal, key("a"))
        let third = graph.join(3, .normal, key("b"))
        let alone = graph.join(4, .normal, nil)
        #expect(
            [first.isNew, second.isNew, third.isNew, alone.isNew] == [true, false, true, true])
        #expect(first.node == second.node)
        #expect(graph.nodeCount == 3)
    }

    @Test func `work is cancelled with its last subscriber, down the chain`() {
        var graph = graph()
        let top = graph.join(1, .normal, key("top")).node
        let other = graph.join(2, .normal, key("other")).node
        let bottom = graph.depend(top, on: key("bottom"))?.node
        #expect(graph.depend(other, on: key("bottom"))?.node == bottom)
        #expect(graph.leave(1) == [.cancel(top)])
        #expect(graph.leave(2) == [.cancel(other), .cancel(bottom ?? 0)])
        #expect(graph.nodeCount == 0 && graph.taskCount == 0)
        #expect(graph.leave(2) == [])
    }

    @Test func `a removed node gets no slot`() {
        var graph = graph()
        let node = graph.join(1, .normal, key("a")).node
        _ = graph.leave(1)
        #expect(graph.depend(node, on: key("b")) == nil)
        let (ticket, answer) = graph.ask(node, .loading)
        #expect(answer == .refuse(ticket))
    }

    @Test func `a subscriber after the end starts new work`() {
        var graph = graph()
        let first = graph.join(1, .normal, key("a")).node
        #expect(graph.finish(first).tasks == [1])
        #expect(graph.finish(first).tasks == [])
        let second = graph.join(2, .normal, key("a"))
        #expect(second.isNew && second.node != first)
    }

    @Test func `the priority is the highest of all subscribers, through the chain`() {
        var graph = graph()
        let top = graph.join(1, .low, key("top")).node
        let bottom = graph.depend(top, on: key("bottom"))?.node ?? 0
        #expect(graph.priority(of: bottom) == .low)
        _ = graph.join(2, .veryHigh, key("top"))
        #expect(graph.priority(of: bottom) == .veryHigh)
        graph.setPriority(.veryLow, of: 2)
        #expect(graph.priority(of: bottom) == .low)
        _ = graph.join(3, .high, key("bottom"))
        #expect(graph.priority(of: bottom) == .high)
        _ = graph.leave(3)
        #expect(graph.priority(of: bottom) == .low)
        _ = graph.leave(1)
        #expect(graph.priority(of: bottom) == .veryLow)
    }

    @Test func `slots go to the highest priority, first come first served within one`() {
        var graph = graph()
        let nodes = (0..<5).map { graph.join($0, .normal, key("\($0)")).node }
        let tickets = nodes.map { graph.ask($0, .loading) }
        #expect(tickets.map { $0.answer != nil } == [true, false, false, false, false])
        graph.setPriority(.high, of: 3)
        graph.setPriority(.low, of: 1)
        var order: [Int] = []
        var working = tickets[0].ticket
        for _ in 0..<4 {
            guard case .grant(let next) = graph.release(working).first else { break }
            order.append(tickets.firstIndex { $0.ticket == next } ?? -1)
            working = next
        }
        #expect(order == [3, 2, 4, 1])
        #expect(graph.release(working) == [])
        #expect(graph.runningCount(in: .loading) == 0)
    }

    @Test func `cancelled work that waits is refused, and running work keeps its slot`() {
        var graph = graph()
        let first = graph.join(1, .normal, key("1")).node
        let second = graph.join(2, .normal, key("2")).node
        let third = graph.join(3, .normal, key("3")).node
        let running = graph.ask(first, .decoding).ticket
        let waiting = graph.ask(second, .decoding).ticket
        let last = graph.ask(third, .decoding).ticket
        #expect(graph.leave(2) == [.cancel(second), .refuse(waiting)])
        #expect(graph.leave(1) == [.cancel(first)])
        #expect(graph.runningCount(in: .decoding) == 1)
        #expect(graph.release(running) == [.grant(last)])
    }

    @Test func `work outside the queue starts at once and does not count`() {
        var graph = graph()
        let first = graph.join(1, .normal, key("1")).node
        let top = graph.join(2, .normal, key("top")).node
        let second = graph.depend(top, on: key("2"))?.node ?? 0
        _ = graph.ask(first, .loading)
        let waiting = graph.ask(second, .loading).ticket
        #expect(graph.skipQueue(.loading, for: top) == [.grant(waiting)])
        #expect(graph.runningCount(in: .loading) == 1)
        #expect(graph.release(waiting) == [])
        let (ticket, answer) = graph.ask(first, .loading, isOutsideQueue: true)
        #expect(answer == .grant(ticket))
    }

    @Test func `progress reaches every task above a node`() {
        var graph = graph()
        let one = graph.join(1, .normal, key("one")).node
        let two = graph.join(2, .normal, key("two")).node
        let bottom = graph.depend(one, on: key("bottom"))?.node ?? 0
        _ = graph.depend(two, on: key("bottom"))
        _ = graph.join(3, .normal, key("bottom"))
        #expect(graph.tasks(above: bottom).sorted() == [1, 2, 3])
        #expect(graph.chain(from: one) == [one, bottom])
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `random events never exceed the limits or lose a ticket`(seed: UInt64) {
        var random = SplitMix(seed)
        var graph = graph(2)
        var live: [Int: Int] = [:]
        var running: Set<Int> = []
        var waiting: Set<Int> = []
        func act(_ actions: [WorkGraph.Action]) {
            for action in actions {
                switch action {
                case .grant(let ticket):
                    #expect(waiting.remove(ticket) != nil)
                    running.insert(ticket)
                case .refuse(let ticket): #expect(waiting.remove(ticket) != nil)
                case .cancel: break
                }
            }
        }
        for task in 0..<2000 {
            let name = String(Int.random(in: 0..<20, using: &random))
            live[task] =
                graph.join(task, Priority.allCases.randomElement(using: &random) ?? .low, key(name))
                .node
            if let node = live.values.randomElement(using: &random) {
                let (ticket, answer) = graph.ask(node, .decoding)
                waiting.insert(ticket)
                if let answer { act([answer]) }
            }
            if let victim = live.keys.randomElement(using: &random), Bool.random(using: &random) {
                live[victim] = nil
                act(graph.leave(victim))
            }
            if let hurried = live.keys.randomElement(using: &random) {
                graph.setPriority(
                    Priority.allCases.randomElement(using: &random) ?? .low, of: hurried)
            }
            if Bool.random(using: &random), let done = running.randomElement(using: &random) {
                running.remove(done)
                act(graph.release(done))
            }
            #expect(graph.runningCount(in: .decoding) == running.count)
            #expect(running.count <= 2)
            if running.count < 2 { #expect(waiting.isEmpty) }
        }
        for task in live.keys { act(graph.leave(task)) }
        for ticket in running { act(graph.release(ticket)) }
        #expect(graph.nodeCount == 0 && waiting.isEmpty)
    }

    @Test func `a finished node leaves its tasks and its dependents`() {
        var graph = graph()
        let top = graph.join(1, .normal, key("top")).node
        let bottom = graph.depend(top, on: key("bottom"))?.node ?? 0
        #expect(graph.chain(from: top) == [top, bottom])
        #expect(graph.finish(bottom).tasks == [])
        #expect(graph.chain(from: top) == [top])
        #expect(graph.finish(top).tasks == [1])
        #expect(graph.taskCount == 0 && graph.nodeCount == 0)
    }

    @Test func `skipping one queue leaves the others`() {
        var graph = graph()
        _ = graph.ask(graph.join(1, .normal, key("busy")).node, .decoding)
        let node = graph.join(2, .normal, key("waiting")).node
        let (ticket, answer) = graph.ask(node, .decoding)
        #expect(answer == nil)
        #expect(graph.skipQueue(.loading, for: node) == [])
        #expect(graph.skipQueue(.decoding, for: node) == [.grant(ticket)])
    }

    @Test func `skipping the queue applies to work that has not reached it yet`() {
        var graph = graph()
        let busy = graph.join(1, .normal, key("busy")).node
        _ = graph.ask(busy, .loading)
        let top = graph.join(2, .normal, key("top")).node
        #expect(graph.skipQueue(.loading, for: top) == [])
        let below = graph.depend(top, on: key("below"))?.node ?? 0
        let (ticket, answer) = graph.ask(below, .loading)
        #expect(answer == .grant(ticket))
        #expect(graph.ask(top, .decoding).answer != nil)
        let other = graph.join(3, .normal, key("other")).node
        #expect(graph.ask(other, .loading).answer == nil)
    }
}

@Suite struct PreviewGateTests {
    @Test func `previews are made one at a time, an interval apart, of new bytes`() {
        var gate = PreviewGate(interval: .milliseconds(500))
        #expect(gate.didReceive(10, at: .zero) == .ask)
        gate.didDecide(.incremental)
        #expect(gate.didReceive(10, at: .zero) == .make(.incremental))
        #expect(gate.didReceive(20, at: .seconds(1)) == .pass)
        gate.didFinish(hasPreview: true)
        #expect(gate.didReceive(10, at: .seconds(1)) == .pass)
        #expect(gate.didReceive(20, at: .milliseconds(499)) == .pass)
        #expect(gate.didReceive(20, at: .milliseconds(500)) == .make(.incremental))
    }

    @Test func `a disabled policy is queried again when the bytes double, six times`() {
        var gate = PreviewGate(interval: .zero)
        var asks: [Int] = []
        for count in 1...1000 where gate.didReceive(count, at: .zero) == .ask {
            asks.append(count)
            gate.didDecide(.disabled)
        }
        #expect(asks == [1, 2, 4, 8, 16, 32, 64])
    }

    @Test func `an embedded thumbnail is decoded once`() {
        var gate = PreviewGate(interval: .zero)
        #expect(gate.didReceive(1, at: .zero) == .ask)
        gate.didDecide(.thumbnail)
        #expect(gate.didReceive(1, at: .zero) == .make(.thumbnail))
        gate.didFinish(hasPreview: false)
        #expect(gate.didReceive(2, at: .zero) == .make(.thumbnail))
        gate.didFinish(hasPreview: true)
        #expect(gate.didReceive(3, at: .zero) == .pass)
    }
}
