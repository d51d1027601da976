public import LazyMedia
public import LazyPipeline
public import LazyUI
internal import Observation
public import OpenCombine

/// Publishes a property of an observed model: its value now, and then each one it takes.
///
/// Changes that were not demanded in time are left out, but never the last one. Ends when the
/// model is released; does not keep it. Reads on the main actor, and calls the subscriber there or
/// where `on` says.
public struct ObservedPublisher<Output: Sendable>: Publisher, Sendable {
    /// It does not fail.
    public typealias Failure = Never

    private let read: @MainActor @Sendable () -> Output?

    private let delivery: PublisherDelivery

    /// Makes a publisher of what a closure reads; nil ends it.
    public init(
        on delivery: PublisherDelivery = .mainActor,
        _ read: @escaping @MainActor @Sendable () -> Output?
    ) {
        self.delivery = delivery
        self.read = read
    }

    /// Makes a subscription, which observes from the first demand on.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        let observed = self
        let subscription = LatestSubscription(subscriber, on: delivery) { sink in
            // Owned by the work, which the subscription owns.
            OwnedWork(
                Task { @MainActor [weak sink] in
                    while !Task.isCancelled {
                        let change = AsyncStream<Never>.makeStream()
                        guard let value = observed.read(tellingOf: change.continuation) else {
                            break
                        }
                        sink?.offer(value)
                        for await _ in change.stream {}
                    }
                    sink?.finish(.finished)
                })
        }
        subscriber.receive(subscription: subscription)
    }

    /// The value now; the stream ends at the next change, or when the model is gone.
    @MainActor
    private func read(tellingOf change: AsyncStream<Never>.Continuation) -> Output? {
        let signal = ChangeSignal(change)
        return withObservationTracking(read) { signal.fire() }
    }
}

/// Ends a stream at the first change, or when whoever would tell of one is gone.
private final class ChangeSignal: Sendable {
    private let continuation: AsyncStream<Never>.Continuation

    init(_ continuation: AsyncStream<Never>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }

    func fire() { continuation.finish() }
}

extension FetchImage {
    /// Publishes the picture now, and each one that takes its place; nil where there is none.
    public var imagePublisher: ObservedPublisher<Bitmap?> {
        ObservedPublisher { [weak self] in self.map(\.image) }
    }

    /// Publishes how much has arrived.
    public var progressPublisher: ObservedPublisher<ImageTask.Progress> {
        ObservedPublisher { [weak self] in self?.progress }
    }

    /// Publishes whether a load is under way.
    public var isLoadingPublisher: ObservedPublisher<Bool> {
        ObservedPublisher { [weak self] in self?.isLoading }
    }

    /// Publishes the phase now, and each one that takes its place.
    public var phasePublisher: ObservedPublisher<LoadPhase> {
        ObservedPublisher { [weak self] in self?.phase }
    }
}

extension LazyImage {
    /// Publishes the phase now, and each one that takes its place.
    public var phasePublisher: ObservedPublisher<LoadPhase> {
        ObservedPublisher { [weak self] in self?.phase }
    }

    /// Publishes the picture to draw now, and each one that takes its place.
    public var imagePublisher: ObservedPublisher<Bitmap?> {
        ObservedPublisher { [weak self] in self.map(\.image) }
    }
}
