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
}

// From bytes to frames with a poster.
extension ImagePipeline {
    func run(_ job: DecodeJob) async throws(PipelineError) -> ImageContainer {
        let waiting = job.endsReads()
        defer { if let waiting { job.flag.forget(waiting) } }
        let (frames, type) = try await job.pool.run {
            () throws(PipelineError) in try self.open(job)
        }
        if Task.isCancelled { throw .cancelled }
        let selection = job.request.selection
        if case .poster(let choice) = selection {
            return ImageContainer(still: try await Self.poster(choice, of: frames), type: type)
        }
        var container: ImageContainer
        if job.request.options.contains(.skipDecompression) {
            container = ImageContainer(undecoded: frames, type: type, data: job.blob)
        } else {
            let poster = try await Self.poster(.first, of: frames)
            container = ImageContainer(frames: frames, image: poster, type: type, data: job.blob)
        }
        container.sourceBytes = job.blob?.bytesInMemory?.count ?? 0
        return container
    }

    private static func poster(
        _ choice: PosterChoice, of frames: FrameSequence
    ) async throws(PipelineError) -> Bitmap {
        do throws(MediaError) { return try await frames.poster(choice).bitmap } catch {
            throw PipelineError(error)
        }
    }

    /// Finds the decoder and reads the header; blocks.
    private func open(_ job: DecodeJob) throws(PipelineError) -> (FrameSequence, MediaType) {
        guard job.bytes.count > 0 else { throw .dataIsEmpty }
        let type = try Self.media { () throws(MediaError) -> MediaType in
            try limits(of: job).check(inputBytes: job.bytes.count)
            return try configuration.decoders.type(of: job.bytes)
        }
        let own = delegate?.imageDecoder(for: type, request: job.request, pipeline: self)
        if own == nil, configuration.decoders.decoder(for: type) == nil {
            throw .decoderNotRegistered(type)
        }
        let frames = try Self.media { () throws(MediaError) -> FrameSequence in
            try sequence(job, type, own)
        }
        return (frames, type)
    }

    private func sequence(
        _ job: DecodeJob, _ type: MediaType, _ own: (any MediaDecoding)?
    ) throws(MediaError) -> FrameSequence {
        let limits = limits(of: job)
        try job.flag.check()
        var media: any OpenedMedia =
            if let own {
                try own.open(job.bytes, type: type, limits: limits)
            } else {
                try configuration.decoders.open(job.bytes, as: type, limits: limits)
            }
        media = try job.request.tailored(media, limits, job.flag)
        return FrameSequence(
            media, limits: limits, delayRule: configuration.delayRule, pool: job.pool)
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
