#if OpenCombine
internal import LazyBase
internal import OpenCombine

/// Takes values for a subscriber of any type.
protocol LatestSink<Input, Failure>: AnyObject, Sendable {
    associatedtype Input
    associatedtype Failure: Error

    /// Replaces the value that is to be delivered.
    func offer(_ value: Input)

    /// Completes the subscription; a pending value is delivered before, except before a failure.
    func finish(_ completion: Subscribers.Completion<Failure>)
}

/// Delivers to a subscriber of any type.
private protocol Delivering: AnyObject, Sendable {
    /// Delivers what is pending; called as the delivery specifies.
    func deliver()
}

/// Delivers values to a subscriber on demand; keeps only the latest value that is pending.
///
/// Work starts with the first demand and ends when this is cancelled or released. The subscriber is
/// called as the delivery specifies, and never after a `cancel()` in the same context.
///
/// Unchecked: only the thread that has set `isScheduled` calls the subscriber.
final class LatestSubscription<Downstream: Subscriber>: Subscription, LatestSink, Delivering,
    @unchecked Sendable
where Downstream.Input: Sendable {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure
    typealias Completion = Subscribers.Completion<Downstream.Failure>
    /// Starts the work; releasing the returned object ends it.
    typealias Start = @Sendable (any LatestSink<Input, Failure>) -> any AnyObject & Sendable

    /// Unchecked: the subscriber is called by one thread at a time, as above.
    private struct Holder: @unchecked Sendable {
        let subscriber: Downstream
    }

    private struct State {
        /// Nil after the end: subscribers often retain their subscription.
        var downstream: Holder?
        var demand = Subscribers.Demand.none
        var latest: Downstream.Input?
        var completion: Completion?
        /// Whether a delivery is scheduled or in progress.
        var isScheduled = false
        var isOver = false
        var start: Start?
        var work: (any AnyObject & Sendable)?

        /// Whether there is something to deliver now.
        var isDeliverable: Bool {
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
            guard !state.isScheduled, state.isDeliverable else { return false }
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
        guard state.isDeliverable, let downstream = state.downstream else {
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

/// A task that is cancelled when this is released, with a closure that ends its load.
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
#endif
