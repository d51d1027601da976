internal import FoundationEssentials
internal import LazyBytes
internal import LazyCache
internal import LazyLoading
internal import LazyMedia

/// The work that other work is made of.
enum WorkLink {
    case image(ImageWork)
    case data(DataWork)
}

// From a request to its picture: the caches, the picture with one processor less, or the bytes.
extension ImagePipeline {
    func run(_ work: ImageWork, _ link: WorkLink?) async {
        var record = WorkRecord()
        do throws(PipelineError) {
            let image = try await make(work, link, &record)
            if image.holder != .memory { storeInMemory(image, work) }
            let store = image.holder == nil ? storing(image, work) : nil
            let isKept = isWantedInMemory(image, work)
            finish(work, WorkResult(.success(image), record))
            // A preview that was still being made may have taken its place.
            if isKept, work.previews.isOn { keep(image, work.request) }
            store?()
        } catch {
            finish(work, WorkResult(.failure(error), record))
        }
    }

    /// Joins at once what the work is made of, unless a cache is to be asked first.
    func link(_ work: ImageWork) -> WorkLink? {
        let request = work.request
        guard !isFinishedLookUpNeeded(request), cachedInMemory(request) == nil else { return nil }
        if !request.processors.isEmpty {
            let below = request.keepingProcessors(request.processors.count - 1)
            return depend(work, onImage: below).map(WorkLink.image)
        }
        switch request.source {
        case .missing, .image: return nil
        case .url, .data: break
        }
        return isRemotePoster(request) ? nil : dependOnData(work).map(WorkLink.data)
    }

    private func make(
        _ work: ImageWork, _ link: WorkLink?, _ record: inout WorkRecord
    ) async throws(PipelineError) -> LoadedImage {
        let request = work.request
        // Somebody may have finished the same since the task looked.
        if let container = cachedInMemory(request), !container.isPreview {
            record.cacheType = .memory
            return LoadedImage(container: container, cacheType: .memory)
        }
        if let stored = await cachedFinished(request),
            let image = try await decodeStored(stored, work, &record)
        {
            return image
        }
        if let processor = request.processors.last {
            return try await process(processor, work, link, &record)
        }
        switch request.source {
        case .missing: throw .requestMissing
        case .image(_, let load):
            if request.options.contains(.returnCacheDataDontLoad) { throw .dataMissingInCache }
            let container = try await inStage(
                .loading, work.id, &record, \.fetching,
                isOutsideQueue: request.options.contains(.skipDataLoadingQueue)
            ) { () throws(PipelineError) in try await Self.made(by: load) }
            return LoadedImage(container: try await tailor(container, work, &record))
        case .url, .data:
            switch try await readRemotely(work, &record) {
            case .read(let image): return image
            case .begun(let response):
                return try await decodeLoaded(work, link, begun: response, &record)
            case .notAsked: return try await decodeLoaded(work, link, begun: nil, &record)
            }
        }
    }

    /// The part and the size that are asked for of a picture that a closure has made.
    private func tailor(
        _ container: ImageContainer, _ work: ImageWork, _ record: inout WorkRecord
    ) async throws(PipelineError) -> ImageContainer {
        let request = work.request
        guard request.thumbnail != nil || request.selection != .all else { return container }
        return try await inStage(.decoding, work.id, &record, \.decoding) {
            () async throws(PipelineError) -> ImageContainer in
            let made = container.frames
            do throws(MediaError) {
                let frames = try await BlockingPool.shared.run { () throws(MediaError) in
                    try made.wrapped { (media) throws(MediaError) in
                        try request.tailored(media, made.limits, work.flag)
                    }
                }
                if case .poster(let choice) = request.selection {
                    let poster = try await frames.poster(choice).bitmap
                    var still = ImageContainer(still: poster, type: container.type)
                    still.sourceSize = container.sourceSize
                    return still
                }
                var tailored = container
                tailored.sourceSize = container.sourceSize
                tailored.frames = frames
                tailored.image = try await frames.poster(.first).bitmap
                tailored.data = nil
                return tailored
            } catch {
                throw PipelineError(error)
            }
        }
    }

    // MARK: - Processors

    private func process(
        _ processor: any ImageProcessing, _ work: ImageWork, _ link: WorkLink?,
        _ record: inout WorkRecord
    ) async throws(PipelineError) -> LoadedImage {
        let request = work.request.keepingProcessors(work.request.processors.count - 1)
        let linked: ImageWork? = if case .image(let below) = link { below } else { nil }
        guard let below = linked ?? depend(work, onImage: request) else { throw .cancelled }
        processPreviews(of: below, by: processor, for: work)
        let outcome = await below.output.value
        work.previews.end()
        record.add(outcome.record)
        var image = try outcome.result.get()
        let container = image.container
        image.container = try await inStage(.processing, work.id, &record, \.processing) {
            () throws(PipelineError) in try await Self.apply(processor, to: container)
        }
        image.isProcessed = true
        return image
    }

    static func apply(
        _ processor: any ImageProcessing, to container: ImageContainer
    ) async throws(PipelineError) -> ImageContainer {
        do throws(ProcessingError) {
            if container.isAnimated, let processor = processor as? any SequenceProcessing {
                return try await container.processed(asSequenceBy: processor)
            }
            return try await BlockingPool.shared.run { () throws(ProcessingError) in
                var processed = try container.processed(by: processor)
                processed.data = nil
                return processed
            }
        } catch {
            throw .processingFailed(identifier: processor.identifier, error)
        }
    }

    // MARK: - Bytes

    private func decodeLoaded(
        _ work: ImageWork, _ link: WorkLink?, begun: LoadResponse?, _ record: inout WorkRecord
    ) async throws(PipelineError) -> LoadedImage {
        let linked: DataWork? = if case .data(let below) = link { below } else { nil }
        guard let below = linked ?? dependOnData(work, begun: begun) else { throw .cancelled }
        makePreviews(of: below, for: work)
        let outcome = await below.output.value
        work.previews.end()
        record.add(outcome.record)
        let data = try outcome.result.get()
        let container = try await decode(data, work, &record)
        return LoadedImage(
            container: container, cacheType: data.cacheType, substitute: data.substitute)
    }

    /// The picture that the data cache has; nil where it cannot be read, and is made anew.
    private func decodeStored(
        _ stored: CachedData, _ work: ImageWork, _ record: inout WorkRecord
    ) async throws(PipelineError) -> LoadedImage? {
        var request = work.request
        // What is stored is finished: nothing is chosen or scaled again.
        request.thumbnail = nil
        request.selection = .all
        let job = DecodeJob(
            bytes: BlobBytes(stored.data), blob: stored.data, request: request, flag: work.flag,
            sourceSize: PictureNote.sourceSize(stored.metadata))
        let container: ImageContainer
        do throws(PipelineError) {
            container = try await inStage(.decoding, work.id, &record, \.decoding) {
                () throws(PipelineError) in try await run(job)
            }
        } catch {
            if case .cancelled = error { throw error }
            return nil
        }
        record.storeBytes += stored.data.count
        record.cacheType = .disk
        count(record)
        return LoadedImage(container: container, cacheType: .disk)
    }

    private func decode(
        _ data: LoadedData, _ work: ImageWork, _ record: inout WorkRecord
    ) async throws(PipelineError) -> ImageContainer {
        var job = DecodeJob(
            bytes: BlobBytes(data.blob), blob: data.blob, request: work.request, flag: work.flag)
        job.contentType = data.head?.headers["Content-Type"]
        return try await inStage(.decoding, work.id, &record, \.decoding) {
            () throws(PipelineError) in try await run(job)
        }
    }

    private func isRemotePoster(_ request: ImageRequest) -> Bool {
        guard case .poster = request.selection, configuration.remoteOpener != nil,
            let scheme = request.url?.scheme?.lowercased()
        else { return false }
        return ["http", "https"].contains(scheme) && request.lowDataURL == nil
            && request.alternatives.isEmpty && !request.options.contains(.returnCacheDataDontLoad)
    }

    /// What came of reading a poster by ranges.
    private enum RemoteReading {
        case read(LoadedImage)
        /// The whole is on its way.
        case begun(LoadResponse)
        /// The whole is to be loaded.
        case notAsked
    }

    /// The poster of a remote clip by its ranges, where they are worth it.
    private func readRemotely(
        _ work: ImageWork, _ record: inout WorkRecord
    ) async throws(PipelineError) -> RemoteReading {
        let request = work.request
        guard isRemotePoster(request), let opener = configuration.remoteOpener,
            var load = request.loadRequest, await !hasOriginal(request)
        else { return .notAsked }
        // Of a large clip only a little is read.
        load.take(request.options, configuration, atMost: nil)
        load.identifier = request.storage.customID
        let asked = load
        if let stored = try await delayed(work.id, request) { return .begun(stored) }
        let clock = configuration.clocks.steady
        var decoding = Duration.zero
        var transfer = WorkRecord()
        let reading = try await inStage(
            .loading, work.id, &record, \.fetching,
            isOutsideQueue: request.options.contains(.skipDataLoadingQueue)
        ) { () throws(PipelineError) -> RemoteReading in
            try await waitForRate()
            let load = try await approved(asked, request)
            let opened: RemoteOpened
            do throws(LoadingError) { opened = try await opener.open(load) } catch {
                throw PipelineError(error, limit: load.maximumBytes)
            }
            if case .whole(let response) = opened { return .begun(response) }
            guard case .ranges(let remote) = opened else { return .notAsked }
            let began = clock.now
            let job = DecodeJob(
                bytes: remote.bytes, blob: nil, request: request, flag: work.flag, isWhole: false,
                contentType: remote.head.headers["Content-Type"])
            defer {
                decoding = clock.now - began
                transfer.origin = remote.head.origin
                transfer.networkBytes = remote.bytesRead()
            }
            return .read(LoadedImage(container: try await run(job)))
        }
        record.decoding += decoding
        record.add(transfer)
        count(transfer)
        return reading
    }
}
