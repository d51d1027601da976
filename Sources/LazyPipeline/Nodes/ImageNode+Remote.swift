internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading
internal import LazyMedia

// For posters of remote clips, which are decoded from ranges of the file.
extension ImageNode {
    /// The result of reading a poster by ranges.
    enum RemoteReading {
        case read(LoadedImage)
        /// The server sends the whole file.
        case begun(LoadResponse)
        /// The whole file is to be loaded.
        case notAsked
    }

    /// Whether the poster may be read by ranges.
    var isRemotePoster: Bool {
        guard case .poster = request.selection else { return false }
        return allowsRanges
    }

    /// Reads the poster by ranges, if they are worth it.
    func readRemotely() async throws(PipelineError) -> RemoteReading {
        guard let opener = configuration.remoteOpener,
            let load = configuration.unlimitedLoadRequest(for: request), await !hasStoredData
        else { return .notAsked }
        if let stored = try await delayDownload() { return .begun(stored) }
        return try await inStage(.loading, isOutsideQueue: request.skipsQueue) {
            () async throws(PipelineError) -> RemoteReading in
            try await waitForRate()
            let approved = try await pipeline.approved(load, for: request)
            let opened: RemoteOpened
            do throws(LoadingError) { opened = try await opener.open(approved) } catch {
                throw PipelineError(error, limit: approved.maximumBytes)
            }
            return switch opened {
            case .whole(let response):
                try await read(response)
            case .ranges(let clip):
                .read(
                    LoadedImage(container: try await decode(clip), head: clip.head))
            case .usual: .notAsked
            }
        }
    }

    /// Reads a poster of a body without a known length as soon as its bytes are there.
    private func read(_ response: LoadResponse) async throws(PipelineError) -> RemoteReading {
        guard case .poster(let choice) = request.selection, response.head.status == 200,
            response.head.expectedCount == nil
        else { return .begun(response) }
        switch try await arriving(response, for: choice) {
        case .whole(let response): return .begun(response)
        case .part(let part, let head):
            return .read(LoadedImage(container: try await decode(part, head), head: head))
        case .other: return .notAsked
        }
    }

    private func decode(
        _ part: Blob, _ head: ResponseHead
    ) async throws(PipelineError) -> ImageContainer {
        var transfer = WorkRecord()
        transfer.origin = head.origin
        transfer.networkBytes = part.count
        unit.charge { $0.add(transfer) }
        pipeline.count(transfer)
        let job = DecodeJob(
            remote: BlobBytes(partial: part), for: request, flag: unit.flag, pool: .remote,
            head: head)
        return try await job.run(in: pipeline)
    }

    private func decode(_ clip: RemoteMedia) async throws(PipelineError) -> ImageContainer {
        let began = clock.now
        defer {
            var transfer = WorkRecord()
            transfer.decoding = clock.now - began
            transfer.origin = clip.head.origin
            transfer.networkBytes = clip.bytesRead()
            unit.charge { $0.add(transfer) }
            pipeline.count(transfer)
        }
        let registration = unit.flag.onCancel { clip.bytes.cancelReads() }
        defer { unit.flag.forget(registration) }
        let job = DecodeJob(
            remote: clip.bytes, for: request, flag: unit.flag, pool: .remote,
            head: clip.head)
        return try await job.run(in: pipeline)
    }

    /// Whether the data cache has the bytes, so that none need be fetched.
    private var hasStoredData: Bool {
        get async {
            guard request.readsDataCache, let cache = pipeline.dataCache(for: request) else {
                return false
            }
            let key = request.dataKeyText
            return await BlockingPool.disk.run { cache.containsData(for: key) }
        }
    }
}
