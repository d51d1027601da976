public import FoundationEssentials
public import LazyBase
public import LazyLoading
public import LazyMedia
public import LazyRenditions

/// Opens media by its address: the one way from a path, bytes, a pipe or a URL to frames.
///
/// ```swift
/// let opening = MediaOpening.standard
/// let opened = try await opening.open(.url(url), for: .init(.picture(.auto)), trust: .init(.stranger))
/// let poster = try await opened.frames.poster(.auto)
/// ```
///
/// Made once, since it shares a loader and the programs that decode; nothing is made before the first
/// address needs it.
public final class MediaOpening: Sendable {
    /// The parts that an opening is made of.
    public struct Configuration: Sendable {
        /// The decoders of a place.
        public var decoders: @Sendable (Place) -> Decoders
        /// The formats, some of which are read by ranges.
        public var formats: FormatRegistry
        /// The pipeline that loads URLs, without decoders and limits, which follow from the trust.
        ///
        /// Called for the first URL. Where it has no `maximumResponseDataSize` the limit of input counts.
        public var pipeline: @Sendable () -> ImagePipeline.Configuration
        /// The request for an address that a playlist of this machine names.
        public var request: @Sendable (URL) -> LoadRequest = { LoadRequest(url: $0) }
        /// Whether a program decodes for all programs of the user, so that isolation costs no start.
        public var hasSharedDecoder: @Sendable () -> Bool = { false }
        /// The pool that reads headers of files; nil for the thread of the caller, which may block.
        public var pool: BlockingPool? = .shared

        /// Makes a configuration.
        public init(
            decoders: @escaping @Sendable (Place) -> Decoders, formats: FormatRegistry,
            pipeline: @escaping @Sendable () -> ImagePipeline.Configuration
        ) {
            self.decoders = decoders
            self.formats = formats
            self.pipeline = pipeline
        }
    }

    private struct Made {
        var loading: ImagePipeline.Configuration?
        var pipelines: [Trust: ImagePipeline] = [:]
    }

    /// The parts.
    public let configuration: Configuration
    private let made = Locked(Made())

    /// Makes an opening; costs nothing.
    public init(_ configuration: Configuration) { self.configuration = configuration }

    /// Opens media.
    ///
    /// Costs the bytes that `wanted` needs: a header of files; of URLs ranges where the server has them and
    /// the format an index, else the whole. Cancelling the task, or setting the flag, ends it with
    /// `.cancelled`. Throws `.decodingFailed` for what cannot be read or decoded, `.dataLoadingFailed` and
    /// the other errors of a pipeline for what cannot be loaded.
    public func open(
        _ source: Source, for wanted: Wanted, trust: Trust, events: Events = Events(),
        cancellation: CancellationFlag = CancellationFlag()
    ) async throws(PipelineError) -> Opened {
        let call = Call(wanted: wanted, trust: trust, events: events)
        let registration = cancellation.onCancel { call.flag.cancel() }
        defer { cancellation.forget(registration) }
        let result = await withTaskCancellationHandler {
            () async -> Result<Opened, PipelineError> in
            do throws(PipelineError) { return .success(try await open(source, call)) } catch {
                return .failure(error)
            }
        } onCancel: {
            call.flag.cancel()
        }
        return try result.get()
    }

    /// The decoders for a file of this machine, or for what comes from elsewhere.
    public func decoders(for trust: Trust, isFile: Bool) -> Decoders {
        configuration.decoders(place(for: trust, isFile: isFile))
    }

    /// Where a file of this machine, or what comes from elsewhere, is decoded.
    public func place(for trust: Trust, isFile: Bool) -> Place {
        trust.place(isFile: isFile, hasSharedDecoder: configuration.hasSharedDecoder)
    }

    /// One call of `open`.
    struct Call: Sendable {
        var wanted: Wanted
        let trust: Trust
        let events: Events
        var flag = CancellationFlag()
    }

    func open(_ source: Source, _ call: Call) async throws(PipelineError) -> Opened {
        var opened: Opened
        if case .request(let request) = source {
            opened = try await openRemote(request, call)
        } else {
            do throws(MediaError) { opened = try await openLocal(source, call) } catch {
                throw PipelineError(opening: error)
            }
        }
        guard call.wanted.use == .samples else { return opened }
        do throws(MediaError) {
            opened.frames = try await opened.frames.samplingStreams(call.flag)
        } catch {
            throw PipelineError(opening: error)
        }
        return opened
    }

    // MARK: - What is shared

    /// What loads, for all kinds of trust.
    package var loading: ImagePipeline.Configuration {
        made.withLock { $0.loading ?? Self.keep(configuration.pipeline(), in: &$0) }
    }

    private static func keep(
        _ loading: ImagePipeline.Configuration, in made: inout Made
    ) -> ImagePipeline.Configuration {
        made.loading = loading
        return loading
    }

    /// The pipeline for what is trusted alike.
    func pipeline(for trust: Trust) -> ImagePipeline {
        var loading = loading
        loading.limits = trust.limits(isFile: false)
        loading.decoders = decoders(for: trust, isFile: false).registry
        loading.maximumResponseDataSize =
            loading.maximumResponseDataSize ?? loading.limits.inputBytes
        return made.withLock { made in
            if let pipeline = made.pipelines[trust] { return pipeline }
            let pipeline = ImagePipeline(configuration: loading)
            made.pipelines[trust] = pipeline
            return pipeline
        }
    }
}

extension PipelineError {
    /// The error of media that is opened; where its bytes could not be loaded, that of the load.
    init(opening error: MediaError) {
        if error.code == .cancelled {
            self = .cancelled
        } else if let loading = error.underlying as? LoadingError {
            self = .dataLoadingFailed(loading)
        } else {
            self = .decodingFailed(error)
        }
    }
}
