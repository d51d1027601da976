#if OpenCombine
public import FoundationEssentials
public import LazyPipeline
public import OpenCombine

/// Publishes the previews of a request and then its image.
///
/// Cold: each subscription is a separate load, which starts with the first demand (and shares
/// work with equal loads in the pipeline). Cancelling it cancels the load. A preview that is not
/// demanded in time is replaced by the next one. The subscriber is called on the main actor or
/// as `on` specifies; with `.immediate` an image in memory arrives while it subscribes.
///
/// ```swift
/// let publisher = ImagePublisher(url: url, pipeline: pipeline)
/// let cancellable = publisher.sink { print($0) } receiveValue: { show($0.image) }
/// ```
public struct ImagePublisher: Publisher, Sendable {
    /// A preview, or the image as the last value.
    public typealias Output = ImageResponse
    /// The error of a failed load.
    public typealias Failure = PipelineError

    private let request: ImageRequest
    private let pipeline: ImagePipeline
    private let delivery: PublisherDelivery

    /// Creates a publisher of a request.
    public init(
        request: ImageRequest, pipeline: ImagePipeline,
        on delivery: PublisherDelivery = .mainActor
    ) {
        self.request = request
        self.pipeline = pipeline
        self.delivery = delivery
    }

    /// Creates a publisher of a URL.
    public init(
        url: URL, pipeline: ImagePipeline, on delivery: PublisherDelivery = .mainActor
    ) {
        self.init(request: ImageRequest(url: url), pipeline: pipeline, on: delivery)
    }

    /// Creates a subscription, whose load starts with the first demand.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        let (request, pipeline) = (request, pipeline)
        let subscription = LatestSubscription(subscriber, on: delivery) { sink in
            let task = pipeline.imageTask(with: request)
            if let result = task.result {
                sink.receive(.finished(result))
                return task
            }
            let events = task.events
            // Owned by the work, which the subscription owns.
            let listener = Task { [weak sink] in
                for await event in events { sink?.receive(event) }
            }
            return OwnedWork(listener) { task.cancel() }
        }
        subscriber.receive(subscription: subscription)
    }
}

extension LatestSink where Input == ImageResponse, Failure == PipelineError {
    fileprivate func receive(_ event: ImageTask.Event) {
        switch event {
        case .progress: break
        case .preview(let response): offer(response)
        case .finished(.success(let response)):
            offer(response)
            finish(.finished)
        case .finished(.failure(let error)): finish(.failure(error))
        }
    }
}

extension ImagePipeline {
    /// Publishes the previews of a request and then its image.
    public func imagePublisher(
        with request: ImageRequest, on delivery: PublisherDelivery = .mainActor
    ) -> ImagePublisher {
        ImagePublisher(request: request, pipeline: self, on: delivery)
    }

    /// Publishes the previews of a URL and then its image.
    public func imagePublisher(
        with url: URL, on delivery: PublisherDelivery = .mainActor
    ) -> ImagePublisher {
        ImagePublisher(url: url, pipeline: self, on: delivery)
    }
}
#endif
