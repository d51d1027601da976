internal import LazyBytes
internal import LazyLoading
internal import LazyMedia

/// What is decoded: bytes, and what is wanted of them.
struct DecodeJob: Sendable {
    let bytes: any ByteSource
    /// The bytes where they are worth handing on.
    let blob: Blob?
    let request: ImageRequest
    /// Ends decoding when nobody wants it any more.
    let flag: CancellationFlag
    /// Whether all bytes are here, or only those that are asked for will come.
    var isWhole = true
    /// What the server called the bytes, where one did.
    var contentType: String?
    /// The size of the frames in the file that the bytes were made of, where that is another one.
    var sourceSize: PixelSize?
}

/// Media that was opened for a request.
struct OpenedFrames: Sendable {
    let frames: FrameSequence
    let type: MediaType
    /// The size of the frames in the file.
    let size: PixelSize
}

// From bytes to frames with a poster.
extension ImagePipeline {
    func run(_ job: DecodeJob) async throws(PipelineError) -> ImageContainer {
        let waiting = job.endsReads()
        defer { if let waiting { job.flag.forget(waiting) } }
        let opened = try await job.pool.run { () throws(PipelineError) in try self.open(job) }
        if Task.isCancelled { throw .cancelled }
        let poster: Bitmap?
        switch job.request.selection {
        case .poster(let choice): poster = try await Self.poster(choice, of: opened.frames)
        case .all, .range:
            let isLate = job.request.options.contains(.skipDecompression)
            poster = isLate ? nil : try await Self.poster(.first, of: opened.frames)
        }
        return job.container(opened, poster)
    }

    private static func poster(
        _ choice: PosterChoice, of frames: FrameSequence
    ) async throws(PipelineError) -> Bitmap {
        do throws(MediaError) { return try await frames.poster(choice).bitmap } catch {
            throw PipelineError(error)
        }
    }

    /// Finds the decoder and reads the header; blocks.
    func open(_ job: DecodeJob) throws(PipelineError) -> OpenedFrames {
        guard job.bytes.count > 0 else { throw .dataIsEmpty }
        let type = try Self.media { () throws(MediaError) -> MediaType in
            try limits(of: job).check(inputBytes: job.bytes.count)
            return try configuration.decoders.type(of: job.bytes)
        }
        let own = delegate?.imageDecoder(for: type, request: job.request, pipeline: self)
        if own == nil, configuration.decoders.decoder(for: type) == nil {
            throw .decoderNotRegistered(try job.unsupported(type))
        }
        return try Self.media { () throws(MediaError) in try sequence(job, type, own) }
    }

    private func sequence(
        _ job: DecodeJob, _ type: MediaType, _ own: (any MediaDecoding)?
    ) throws(MediaError) -> OpenedFrames {
        let limits = limits(of: job)
        try job.flag.check()
        var media: any OpenedMedia =
            if let own {
                try own.open(job.bytes, type: type, limits: limits)
            } else {
                try configuration.decoders.open(job.bytes, as: type, limits: limits)
            }
        let size = media.info.size
        media = try job.request.tailored(media, limits, job.flag)
        let frames = FrameSequence(
            media, limits: limits, delayRule: configuration.delayRule, pool: job.pool)
        return OpenedFrames(frames: frames, type: type, size: size)
    }

    private func limits(of job: DecodeJob) -> DecodingLimits {
        var limits = configuration.limits
        if !job.isWhole { limits.inputBytes = nil }
        return limits
    }

    private static func media<Value>(
        _ body: () throws(MediaError) -> Value
    ) throws(PipelineError) -> Value {
        do throws(MediaError) { return try body() } catch { throw PipelineError(error) }
    }
}

extension DecodeJob {
    /// What the request is answered with; without a poster that is decoded at its first use.
    func container(_ opened: OpenedFrames, _ poster: Bitmap?) -> ImageContainer {
        var container: ImageContainer
        switch (request.selection, poster) {
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

    /// What is said of bytes that no decoder takes.
    fileprivate func unsupported(_ type: MediaType) throws(PipelineError) -> UnsupportedContent {
        do throws(MediaError) {
            let head = try MemoryBytes(capacity: min(bytes.count, UnsupportedContent.headSize)) {
                (buffer) throws(MediaError) in
                try bytes.read(at: 0, into: buffer)
            }
            return UnsupportedContent(
                type: type, contentType: contentType, head: head.withBytes { Array($0) })
        } catch {
            throw PipelineError(error)
        }
    }
}

extension ImageRequest {
    /// Media cut to the part and the size that are asked for; blocks where frames are counted.
    func tailored(
        _ media: any OpenedMedia, _ limits: DecodingLimits, _ flag: CancellationFlag
    ) throws(MediaError) -> any OpenedMedia {
        var media = media
        if case .range(let times) = selection { media = try RangedMedia(media, times, flag) }
        if let thumbnail { media = try ThumbnailMedia(media, thumbnail.size, limits) }
        return media
    }
}

extension PipelineError {
    /// The pipeline's word for what a decoder says.
    ///
    /// Where bytes are fetched while they are decoded, what fails may be the loading.
    init(_ error: MediaError) {
        if error.code == .cancelled {
            self = .cancelled
        } else if let loading = error.loadingError {
            self.init(loading, limit: nil)
        } else {
            self = .decodingFailed(error)
        }
    }
}

extension MediaError {
    /// The failed load below, where that is what it comes from.
    fileprivate var loadingError: LoadingError? {
        var below = underlying
        while let error = below as? MediaError { below = error.underlying }
        return below as? LoadingError
    }
}
