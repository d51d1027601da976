extension ImagePipeline {
    /// Subscribes a task to the image of its request, and reports the present progress to it.
    func join(_ task: ImageTask, _ request: ImageRequest) {
        let priority = task.priority
        let work = ImageNode.subscribe(
            .task(task), to: request, in: self, wantsPreviews: isProgressive(request)
        ) { subscription in
            didStart(task, isNew: subscription.isNew)
            guard !subscription.isNew else { return }
            if let progress = subscription.progress { task.didProgress(progress) }
            if isProgressive(request), let preview = subscription.unit.output.partial {
                task.didPreview(preview)
            }
        }
        guard work != nil else { return task.fail(.pipelineInvalidated) }
        // The delegate may have changed or ended the task before it had joined.
        if task.priority != priority { graph.setPriority(task.priority, of: task.id) }
        if task.result != nil { graph.leave(task.id) }
    }

    /// Subscribes a task to the bytes of its request, and reports the present progress to it.
    func join(_ task: DataTask, _ request: ImageRequest) {
        let work = DataNode.subscribe(.task(task), to: request, in: self) {
            if let progress = $0.progress { task.didProgress(progress) }
        }
        if work == nil { task.fail(.pipelineInvalidated) }
    }
}
