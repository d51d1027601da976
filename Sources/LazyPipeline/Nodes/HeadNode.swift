internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyRenditions

/// A task that waits for its head, which is a subscriber of its own.
final class HeadSubscriber: SubscribedTask {
    let task: RenditionTask

    init(_ task: RenditionTask) { self.task = task }

    var id: Int { task.headID }
    var priority: Priority { task.priority }
    var downloadStart: Duration { task.downloadStart }

    func didProgress(_ progress: ImageTask.Progress) {}
    func fail(_ error: PipelineError) { task.fail(error) }
}

/// The work that tells a task what is known of its result: the version of the source, and what stores have of it.
struct HeadNode: LoadNode {
    let pipeline: ImagePipeline
    let unit: WorkUnit<Void, Never>
    let task: RenditionTask

    /// Starts the work for a task; false if the pipeline accepts none.
    static func start(_ task: RenditionTask, _ request: ImageRequest, in pipeline: ImagePipeline)
        -> Bool
    {
        let unit: WorkUnit<Void, Never>? = pipeline.graph.subscribe(
            .task(HeadSubscriber(task)), to: nil, of: request
        ) { unit in
            let node = HeadNode(pipeline: pipeline, unit: unit, task: task)
            unit.start { await node.run() }
        }
        return unit != nil
    }

    private func run() async {
        do throws(PipelineError) {
            let (rendition, identity) = try await pipeline.resolved(task.rendition)
            let source = try await source(for: rendition, held: task.held as? KnownSource)
            task.didLearn(await head(of: source, identity), from: source)
            graph.finish(unit, WorkResult(.success(()), unit.record)) { _ in }
        } catch {
            let task = task
            graph.finish(unit, WorkResult(.failure(error), unit.record)) { _ in task.fail(error) }
        }
    }

    private func head(of source: KnownSource, _ rendition: Rendition) async -> RenditionTask.Head {
        guard let version = source.version else {
            return pipeline.head(of: rendition, task.part, nil, source.freshness)
        }
        let key = Rendition.Key(
            image: ImageCacheKey(request), rendition: rendition, version: version, part: task.part)
        if let stored = await pipeline.results(for: request).result(for: key, range: 0..<0) {
            return pipeline.head(of: stored.result, source.freshness)
        }
        return pipeline.head(of: rendition, task.part, key, source.freshness)
    }
}
