internal import LazyBase

/// The pipeline as its tasks see it.
protocol TaskOwner: AnyObject, Sendable {
    /// The clock that the duration of a task is measured by.
    var clock: any SteadyClock { get }

    /// Whether `didHappen` tells anybody.
    var observesEvents: Bool { get }

    func setPriority(_ priority: Priority, of task: Int)
    func leave(_ task: Int)

    /// Finds out what is known of a result, and tells the task.
    func findHead(of task: RenditionTask)
    /// Makes the rendition of a task, of a source that its head came from.
    func make(_ task: RenditionTask, of source: (any HeldSource)?)
    /// Lets the work of a task go on for a while without it.
    func keep(_ task: RenditionTask, for duration: Duration)

    /// A task is about to end; called before listeners are notified.
    func willEnd(with result: Result<ImageResponse, PipelineError>)
    func didHappen(_ event: ImageTask.Event, to task: ImageTask)
    func didEnd(_ task: ImageTask, _ event: ImageTask.Event, _ summary: TaskSummary)
}
