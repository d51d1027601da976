extension ImagePipeline {
    /// Whether previews are made, for all requests or for this one.
    func isProgressive(_ request: ImageRequest) -> Bool {
        configuration.isProgressiveDecodingEnabled || request.options.contains(.progressive)
    }

    /// Whether a task is told of a preview: of one that was in memory always.
    func isWanted(_ preview: LoadedImage, by request: ImageRequest) -> Bool {
        preview.cacheType == .memory || isProgressive(request)
    }
}

// Previews of a download, with the same processors as the final image.
extension ImageNode {
    /// Makes previews during a download, once a subscriber wants them.
    func makePreviews(of download: DataWork) {
        guard request.selection == .all else { return }
        unit.previews.offer { [self] in
            var loop: PreviewLoop?
            for await body in download.output.partials {
                guard !Task.isCancelled else { return }
                // Another URL replaces one whose download failed.
                let present = loop?.body === body ? loop : nil
                let next = present ?? PreviewLoop(body, for: self)
                loop = next
                if let preview = await next.next(), !Task.isCancelled {
                    publish(LoadedImage(container: preview, head: body.head))
                }
            }
        }
    }

    /// Processes the previews of the unprocessed image, one at a time and only the newest.
    func processPreviews(of unprocessed: ImageWork, by processor: any ImageProcessing) {
        // One that was in memory is processed for all tasks, since it costs no bytes.
        if unprocessed.previews.isInMemory {
            unit.previews.isInMemory = true
            unit.previews.isWanted = true
        }
        unit.previews.offer { [self] in
            for await preview in unprocessed.output.partials {
                guard !Task.isCancelled,
                    let ticket = await graph.acquire(.processing, for: unit.id)
                else { return }
                guard !Task.isCancelled else { return graph.release(ticket) }
                let processed = try? await preview.container.applying(processor)
                graph.release(ticket)
                guard let processed, !Task.isCancelled else { continue }
                var next = preview
                next.container = processed
                publish(next)
            }
        }
    }

    /// Publishes a preview to the tasks of the node that want it, and to the dependent nodes.
    func publish(_ preview: LoadedImage) {
        guard let subscribed = graph.tasks(of: unit.id) else { return }
        let tasks = subscribed.compactMap { $0 as? ImageTask }.filter {
            pipeline.isWanted(preview, by: $0.request)
        }
        var preview = preview
        preview.container.isPreview = true
        unit.output.publish(preview)
        if configuration.isStoringPreviewsInMemoryCache, !tasks.isEmpty,
            preview.cacheType != .memory, !request.options.contains(.disableMemoryCacheWrites)
        {
            keepInMemory(preview.container)
        }
        for task in tasks { task.didPreview(preview) }
    }

    private func keepInMemory(_ preview: ImageContainer) {
        let key = ImageCacheKey(request)
        let cache = pipeline.imageCache(for: request)
        cache?[key] = preview
        // The final image may have arrived since: then it replaces the preview.
        guard graph.tasks(of: unit.id) == nil else { return }
        if cache?[key]?.isPreview == true { cache?[key] = nil }
        guard case .success(let image) = unit.output.result?.result, image.substitute == nil else {
            return
        }
        cache?[key] = image.container
    }
}
