internal import LazyBase

extension ImagePipeline {
    /// The order of the responses of a batch.
    public enum BatchOrder: Sendable {
        /// The order of the requests.
        case input
        /// The order of completion.
        case completion
    }

    /// One result of a batch.
    public struct BatchElement: Sendable {
        /// The index of the request in the batch.
        public let index: Int
        /// The request.
        public let request: ImageRequest
        /// The result.
        public let result: Result<ImageResponse, PipelineError>
    }

    /// Loads many images concurrently; a failure is an element like any other.
    ///
    /// At most `maxConcurrentCount` are loading or waiting to be read. Ending the iteration
    /// cancels the loads in progress.
    public func images(
        for requests: [ImageRequest], order: BatchOrder = .input, maxConcurrentCount: Int = 8
    ) -> AsyncStream<BatchElement> {
        let batch = Batch(self, requests, order, max(1, maxConcurrentCount))
        return AsyncStream {
            await batch.next()
        } onCancel: {
            batch.cancel()
        }
    }
}

/// The loads of a batch: the tasks in progress, and results that have not been read.
private final class Batch: Sendable {
    private struct State {
        var next = 0
        var taken = 0
        var tasks: [Int: ImageTask] = [:]
        var ready: [Int: ImagePipeline.BatchElement] = [:]
        var arrivals: [Int] = []
        var isCancelled = false
        /// More than one if several tasks read one stream.
        var waiters: [UnsafeContinuation<Void, Never>] = []

        mutating func takeWaiters() -> [UnsafeContinuation<Void, Never>] {
            defer { waiters = [] }
            return waiters
        }
    }
    private let state = Locked(State())
    private let pipeline: ImagePipeline
    private let requests: [ImageRequest]
    private let order: ImagePipeline.BatchOrder
    private let width: Int

    init(
        _ pipeline: ImagePipeline, _ requests: [ImageRequest], _ order: ImagePipeline.BatchOrder,
        _ width: Int
    ) {
        self.pipeline = pipeline
        self.requests = requests
        self.order = order
        self.width = width
    }

    deinit { cancel() }

    func next() async -> ImagePipeline.BatchElement? {
        while true {
            startMore()
            let (element, isEnd, waiters) = state.withLock { state in
                let (element, isEnd) = take(&state)
                // The last element ends the iteration of all other readers.
                return (element, isEnd, isOver(state) ? state.takeWaiters() : [])
            }
            for waiter in waiters { waiter.resume() }
            if let element { return element }
            if isEnd { return nil }
            await withUnsafeContinuation { (waiter: UnsafeContinuation<Void, Never>) in
                let isReady = state.withLock { state in
                    if isOver(state) || place(state) != nil { return true }
                    state.waiters.append(waiter)
                    return false
                }
                if isReady { waiter.resume() }
            }
        }
    }

    func cancel() {
        let (tasks, waiters) = state.withLock { state in
            state.isCancelled = true
            return (Array(state.tasks.values), state.takeWaiters())
        }
        for task in tasks { task.cancel() }
        for waiter in waiters { waiter.resume() }
    }

    /// The index of the element that can be read now.
    private func place(_ state: State) -> Int? {
        switch order {
        case .input: state.ready[state.taken] == nil ? nil : state.taken
        case .completion: state.arrivals.first
        }
    }

    private func isOver(_ state: State) -> Bool {
        state.isCancelled || state.taken == requests.count
    }

    private func take(_ state: inout State) -> (ImagePipeline.BatchElement?, Bool) {
        if isOver(state) { return (nil, true) }
        guard let place = place(state) else { return (nil, false) }
        state.taken += 1
        state.arrivals.removeAll { $0 == place }
        return (state.ready.removeValue(forKey: place), false)
    }

    private func startMore() {
        while let index = state.withLock({ state -> Int? in
            guard !state.isCancelled, state.next < requests.count,
                state.next - state.taken < width
            else { return nil }
            defer { state.next += 1 }
            return state.next
        }) {
            let request = requests[index]
            // The batch retains the task, and not the reverse.
            let task = pipeline.loadImage(with: request) { [weak self] result in
                self?.didEnd(.init(index: index, request: request, result: result))
            }
            let isCancelled = state.withLock { state in
                if state.ready[index] == nil, !state.arrivals.contains(index) {
                    state.tasks[index] = task
                }
                return state.isCancelled
            }
            if isCancelled { task.cancel() }
        }
    }

    private func didEnd(_ element: ImagePipeline.BatchElement) {
        let waiters = state.withLock { state in
            state.tasks[element.index] = nil
            state.ready[element.index] = element
            state.arrivals.append(element.index)
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }
}
