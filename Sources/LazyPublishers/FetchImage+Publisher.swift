#if OpenCombine
public import LazyMedia
public import LazyPipeline
internal import Observation
public import OpenCombine

/// Publishes a property of an observable model: its current value, and each later one.
///
/// Skips values that are not demanded in time, but never the last one. Does not retain the model,
/// and completes when it is released. Reads on the main actor, and calls the subscriber there or
/// as `on` specifies.
public struct ObservedPublisher<Output: Sendable>: Publisher, Sendable {
    /// The publisher never fails.
    public typealias Failure = Never

    private let read: @MainActor @Sendable () -> Output?

    private let delivery: PublisherDelivery

    /// Creates a publisher of the values that a closure reads; nil completes it.
    public init(
        on delivery: PublisherDelivery = .mainActor,
        _ read: @escaping @MainActor @Sendable () -> Output?
    ) {
        self.delivery = delivery
        self.read = read
    }

    /// Creates a subscription, which observes from the first demand on.
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

    /// The current value; the stream ends at the next change, or when the model is released.
    @MainActor
    private func read(tellingOf change: AsyncStream<Never>.Continuation) -> Output? {
        let signal = ChangeSignal(change)
        return withObservationTracking(read) { signal.fire() }
    }
}

/// Ends a stream at the first change, or when the observed object is released.
private final class ChangeSignal: Sendable {
    private let continuation: AsyncStream<Never>.Continuation

    init(_ continuation: AsyncStream<Never>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }

    func fire() { continuation.finish() }
}

extension FetchImage {
    /// Publishes the current image and each later one; nil if there is none.
    public var imagePublisher: ObservedPublisher<Bitmap?> {
        ObservedPublisher { [weak self] in self.map(\.image) }
    }

    /// Publishes the progress of the download.
    public var progressPublisher: ObservedPublisher<ImageTask.Progress> {
        ObservedPublisher { [weak self] in self?.progress }
    }

    /// Publishes whether a load is in progress.
    public var isLoadingPublisher: ObservedPublisher<Bool> {
        ObservedPublisher { [weak self] in self?.isLoading }
    }

    /// Publishes the current phase and each later one.
    public var phasePublisher: ObservedPublisher<LoadPhase> {
        ObservedPublisher { [weak self] in self?.phase }
    }
}

extension LazyImage {
    /// Publishes the current phase and each later one.
    public var phasePublisher: ObservedPublisher<LoadPhase> {
        ObservedPublisher { [weak self] in self?.phase }
    }

    /// Publishes the current image to draw and each later one.
    public var imagePublisher: ObservedPublisher<Bitmap?> {
        ObservedPublisher { [weak self] in self.map(\.image) }
    }
}
#endif
