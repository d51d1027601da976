internal import LazyBytes
internal import OpenCombine

/// Takes values for a subscriber that is not named here.
protocol LatestSink<Input, Failure>: AnyObject, Sendable {
    associatedtype Input
    associatedtype Failure: Error

    /// There is a newer value.
    func offer(_ value: Input)

    /// There will be no more; a value not yet taken comes before that, but not before a failure.
    func finish(_ completion: Subscribers.Completion<Failure>)
}

/// Has something to hand on, to a subscriber that is not named here.
private protocol Delivering: AnyObject, Sendable {
    /// Hands on what there is; called where the delivery says.
    func deliver()
}

/// Hands values to a subscriber as it demands them; of those it has not yet taken only the last.
///
/// Work starts with the first demand, and ends when this is cancelled or released. The subscriber is
/// called where the delivery says, and not at all behind a `cancel()` that is called there too.
///
/// Unchecked: the subscriber is called by one thread at a time, whoever has set `isScheduled`.
final class LatestSubscription<Downstream: Subscriber>: Subscription, LatestSink, Delivering,
    @unchecked Sendable
where Downstream.Input: Sendable {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure
    typealias Completion = Subscribers.Completion<Downstream.Failure>
    /// Begins the work; what it returns ends it when released.
    typealias Start = @Sendable (any LatestSink<Input, Failure>) -> any AnyObject & Sendable

    /// Unchecked: the subscriber is called by one thread at a time, as above.
    private struct Holder: @unchecked Sendable {
        let subscriber: Downstream
    }

    private struct State {
        /// Nil once it is over: subscribers often hold their subscription.
        var downstream: Holder?
        var demand = Subscribers.Demand.none
        var latest: Downstream.Input?
        var completion: Completion?
        /// Whether a turn of the delivery is on its way, or under way.
        var isScheduled = false
        var isOver = false
        var start: Start?
        var work: (any AnyObject & Sendable)?

        /// Whether there is something that the subscriber is to get now.
        var hasNews: Bool {
            if isOver { return false }
            return latest == nil ? completion != nil : demand > .none
        }
    }

    private enum Step {
        case idle
        case deliver(Downstream.Input, Holder)
        case complete(Completion, Holder)
    }

    private let state: Locked<State>
    private let delivery: PublisherDelivery

    init(_ downstream: Downstream, on delivery: PublisherDelivery, start: @escaping Start) {
        self.delivery = delivery
        state = Locked(State(downstream: Holder(subscriber: downstream), start: start))
    }

    func request(_ demand: Subscribers.Demand) {
        let start = state.withLock { state -> Start? in
            state.demand += demand
            guard state.demand > .none, !state.isOver else { return nil }
            return state.start.take()
        }
        if let start {
            let work = start(self)
            state.withLock { if !$0.isOver { $0.work = work } }
        }
        drain()
    }

    func cancel() {
        // Released outside the lock.
        let released = state.withLock { state in
            state.isOver = true
            return (
                state.downstream.take(), state.latest.take(), state.start.take(),
                state.work.take()
            )
        }
        withExtendedLifetime(released) {}
    }

    func offer(_ value: Downstream.Input) {
        state.withLock { if $0.completion == nil, !$0.isOver { $0.latest = value } }
        drain()
    }

    func finish(_ completion: Completion) {
        state.withLock { state in
            guard state.completion == nil, !state.isOver else { return }
            state.completion = completion
            if case .failure = completion { state.latest = nil }
        }
        drain()
    }

    private func drain() {
        let isNeeded = state.withLock { state in
            guard !state.isScheduled, state.hasNews else { return false }
            state.isScheduled = true
            return true
        }
        let subscription: any Delivering = self
        if isNeeded { delivery.schedule { subscription.deliver() } }
    }

    func deliver() {
        while true {
            switch state.withLock({ Self.next(&$0) }) {
            case .idle: return
            case .deliver(let value, let downstream):
                let more = downstream.subscriber.receive(value)
                state.withLock { $0.demand += more }
            case .complete(let completion, let downstream):
                cancel()
                return downstream.subscriber.receive(completion: completion)
            }
        }
    }

    private static func next(_ state: inout State) -> Step {
        guard state.hasNews, let downstream = state.downstream else {
            state.isScheduled = false
            return .idle
        }
        if let value = state.latest.take() {
            state.demand -= 1
            return .deliver(value, downstream)
        }
        guard let completion = state.completion else { return .idle }
        return .complete(completion, downstream)
    }
}

/// A task that ends when nobody holds this any more, and a load with it.
final class OwnedWork: Sendable {
    private let task: Task<Void, Never>
    private let end: @Sendable () -> Void

    init(_ task: Task<Void, Never>, end: @escaping @Sendable () -> Void = {}) {
        self.task = task
        self.end = end
    }

    deinit {
        task.cancel()
        end()
    }
}
