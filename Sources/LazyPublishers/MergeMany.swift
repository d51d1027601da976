public import OpenCombine

extension Publishers {
    /// Publishes the values of many publishers as they come, and ends when all have ended.
    ///
    /// The first failure ends all of it. OpenCombine has no such publisher of its own.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        /// What the publishers publish.
        public typealias Output = Upstream.Output
        /// How they fail.
        public typealias Failure = Upstream.Failure

        /// The publishers, in the order they are subscribed to.
        public let publishers: [Upstream]
        private let limit: Subscribers.Demand

        /// Merges publishers, all at one time or so many.
        public init(
            _ publishers: some Swift.Sequence<Upstream>,
            atOnce limit: Subscribers.Demand = .unlimited
        ) {
            self.publishers = Array(publishers)
            self.limit = limit
        }

        /// Merges publishers, all at one time.
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
