internal import LazyBase
internal import LazyLoading
internal import LazyMedia

extension ImageNode {
    /// Decodes the bytes of the request; a response that has begun is read on.
    func decodeData(
        _ source: Source?, begun: LoadResponse?
    ) async throws(PipelineError) -> LoadedImage {
        let data = try await bytes(source, begun: begun)
        let job =
            try await streamJob(data, for: request)
            ?? DecodeJob(data.blob, for: request, flag: unit.flag, head: data.head)
        return LoadedImage(
            container: try await run(job), head: data.head, cacheType: data.cacheType,
            substitute: data.substitute)
    }

    /// The bytes of the whole image, if that is in memory and this is a part or a size of it.
    var bytesInMemory: Blob? {
        guard request.hasBytes, request.processors.isEmpty, request.isFinished else { return nil }
        guard let whole = pipeline.cachedInMemory(request.finished), !whole.isPreview else {
            return nil
        }
        return whole.data
    }

    /// Decodes the bytes of the whole image in memory, which need not be loaded again.
    func decode(inMemory blob: Blob) async throws(PipelineError) -> LoadedImage {
        let container = try await run(DecodeJob(blob, for: request, flag: unit.flag))
        unit.charge { $0.cacheType = .memory }
        return LoadedImage(container: container, cacheType: .memory, isProcessed: true)
    }

    /// Runs a job in the stage of decoding.
    func run(_ job: DecodeJob) async throws(PipelineError) -> ImageContainer {
        try await inStage(.decoding) {
            () async throws(PipelineError) in try await job.run(in: pipeline)
        }
    }

    private func bytes(
        _ source: Source?, begun: LoadResponse?
    ) async throws(PipelineError) -> LoadedData {
        if case .data(let work) = source { return try await output(of: work) }
        guard let work = subscribeToData(begun: begun) else { throw .cancelled }
        makePreviews(of: work)
        return try await output(of: work)
    }
}

/// Decodes bytes to the frames and the poster of a request.
struct DecodeJob: Sendable {
    /// The media that was opened.
    struct Opened: Sendable {
        let frames: FrameSequence
        let type: MediaType
        /// The size of the frames in the file.
        let size: PixelSize
    }

    private let bytes: any ByteSource
    /// The bytes, if the container is to hold them.
    private let blob: Blob?
    let request: ImageRequest
    /// Cancels decoding.
    private let flag: CancellationFlag
    private let pool: BlockingPool
    /// The head of the response, if any.
    private let head: ResponseHead?
    /// The size of the frames in the source, if the bytes are a processed copy.
    private let sourceSize: PixelSize?
    /// The stream whose playlist the bytes are, if they are one.
    private let stream: StreamOpening?

    /// Decodes complete bytes.
    init(
        _ blob: Blob, for request: ImageRequest, flag: CancellationFlag,
        head: ResponseHead? = nil, sourceSize: PixelSize? = nil
    ) {
        bytes = BlobBytes(blob)
        self.blob = blob
        self.request = request
        self.flag = flag
        pool = .shared
        self.head = head
        self.sourceSize = sourceSize
        stream = nil
    }

    /// Decodes remote bytes, which are loaded as they are read.
    init(
        remote bytes: any ByteSource, for request: ImageRequest, flag: CancellationFlag,
        pool: BlockingPool, head: ResponseHead
    ) {
        self.bytes = bytes
        blob = nil
        self.request = request
        self.flag = flag
        self.pool = pool
        self.head = head
        sourceSize = nil
        stream = nil
    }

    /// Decodes a stream, whose segments are loaded as they are read.
    init(
        _ stream: StreamOpening, of playlist: Blob, for request: ImageRequest,
        flag: CancellationFlag, head: ResponseHead?
    ) {
        bytes = BlobBytes(playlist)
        blob = nil
        self.request = request
        self.flag = flag
        pool = .remote
        self.head = head
        sourceSize = nil
        self.stream = stream
    }

    /// Whether segments are loaded while it is decoded.
    var isStream: Bool { stream != nil }

    /// Decodes the poster; an error tells the response, too.
    func run(in pipeline: ImagePipeline) async throws(PipelineError) -> ImageContainer {
        do throws(PipelineError) { return try await decode(in: pipeline) } catch {
            throw error.of(head)
        }
    }

    private func decode(in pipeline: ImagePipeline) async throws(PipelineError) -> ImageContainer {
        let choice = posterChoice
        switch choice {
        case nil, .first, .at:
            // Nothing suspends between the first byte and the picture.
            return try await pool.run { () throws(PipelineError) in
                try decode(choice, in: pipeline)
            }
        case .percent, .index, .chapter, .embedded, .auto, .within:
            // Going from thread to thread costs more than reading many a header.
            return try await pool.working { () async throws(PipelineError) in
                let opened = try open(in: pipeline)
                if Task.isCancelled { throw .cancelled }
                return container(opened, try await Self.poster(choice ?? .first, of: opened.frames))
            }
        }
    }

    /// The poster to decode now; nil if the first access decodes it.
    private var posterChoice: PosterChoice? {
        switch request.selection {
        case .poster(let choice): choice
        case .all, .range: request.options.contains(.skipDecompression) ? nil : .first
        }
    }

    /// Decodes a poster that one reader finds; blocks.
    private func decode(
        _ choice: PosterChoice?, in pipeline: ImagePipeline
    ) throws(PipelineError) -> ImageContainer {
        let opened = try open(in: pipeline)
        if flag.isCancelled { throw .cancelled }
        // The cover of a song is no frame that could be decoded later.
        guard let choice = choice ?? (opened.frames.info.isSong ? .first : nil) else {
            return container(opened, nil)
        }
        return try Self.media { () throws(MediaError) in
            container(opened, try opened.frames.poster(choice, blocking: flag)?.bitmap)
        }
    }

    /// Finds the decoder and reads the header; blocks.
    func open(in pipeline: ImagePipeline) throws(PipelineError) -> Opened {
        guard bytes.count > 0 else { throw .dataIsEmpty }
        let decoders = pipeline.configuration.decoders
        var limits = pipeline.configuration.limits
        if let stream {
            return try Self.media { () throws(MediaError) in
                try opened(
                    try stream.open(decoders, limits, for: request.streamPoster, flag), limits,
                    in: pipeline)
            }
        }
        if blob == nil { limits.inputBytes = nil }
        let type = try Self.media { () throws(MediaError) in
            try limits.check(inputBytes: bytes.count)
            return try decoders.type(of: bytes)
        }
        let own = pipeline.delegate?.imageDecoder(
            for: DecodingContext(type: type, request: request, head: head), pipeline: pipeline)
        guard own != nil || decoders.decoder(for: type) != nil else {
            throw try Self.media { () throws(MediaError) in
                .decoderNotRegistered(
                    try UnsupportedContent(
                        type: type, head: head, of: bytes,
                        naming: type == .unknown
                            ? try decoders.naming(of: bytes, limits: limits, cancellation: flag)
                            : nil))
            }
        }
        return try Self.media { () throws(MediaError) in
            try flag.check()
            let media: any OpenedMedia =
                if let own {
                    try own.open(bytes, type: type, limits: limits, cancellation: flag)
                } else {
                    try decoders.open(bytes, as: type, limits: limits, cancellation: flag)
                }
            return try opened(media, limits, in: pipeline)
        }
    }

    private func opened(
        _ media: any OpenedMedia, _ limits: DecodingLimits, in pipeline: ImagePipeline
    ) throws(MediaError) -> Opened {
        let frames = FrameSequence(
            try request.tailored(media, limits, flag), limits: limits,
            delayRule: pipeline.configuration.delayRule, pool: pool)
        return Opened(frames: frames, type: media.info.type, size: media.info.size)
    }

    private static func media<Value>(
        _ body: () throws(MediaError) -> Value
    ) throws(PipelineError) -> Value {
        do throws(MediaError) { return try body() } catch { throw PipelineError(error) }
    }

    private static func poster(
        _ choice: PosterChoice, of frames: FrameSequence
    ) async throws(PipelineError) -> Bitmap {
        do throws(MediaError) { return try await frames.poster(choice).bitmap } catch {
            throw PipelineError(error)
        }
    }

    /// The container of opened media; a nil poster is decoded at the first access.
    func container(_ opened: Opened, _ poster: Bitmap?) -> ImageContainer {
        var container: ImageContainer
        switch (request.selection, poster) {
        case (_, let poster?) where opened.frames.info.isSong:
            container = ImageContainer(still: poster, type: opened.type)
        case (.poster, let poster?): container = ImageContainer(still: poster, type: opened.type)
        case (_, let poster?):
            container = ImageContainer(
                frames: opened.frames, image: poster, type: opened.type, data: blob)
        case (_, nil):
            container = ImageContainer(undecoded: opened.frames, type: opened.type, data: blob)
        }
        if case .poster = request.selection {
        } else {
            container.sourceBytes = blob?.bytesInMemory?.count ?? 0
        }
        container.sourceSize = sourceSize ?? opened.size
        return container
    }
}
