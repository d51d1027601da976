/// A task as the graph holds it.
protocol SubscribedTask: AnyObject, Sendable {
    /// The number of the task in its pipeline.
    var id: Int { get }
    /// The priority of the task now.
    var priority: Priority { get }
    /// The earliest time at which a download for the task may start.
    var downloadStart: Duration { get }

    func didProgress(_ progress: ImageTask.Progress)
    func fail(_ error: PipelineError)
}

extension ImageTask: SubscribedTask {
    var downloadStart: Duration { startedAt + request.downloadDelay }

    func fail(_ error: PipelineError) { end(.failure(error)) }
}

extension DataTask: SubscribedTask {
    var downloadStart: Duration { startedAt + request.downloadDelay }

    func fail(_ error: PipelineError) { end(.failure(error)) }
}

extension RenditionTask: SubscribedTask {
    var downloadStart: Duration { startedAt + request.downloadDelay }
}

/// Who waits for a node: a task, or a node that depends on it.
enum GraphSubscriber {
    case task(any SubscribedTask)
    /// The pipeline itself, at the lowest priority, with a number in place of a task's.
    case background(WorkGraph.TaskID)
    case node(WorkGraph.NodeID)
}
