#if OpenCombine
public import OpenCombine

extension Publishers {
    /// Merges the values of many publishers; completes when all of them have.
    ///
    /// The first failure fails the whole. OpenCombine has no such publisher.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        /// The output of the publishers.
        public typealias Output = Upstream.Output
        /// The failure of the publishers.
        public typealias Failure = Upstream.Failure

        /// The publishers, in the order of subscription.
        public let publishers: [Upstream]
        private let limit: Subscribers.Demand

        /// Merges publishers, subscribing to at most `limit` at a time.
        public init(
            _ publishers: some Swift.Sequence<Upstream>,
            atOnce limit: Subscribers.Demand = .unlimited
        ) {
            self.publishers = Array(publishers)
            self.limit = limit
        }

        /// Merges publishers, subscribing to all at once.
        public init(_ publishers: Upstream...) { self.init(publishers) }

        /// Subscribes to the publishers.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            Publishers.Sequence<[Upstream], Failure>(sequence: publishers)
                .flatMap(maxPublishers: limit) { $0 }
                .receive(subscriber: subscriber)
        }
    }
}
#endif
