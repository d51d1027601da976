internal import CoreMetrics
internal import LazyBytes
internal import Logging

// What a task's life is told to: the delegate, metrics, the log.
extension ImagePipeline {
    func didStart(_ task: ImageTask, isNew: Bool) {
        metrics.started.increment()
        if !isNew {
            metrics.coalesced.increment()
            task.didJoin()
        }
        delegate?.imageTaskDidStart(task, pipeline: self)
    }

    func didHappen(_ event: ImageTask.Event, to task: ImageTask) {
        delegate?.imageTask(task, didReceive: event, pipeline: self)
    }

    func didEnd(_ task: ImageTask, _ event: ImageTask.Event, _ summary: TaskSummary) {
        count(event, summary)
        configuration.logger.debug("\(summary)", metadata: ["task": "\(task.id)"])
        guard let delegate else { return }
        delegate.imageTask(task, didReceive: event, pipeline: self)
        delegate.imageTask(task, didFinish: summary, pipeline: self)
    }

    private func count(_ event: ImageTask.Event, _ summary: TaskSummary) {
        switch event {
        case .finished(.success): metrics.succeeded.increment()
        case .finished(.failure(.cancelled)): metrics.cancelled.increment()
        default: metrics.failed.increment()
        }
    }
}
