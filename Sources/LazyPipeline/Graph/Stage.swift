typealias Stage = ImagePipeline.Stage

extension ImagePipeline {
    /// The stages that work goes through, each with a queue of its own.
    public enum Stage: Int, CaseIterable, Sendable {
        /// Loading of bytes; local files and data of the caches do not wait for it.
        case loading
        /// Decoding of posters and previews.
        case decoding
        /// Processing, one processor at a time.
        case processing
        /// Encoding of finished images for the data cache.
        case encoding
        /// Making of renditions; one that is made while it is read from a server is in the stage of loading.
        case rendering
    }

    /// The queue of a stage, which may be changed while there is work in it.
    ///
    /// ```swift
    /// pipeline.queue(.loading).isSuspended = isScrolling
    /// ```
    public func queue(_ stage: Stage) -> Queue { Queue(graph: graph, stage: stage) }

    /// The queue of one stage of a pipeline; any thread may change it.
    public struct Queue: Sendable {
        let graph: LoadGraph
        let stage: Stage

        /// The maximum of concurrent work, at least 1; at first that of the configuration.
        ///
        /// A lower one does not interrupt what has begun.
        public var limit: Int {
            get { graph.queue(of: stage).limit }
            nonmutating set { graph.changeQueue(of: stage) { $0.limit = newValue } }
        }

        /// Whether waiting work stays waiting; what has begun continues.
        ///
        /// Requests that skip the queue of loads are not held back.
        public var isSuspended: Bool {
            get { graph.queue(of: stage).isSuspended }
            nonmutating set { graph.changeQueue(of: stage) { $0.isSuspended = newValue } }
        }

        /// The number of work items in progress.
        public var runningCount: Int { graph.queue(of: stage).runningCount }
        /// The number of work items that wait.
        public var waitingCount: Int { graph.queue(of: stage).waitingCount }
    }
}
