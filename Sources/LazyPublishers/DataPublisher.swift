#if OpenCombine
public import LazyBase
public import LazyLoading
public import LazyPipeline
public import OpenCombine

/// Publishes the encoded bytes of a request; cold, as `ImagePublisher` is.
public struct DataPublisher: Publisher, Sendable {
    /// The bytes, and the head of the response if there was one.
    public typealias Output = (data: Blob, head: ResponseHead?)
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

    /// Creates a subscription, whose load starts with the first demand.
    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == Failure {
        let (request, pipeline) = (request, pipeline)
        let subscription = LatestSubscription(subscriber, on: delivery) { sink in
            // Owned by the work, which the subscription owns.
            OwnedWork(
                Task { [weak sink] in
                    do throws(PipelineError) {
                        let answer = try await pipeline.data(for: request)
                        sink?.offer(answer)
                        sink?.finish(.finished)
                    } catch {
                        sink?.finish(.failure(error))
                    }
                })
        }
        subscriber.receive(subscription: subscription)
    }
}

extension ImagePipeline {
    /// Publishes the encoded bytes of a request.
    public func dataPublisher(
        with request: ImageRequest, on delivery: PublisherDelivery = .mainActor
    ) -> DataPublisher {
        DataPublisher(request: request, pipeline: self, on: delivery)
    }
}
#endif
