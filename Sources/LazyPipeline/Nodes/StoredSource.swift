internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading
internal import LazyMedia

/// An entry on disk for a request, with the processors still to be applied.
struct StoredSource: Sendable {
    let job: DecodeJob
    /// The processors that are not applied yet.
    let processors: [any ImageProcessing]
}

/// A key under which the data cache may have the image of a request.
struct StoredPlace {
    let key: String
    /// The number of processors applied to the entry.
    let processorCount: Int
    /// Whether the entry is a finished image, and not the original bytes.
    let isFinished: Bool
}

// Entries on disk, found and decoded without a load.
extension ImagePipeline {
    /// The keys that a load reads from the data cache, in order.
    func places(of request: ImageRequest) -> [StoredPlace] {
        let counts = stride(from: request.processors.count, through: 0, by: -1)
        var places = counts.compactMap { count -> StoredPlace? in
            let part = request.keepingProcessors(count)
            guard mayStoreFinished(part) else { return nil }
            return StoredPlace(key: part.encodedKeyText, processorCount: count, isFinished: true)
        }
        if request.url?.isLocal != true {
            places.append(
                StoredPlace(key: request.dataKeyText, processorCount: 0, isFinished: false))
        }
        return places
    }

    /// The entry on disk for a request; blocks.
    func stored(_ request: ImageRequest, _ caches: Cache.Caches) -> StoredSource? {
        if caches.contains(.dataCache), let cache = dataCache(for: request) {
            for place in places(of: request) {
                guard let entry = cache.cachedEntry(for: place.key), entry.data.count > 0 else {
                    continue
                }
                return source(entry.data, place, request, note: entry.metadata)
            }
        }
        guard caches.contains(.responses), let body = storedBody(request) else { return nil }
        let place = StoredPlace(key: "", processorCount: 0, isFinished: false)
        return source(body, place, request, note: [])
    }

    /// The body of the stored response that a load would use; blocks.
    func storedBody(_ request: ImageRequest) -> Blob? {
        guard var load = configuration.loadRequest(for: request),
            let store = responseCache(for: request)
        else {
            return nil
        }
        // A lookup of stored responses reads them whatever the policy of a load.
        if [.reload, .noCache].contains(load.policy) { load.policy = .normal }
        return store.body(for: load)
    }

    /// The store of responses of the request's loader.
    func responseCache(for request: ImageRequest) -> ResponseCache? {
        return ((ownLoader(for: request) ?? configuration.dataLoader) as? any ResponseCaching)?
            .responseCache
    }

    private func source(
        _ data: Blob, _ place: StoredPlace, _ request: ImageRequest, note: [UInt8]
    ) -> StoredSource {
        let job = DecodeJob(
            data, for: place.isFinished ? request.finished : request, flag: CancellationFlag(),
            sourceSize: StoredImageMetadata.sourceSize(note))
        return StoredSource(
            job: job, processors: Array(request.processors.dropFirst(place.processorCount)))
    }

    // MARK: - Decoding

    /// Decodes an entry in the background.
    func decoded(_ source: StoredSource) async throws(PipelineError) -> ImageContainer {
        var container = try await source.job.run(in: self)
        for processor in source.processors {
            container = try await container.applying(processor)
        }
        return container
    }

    /// Decodes an entry on the calling thread; nil if the poster has to be searched.
    func decodedNow(_ source: StoredSource) throws(PipelineError) -> ImageContainer? {
        let opened = try source.job.open(in: self)
        guard let poster = Self.posterNow(source.job.request.selection, of: opened.frames) else {
            return nil
        }
        var container = source.job.container(opened, poster)
        for processor in source.processors {
            if container.isAnimated, processor is any SequenceProcessing { return nil }
            do throws(ProcessingError) { container = try container.processed(by: processor) } catch
            {
                throw .processingFailed(identifier: processor.identifier, error)
            }
        }
        return container
    }

    private static func posterNow(
        _ selection: ImageRequest.FrameSelection, of frames: FrameSequence
    ) -> Bitmap? {
        let options = ReaderOptions(
            limits: frames.limits, delayRule: frames.delayRule, isSingleFrame: true)
        guard let reader = try? frames.makeReader(options) else { return nil }
        do throws(MediaError) {
            switch selection {
            case .all, .range, .poster(.first): break
            case .poster(.at(let time)): try reader.seek(toTime: time)
            case .poster(.index(let index)) where index >= 0: try reader.seek(toIndex: index)
            case .poster: return nil
            }
            return try reader.nextFrame()?.bitmap
        } catch {
            return nil
        }
    }
}
