internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyRenditions

extension RenditionNode {
    /// What a rendition is made of.
    enum Material: Sendable {
        /// What the request shows: processed, selected, scaled, or from a closure.
        case shown(LoadedImage)
        /// All bytes of a source.
        case bytes(LoadedData)
        /// The first bytes of a body without a length, which have the picture.
        case beginning(Blob, ResponseHead)
        /// A film that is read by ranges.
        case ranges(RemoteMedia)

        /// Whether it is not what the request names.
        var isSubstitute: Bool {
            switch self {
            case .shown(let image): image.substitute != nil
            case .bytes(let data): data.substitute != nil
            case .beginning, .ranges: false
            }
        }
    }

    /// What was made.
    struct Made: Sendable {
        var report: Rendition.Report
        var parts: [Rendition.Part: (type: MediaType, body: Blob)]
    }

    // MARK: - What it is made of

    /// The source is another one where somebody else reads the ranges of the first.
    func material(
        of source: inout KnownSource, for rendition: Rendition
    ) async throws(PipelineError) -> Material {
        guard request.hasBytes, !request.isFinished else { return .shown(try await shown(source)) }
        if let data = source.loaded { return .bytes(data) }
        var media = source.takeRanges()
        if source.isRanged, media == nil {
            source = try await self.source(for: self.rendition, held: nil, isShared: false)
            media = source.takeRanges()
        }
        if let media { return .ranges(media) }
        var begun: LoadResponse?
        if let choice = rendition.wanted.use.poster, source.hasUnendingResponse,
            let response = source.takeResponse()
        {
            switch try await arriving(response, for: choice) {
            case .whole(let response): begun = response
            case .part(let blob, let head): return .beginning(blob, head)
            case .other: break
            }
        }
        guard
            let work = DataNode.subscribe(
                .node(unit.id), to: request, in: pipeline,
                begun: begun ?? source.takeResponse())
        else { throw .cancelled }
        return .bytes(try await output(of: work))
    }

    /// What the request shows; a load that has begun continues in its download.
    private func shown(_ source: KnownSource) async throws(PipelineError) -> LoadedImage {
        let holder = pipeline.makeID()
        if request.hasBytes, source.hasResponse {
            let _: DataWork? = DataNode.subscribe(
                .background(holder), to: request, in: pipeline, begun: source.takeResponse())
        }
        defer { graph.leave(holder) }
        guard
            let work = ImageNode.subscribe(
                .node(unit.id), to: request, in: pipeline, wantsPreviews: false)
        else { throw .cancelled }
        return try await output(of: work)
    }

    // MARK: - Making

    /// Makes the rendition in the stage of its material: what waits for a server holds up no encoder.
    func make(
        _ rendition: Rendition, of material: Material
    ) async throws(PipelineError) -> Made {
        let parts = SpooledParts(pipeline.metrics) { [unit, graph] count in
            unit.output.publish(count)
            for case let task as RenditionTask in graph.tasks(above: unit.id) {
                task.didWrite(count)
            }
        }
        let (job, stage, pool) = try await job(of: material, for: rendition)
        let registration = unit.flag.onCancel { material.bytes?.cancelReads() }
        defer { unit.flag.forget(registration) }
        defer { charge(material) }
        let encoders = configuration.renditionEncoders
        let report = try await inStage(stage) { () async throws(PipelineError) in
            try await pool.working { () async throws(PipelineError) in
                var source = try opened(material, job, rendition)
                do throws(MediaError) {
                    if rendition.wanted.use == .samples {
                        source.frames = try await source.frames.samplingStreams(unit.flag)
                    }
                    return try await rendition.make(of: source, into: parts, encoders: encoders)
                } catch {
                    throw PipelineError(error).of(material.head)
                }
            }
        }
        return Made(report: report, parts: parts.take())
    }

    /// How the material is opened, and where.
    private func job(
        of material: Material, for rendition: Rendition
    ) async throws(PipelineError) -> (DecodeJob?, Stage, BlockingPool) {
        var request = request
        request.streamSize = rendition.wanted.size
        request.streamPoster = rendition.wanted.use.poster
        switch material {
        case .shown: return (nil, .rendering, .shared)
        case .bytes(let data):
            if let stream = try await streamJob(data, for: request) {
                return (stream, .loading, .remote)
            }
            let job = DecodeJob(data.blob, for: request, flag: unit.flag, head: data.head)
            return (job, .rendering, .shared)
        case .beginning(let blob, let head):
            let job = DecodeJob(
                remote: BlobBytes(partial: blob), for: request, flag: unit.flag, pool: .shared,
                head: head)
            return (job, .rendering, .shared)
        case .ranges(let media):
            let job = DecodeJob(
                remote: media.bytes, for: request, flag: unit.flag, pool: .remote,
                head: media.head)
            return (job, .loading, .remote)
        }
    }

    /// The frames of the material; blocks while a header is read.
    private func opened(
        _ material: Material, _ job: DecodeJob?, _ rendition: Rendition
    ) throws(PipelineError) -> Rendition.Source {
        var frames = try frames(of: material, job)
        let reading = rendition.reading
        do throws(MediaError) {
            if reading.track != .main {
                frames = try frames.track(
                    reading.track, openedBy: configuration.decoders, cancellation: unit.flag)
            }
        } catch {
            throw PipelineError(error).of(material.head)
        }
        var source = Rendition.Source(
            frames.rendered(
                color: reading.color, samples: reading.samples, deinterlaces: reading.deinterlaces),
            name: name, byteCount: material.byteCount,
            isLocal: job?.isStream != true && material.isLocal)
        source.bytes = material.source
        source.rewriter = configuration.decoders.rewriter(for: frames.info.type)
        // Counting would load all of a stream.
        source.isCountable = job?.isStream != true
        return source
    }

    private func frames(
        of material: Material, _ job: DecodeJob?
    ) throws(PipelineError) -> FrameSequence {
        guard let job else {
            guard case .shown(let image) = material else { throw .dataIsEmpty }
            return image.container.frames
        }
        do throws(PipelineError) { return try job.open(in: pipeline).frames } catch {
            throw error.of(material.head)
        }
    }

    /// The name of the source's file, for texts in pictures.
    private var name: String {
        let last = request.url?.path(percentEncoded: false).split(separator: "/").last
        return last.map { String($0) } ?? ""
    }

    private func charge(_ material: Material) {
        guard case .ranges(let media) = material else { return }
        var transfer = WorkRecord()
        transfer.origin = media.head.origin
        transfer.networkBytes = media.bytesRead()
        unit.charge { $0.add(transfer) }
        pipeline.count(transfer)
    }
}

extension RenditionNode.Material {
    fileprivate var head: ResponseHead? {
        switch self {
        case .shown(let image): image.head
        case .bytes(let data): data.head
        case .beginning(_, let head): head
        case .ranges(let media): media.head
        }
    }

    /// The number of all bytes, if it is known.
    fileprivate var byteCount: Int? {
        switch self {
        case .shown, .beginning: nil
        case .bytes(let data): data.blob.count
        case .ranges(let media): media.bytes.count
        }
    }

    /// Whether all of its bytes are here.
    fileprivate var isLocal: Bool {
        switch self {
        case .shown, .bytes: true
        case .beginning, .ranges: false
        }
    }

    /// The bytes of a file, of which a loop is made.
    fileprivate var source: (any ByteSource)? {
        switch self {
        case .shown, .beginning: nil
        case .bytes(let data): BlobBytes(data.blob)
        case .ranges(let media): media.bytes
        }
    }

    /// The bytes that are loaded while they are read.
    fileprivate var bytes: (any ByteSource)? {
        if case .ranges(let media) = self { media.bytes } else { nil }
    }
}
