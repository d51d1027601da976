internal import LazyBase

/// The pipeline as its tasks see it.
protocol TaskOwner: AnyObject, Sendable {
    /// The clock that the duration of a task is measured by.
    var clock: any SteadyClock { get }

    /// Whether `didHappen` tells anybody.
    var observesEvents: Bool { get }

    func setPriority(_ priority: Priority, of task: Int)
    func leave(_ task: Int)

    /// A task is about to end; called before listeners are notified.
    func willEnd(with result: Result<ImageResponse, PipelineError>)
    func didHappen(_ event: ImageTask.Event, to task: ImageTask)
    func didEnd(_ task: ImageTask, _ event: ImageTask.Event, _ summary: TaskSummary)
}
