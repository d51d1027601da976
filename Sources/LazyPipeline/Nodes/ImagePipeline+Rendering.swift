internal import LazyBase
internal import LazyEditing
package import LazyLoading
internal import LazyMedia
internal import LazyRenditions
internal import Metrics

// What tasks ask for.
extension ImagePipeline {
    func findHead(of task: RenditionTask) {
        let request = task.request.known(by: delegate, self)
        guard isAccepted(task, request) else { return }
        if let entry = freshEntry(request, task.rendition, task.part) {
            return task.didLearn(head(of: entry.result, entry.freshness), from: nil)
        }
        guard HeadNode.start(task, request, in: self) else {
            return task.fail(.pipelineInvalidated)
        }
        if task.result != nil { graph.leave(task.headID) }
    }

    func make(_ task: RenditionTask, of source: (any HeldSource)?) {
        let request = task.request.known(by: delegate, self)
        guard isAccepted(task, request) else { return }
        if let entry = freshEntry(request, task.rendition, task.part) {
            metrics.memoryHits.increment()
            return task.end(.success(response(of: entry.result, entry.freshness, .memory)))
        }
        let priority = task.priority
        let work = RenditionNode.subscribe(
            .task(task), to: task.rendition, part: task.part, of: request,
            known: source as? KnownSource, in: self
        ) { subscription in
            if subscription.isNew { return metrics.started.increment() }
            metrics.coalesced.increment()
            task.didJoin()
            if let written = subscription.unit.output.partial {
                task.didWrite(written)
            } else if let progress = subscription.progress {
                task.didProgress(progress)
            }
        }
        guard work != nil else { return task.fail(.pipelineInvalidated) }
        if task.priority != priority { graph.setPriority(task.priority, of: task.id) }
        if task.result != nil { graph.leave(task.id) }
    }

    func keep(_ task: RenditionTask, for duration: Duration) {
        guard task.isMaking, !graph.isClosed else { return }
        let id = makeID()
        let request = task.request.known(by: delegate, self)
        RenditionNode.subscribe(
            .background(id), to: task.rendition, part: task.part, of: request, in: self)
        let (clock, end) = (clock, clock.now + duration)
        let wait = Task { [weak self] in
            try? await clock.sleep(until: end)
            self?.graph.leave(id)
            self?.kept.withLock { $0[id] = nil }
        }
        kept.withLock { $0[id] = wait }
    }

    private func isAccepted(_ task: RenditionTask, _ request: ImageRequest) -> Bool {
        if graph.isClosed {
            task.fail(.pipelineInvalidated)
        } else if case .missing = request.source {
            task.fail(.requestMissing)
        } else {
            return true
        }
        return false
    }
}

// What stores have, and what is said of it.
extension ImagePipeline {
    /// The stores of results that a request may use.
    func results(for request: ImageRequest) -> ResultStores { ResultStores(of: request, in: self) }

    /// A result in memory whose source need not be asked for, or was fresh not longer than a time ago.
    func freshEntry(
        _ request: ImageRequest, _ rendition: Rendition, _ part: Rendition.Part,
        staleFor time: Duration = .zero
    ) -> RenditionMemory.Entry? {
        guard let memory = renditionMemory, request.readsRenditionMemory, rendition.isSettled,
            let entry = memory.entry(
                at: .init(image: ImageCacheKey(request), rendition: rendition, part: part))
        else { return nil }
        if entry.freshness.end == nil || request.isForCachesOnly { return entry }
        let now = clock.now
        if entry.freshness.isFresh(at: now) { return entry }
        return time > .zero && entry.freshness.isUsable(at: now, staleFor: time) ? entry : nil
    }

    func response(
        of result: Rendition.Stored, _ freshness: SourceFreshness, _ cacheType: CacheType?
    ) -> RenditionTask.Response {
        RenditionTask.Response(
            head: head(of: result, freshness), body: result.body, report: result.report,
            cacheType: cacheType)
    }

    func head(of result: Rendition.Stored, _ freshness: SourceFreshness) -> RenditionTask.Head {
        RenditionTask.Head(
            type: result.type, tag: .init(strong: result.digest), byteCount: result.byteCount,
            lifetime: freshness.lifetime, age: freshness.age(at: clock.now),
            isPrivate: freshness.isPrivate, isStorable: freshness.isStorable)
    }

    /// The head of what no store has.
    func head(
        of rendition: Rendition, _ part: Rendition.Part, _ key: Rendition.Key?,
        _ freshness: SourceFreshness
    ) -> RenditionTask.Head {
        let type = rendition.type(of: part, by: configuration.renditionEncoders)
        return RenditionTask.Head(
            type: type ?? .unknown, tag: key.map { .init(weak: $0.text) },
            lifetime: freshness.lifetime, age: freshness.age(at: clock.now),
            isPrivate: freshness.isPrivate, isStorable: freshness.isStorable)
    }

    /// The value of `Cache-Control` for the bytes of a source as they are; nil where no server has said one.
    package func cacheControl(of head: ResponseHead, for request: ImageRequest) -> String? {
        guard let load = request.loadRequest else { return nil }
        let freshness = SourceFreshness(of: head, to: load, configuration.clocks)
        return RenditionTask.Head(
            type: .unknown, lifetime: freshness.lifetime, age: freshness.age(at: clock.now),
            isPrivate: freshness.isPrivate, isStorable: freshness.isStorable
        ).cacheControl
    }

    /// Reads the files that a rendition names; the second is what it is known by, the files by their digests.
    func resolved(
        _ rendition: Rendition
    ) async throws(PipelineError) -> (Rendition, identity: Rendition) {
        guard rendition.hasFiles else { return (rendition, rendition) }
        do throws(MediaError) {
            guard let reader = configuration.renditionFiles else {
                return (try rendition.resolved(), rendition)
            }
            let resolved = try await rendition.resolved(by: reader)
            return (resolved, rendition.isSettled ? rendition : resolved)
        } catch {
            throw PipelineError(error)
        }
    }
}

extension Rendition {
    /// Whether it says all that it is made with: files by their digests.
    fileprivate var isSettled: Bool {
        edit.overlays.isEmpty
            || edit.overlays.allSatisfy { overlay in
                guard case .file(let file) = overlay else { return true }
                return file.sha256 != nil
            }
    }
}
