internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyRenditions

extension MediaOpening {
    /// Opens media at a URL: the bytes that its use needs, or all of them.
    func openRemote(_ request: ImageRequest, _ call: Call) async throws(PipelineError) -> Opened {
        let (use, track) = (call.wanted.use, call.wanted.track)
        if use.mayReadRanges || track == .motion, let opened = try await openRanges(request, call) {
            return opened
        }
        if use == .bytes {
            let loaded = try await pipeline(for: call.trust).data(for: request)
            let transfer = Transfer(
                (loaded.head?.origin ?? .network).rawValue, total: loaded.data.count,
                head: loaded.head,
                received: { loaded.data.count })
            return try await decoding { () async throws(MediaError) in
                try await open(BlobBytes(loaded.data), transfer, call)
            }
        }
        var opened = try await openWhole(request, call)
        guard track != .main else { return opened }
        let result = await BlockingPool.shared.run { [self, opened] in
            Result { () throws(MediaError) in
                var other = opened
                try select(of: &other, isFile: false, call)
                return other
            }
        }
        do throws(MediaError) { opened = try result.get() } catch {
            throw PipelineError(opening: error)
        }
        return opened
    }

    // MARK: - Ranges

    // Loads only the needed bytes if none are cached and the server supports ranges.
    private func openRanges(
        _ request: ImageRequest, _ call: Call
    ) async throws(PipelineError) -> Opened? {
        guard var load = request.loadRequest, load.policy != .cacheOnly,
            request.lowDataURL == nil, request.alternatives.isEmpty,
            call.wanted.track == .motion || mayBeReadInParts(load.url),
            load.maximumBytes ?? .max >= RangeReader.firstCount,
            let opener = opener(call)
        else { return nil }
        let most = load.maximumBytes
        // The limit applies to the bytes that are read, not to the total size.
        load.maximumBytes = nil
        let remote: RemoteOpened
        do throws(LoadingError) { remote = try await opener.open(load) } catch {
            throw .dataLoadingFailed(error)
        }
        return try await decoding { () async throws(MediaError) in
            try await open(remote, atMost: most, call)
        }
    }

    private func open(
        _ remote: RemoteOpened, atMost most: Int?, _ call: Call
    ) async throws(MediaError) -> Opened? {
        let isMain = call.wanted.track == .main
        switch remote {
        case .ranges(let media) where media.type == .mpegTS && !media.isLong: return nil
        case .ranges where call.wanted.use == .everything: return nil
        case .ranges(let media)
        where call.wanted.use == .samples && isMain && !media.mayBeSampled:
            return nil
        case .whole(let response)
        where response.head.isUnending && isMain && call.wanted.use.isPartial:
            return try await open(unending: response, atMost: most, call)
        case .ranges(let media):
            let bounded = most.map { BoundedBytes(media, most: $0) }
            let opened = try await open(
                bounded ?? media.bytes,
                Transfer(
                    "ranges", total: media.bytes.count, head: media.head, received: media.bytesRead),
                call)
            // Without a list in the header all of it would be read to find the frames.
            let isListed = opened.frames.info.frameCount != nil
            if call.wanted.use == .samples, isMain, !isListed { return nil }
            // Without an index all of it would be read, too, where its ends do not tell its length.
            let info = opened.frames.info
            return media.type == .mpegTS && info.estimatedFrameCount == nil ? nil : opened
        case .whole(let response) where call.wanted.use == .playing && isMain:
            if let most, response.head.expectedCount ?? 0 > most { return nil }
            return try await open(playing: response, call)
        case .whole, .usual: return nil
        }
    }

    private func open(
        unending response: LoadResponse, atMost most: Int?, _ call: Call
    ) async throws(MediaError) -> Opened? {
        var limits = call.trust.limits(isFile: false)
        limits.inputBytes = most ?? limits.inputBytes
        let bytes = StreamedBytes.begin(unending: response, limits: limits)
        let transfer = Transfer(head: response.head, received: { bytes.received })
        switch try await beginning(of: bytes, transfer, limits: limits, isFile: false, call) {
        case .opened(let opened): return opened
        case .other: return nil
        case .whole(let blob):
            // A playlist is read by the pipeline.
            guard (try? StreamKind(BlobBytes(blob))) == nil else { return nil }
            return try await open(
                BlobBytes(blob),
                Transfer(total: blob.count, head: response.head, received: { blob.count }),
                limits: limits, call)
        }
    }

    // Without ranges a video plays while it loads; nil for other media.
    private func open(
        playing response: LoadResponse, _ call: Call
    ) async throws(MediaError) -> Opened? {
        let (total, progress) = (response.head.expectedCount, call.events.progress)
        guard let bytes = StreamedBytes.begin(response, didArrive: { progress($0, total) }) else {
            return nil
        }
        let sniffer = configuration.formats.sniffer
        let type = try? await reading(bytes, call) { () throws(MediaError) in
            try sniffer.type(of: bytes)
        }
        guard let type, configuration.formats.readsRanges(type) else { return nil }
        return try await open(
            bytes, Transfer(total: bytes.count, head: response.head, received: { bytes.received }),
            call)
    }

    private func opener(_ call: Call) -> (any RemoteOpening)? {
        let loading = loading
        guard call.wanted.use == .playing || call.wanted.track == .motion,
            loading.remoteOpener != nil
        else {
            let opener = loading.remoteOpener as? RangeOpener
            guard call.wanted.use.isGlance, call.wanted.track == .main, let opener else {
                return loading.remoteOpener
            }
            return opener.reading([.mpegTS])
        }
        var formats = configuration.formats
        // Pictures too: their header tells where the film lies.
        if call.wanted.track == .motion { formats = formats.readingRanges(of: [.jpeg, .heic]) }
        return RangeOpener(
            loader: loading.dataLoader, formats: formats, memory: 1 << 24,
            ahead: call.wanted.use.isGlance ? 0 : 1 << 22)
    }

    // Of types that are read completely, by their names, one request is enough.
    private func mayBeReadInParts(_ url: URL) -> Bool {
        let last = url.path(percentEncoded: true).split(separator: "/").last.map(String.init) ?? ""
        let name = FilePath.fileExtension(of: PercentEncoding.text(last) ?? last) ?? ""
        guard let format = configuration.formats.format(named: name) else { return true }
        return format.readsRanges || format.types.contains { $0.family == .video }
    }

    // MARK: - All of it

    private func openWhole(
        _ request: ImageRequest, _ call: Call
    ) async throws(PipelineError) -> Opened {
        var request = request
        request.options.formUnion([.disableMemoryCache, .skipDecompression])
        request.streamSize = call.wanted.size
        request.streamPoster = call.wanted.use.poster
        let task = pipeline(for: call.trust).imageTask(with: request)
        let response = try await Self.response(
            of: task, call.events, tellsParts: call.wanted.track == .main)
        call.events.willDecode(response.frames.info.type)
        let summary = task.summary
        let loaded = summary?.networkBytes ?? 0
        let total = loaded + (summary?.storeBytes ?? 0)
        let streamed = response.frames.streamedBytes
        return Opened(
            response.frames,
            Transfer(
                (summary?.origin ?? .network).rawValue, total: streamed == nil ? total : nil,
                head: response.head, received: { loaded + (streamed?() ?? 0) }))
    }

    private static func response(
        of task: ImageTask, _ events: Events, tellsParts: Bool
    ) async throws(PipelineError) -> ImageResponse {
        let result = await withTaskCancellationHandler {
            () -> Result<ImageResponse, PipelineError> in
            for await event in task.events {
                switch event {
                case .progress(let progress):
                    let total = progress.total > 0 ? Int(progress.total) : nil
                    events.progress(Int(progress.completed), total)
                case .preview(let preview):
                    guard tellsParts, preview.container.canPlay else { break }
                    events.arrived?(preview.frames)
                case .finished(let result): return result
                }
            }
            return .failure(.cancelled)
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }

    private func decoding<Value: Sendable>(
        _ body: () async throws(MediaError) -> Value
    ) async throws(PipelineError) -> Value {
        do throws(MediaError) { return try await body() } catch {
            throw PipelineError(opening: error)
        }
    }
}

extension RemoteMedia {
    /// Films up to this size are loaded whole for some of their frames: a hundred requests cost more.
    private static let smallestSampled = 1 << 24

    /// Whether its ends are looked at; what is shorter is loaded at once.
    fileprivate var isLong: Bool { bytes.count > 1 << 23 }

    /// Whether some of its frames may cost less than all of its bytes: where a header lists all frames.
    fileprivate var mayBeSampled: Bool {
        [.mp4, .m4v, .mov].contains(type) && bytes.count > Self.smallestSampled
    }
}

extension ImageContainer {
    /// Whether a preview is worth playing: the poster of a video, or several frames.
    fileprivate var canPlay: Bool { type?.family == .video || !frames.isStill }
}

extension ResponseHead {
    /// Whether the body may go on without an end.
    fileprivate var isUnending: Bool { status == 200 && expectedCount == nil }
}
