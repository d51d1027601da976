internal import FoundationEssentials
import Glibc
internal import LazyBase
internal import LazyKit
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline

/// The network of one run: one pipeline, created for the first URL.
final class Network: Sendable {
    let settings: NetworkSettings
    let isQuiet: Bool
    /// What opens the media of URLs.
    let decoders: DecoderRegistry
    private let isProgressive: Bool
    private let made = Locked<ImagePipeline?>(nil)

    /// `isProgressive` enables previews during downloads.
    ///
    /// Media of URLs is decoded where `limits` say.
    init(
        _ settings: NetworkSettings, _ limits: LimitsChoice, isQuiet: Bool,
        isProgressive: Bool = false
    ) {
        decoders = .decoders(of: limits.host(isLocal: false))
        self.settings = settings
        self.isProgressive = isProgressive
        self.isQuiet = isQuiet
    }

    /// The pipeline of this run.
    func pipeline(_ limits: DecodingLimits) -> ImagePipeline {
        made.withLock { made in
            if let made { return made }
            let pipeline = settings.makePipeline(
                limits, decoders, isProgressive: isProgressive)
            made = pipeline
            return pipeline
        }
    }

    /// Follows the network conditions of the system if there is a URL for low data.
    ///
    /// `LAZYIMG_LOW_DATA` in the environment overrides them.
    func askSystem() async {
        guard settings.lowDataURL != nil, getenv("LAZYIMG_LOW_DATA") == nil else { return }
        await NetworkConditions.shared.followSystem()
    }

    /// Opens media at a URL; a signal cancels the download, and the loaded part stays in the cache.
    ///
    /// `didArrive` is called with parts that can be shown before the download is complete. Of a
    /// motion photo whose film is wanted only the film's bytes are loaded.
    func open(
        _ url: URL, for input: Input, _ limits: DecodingLimits, _ part: InputPart,
        _ track: MediaTrack = .main, for reading: Reading? = nil, didArrive: ArrivalListener? = nil
    ) async throws(CommandFailure) -> OpenedInput {
        try await Interruption.cancelling { [self] () throws(CommandFailure) in
            if part != .all || track == .motion,
                let opened = try await openRanges(
                    url, for: input, limits, part, track, reading?.poster)
            {
                return opened
            }
            guard track == .main else {
                return try await select(
                    track, of: try await openWhole(url, for: input, limits, reading, nil), input)
            }
            return try await openWhole(url, for: input, limits, reading, didArrive)
        }
    }

    /// Loads the bytes of a URL.
    func bytes(
        _ url: URL, for input: Input, _ limits: DecodingLimits
    ) async throws(CommandFailure) -> any ByteSource {
        var request = ImageRequest(loadRequest: settings.request(url))
        request.lowDataURL = settings.lowDataURL
        await askSystem()
        do throws(PipelineError) {
            return BlobBytes(try await pipeline(limits).data(for: request).data)
        } catch {
            throw CommandFailure(error, about: input.label)
        }
    }

    /// Called with the first playable part of a download.
    typealias ArrivalListener = @Sendable (FrameSequence) -> Void

    private func select(
        _ track: MediaTrack, of whole: OpenedInput, _ input: Input
    ) async throws(CommandFailure) -> OpenedInput {
        let decoders = decoders
        let result = await BlockingPool.shared.run {
            Result { () throws(MediaError) in
                var opened = whole
                try opened.select(track, decoders)
                return opened
            }
        }
        do throws(MediaError) { return try result.get() } catch { throw input.failure(error) }
    }

    /// Opens a track of bytes that arrive while they are read.
    func open(
        _ bytes: any ByteSource, of input: Input, _ limits: DecodingLimits, _ track: MediaTrack,
        _ transfer: Transfer
    ) async throws(CommandFailure) -> OpenedInput {
        let decoders = decoders
        let result = await reading(bytes) { () throws(MediaError) in
            var opened = OpenedInput(
                sequence: try Input.sequence(bytes, limits, decoders), transfer: transfer)
            try opened.select(track, decoders)
            return opened
        }
        do throws(MediaError) { return try result.get() } catch { throw input.failure(error) }
    }

    // Cancellation also ends work that waits for bytes.
    func reading<Value: Sendable>(
        _ bytes: any ByteSource, _ work: @escaping @Sendable () throws(MediaError) -> Value
    ) async -> Result<Value, MediaError> {
        await withTaskCancellationHandler {
            await BlockingPool.shared.run { Result { () throws(MediaError) in try work() } }
        } onCancel: {
            bytes.cancelReads()
        }
    }

    private func openWhole(
        _ url: URL, for input: Input, _ limits: DecodingLimits, _ reading: Reading?,
        _ didArrive: ArrivalListener?
    ) async throws(CommandFailure) -> OpenedInput {
        var request = ImageRequest(
            loadRequest: settings.request(url), options: [.disableMemoryCache, .skipDecompression])
        request.lowDataURL = settings.lowDataURL
        await askSystem()
        request.alternatives = settings.alternatives.map { .init(url: $0) }
        request.byteBudget = settings.budget
        if let size = reading?.size { request.userInfo[.streamSize] = size }
        if let poster = reading?.poster { request.userInfo[.streamPoster] = poster }
        let task = pipeline(limits).imageTask(with: request)
        let bar = ProgressBar(input.address.fileName, .bytes, total: nil, isQuiet: isQuiet)
        defer { bar?.finish() }
        do throws(PipelineError) {
            let response = try await Self.response(of: task, bar, didArrive)
            OutputStream.silenceStderr(reading: response.frames.info.type)
            let summary = task.summary
            let loaded = summary?.networkBytes ?? 0
            let total = loaded + (summary?.storeBytes ?? 0)
            let streamed = response.frames.streamedBytes
            return OpenedInput(
                sequence: response.frames,
                transfer: Transfer(
                    origin: summary?.origin?.rawValue ?? "network",
                    total: streamed == nil ? total : nil,
                    bytesRead: { loaded + (streamed?() ?? 0) }))
        } catch {
            throw CommandFailure(error, about: input.label)
        }
    }

    private static func response(
        of task: ImageTask, _ bar: ProgressBar?, _ didArrive: ArrivalListener?
    ) async throws(PipelineError) -> ImageResponse {
        let events = task.events
        let result = await withTaskCancellationHandler {
            () -> Result<ImageResponse, PipelineError> in
            for await event in events {
                switch event {
                case .progress(let progress):
                    let total = progress.total > 0 ? Int(progress.total) : nil
                    bar?.set(done: Int(progress.completed), total: total)
                case .preview(let preview):
                    guard let didArrive, preview.container.canPlay else { break }
                    // The player uses the whole terminal.
                    bar?.finish()
                    didArrive(preview.frames)
                case .finished(let result): return result
                }
            }
            return .failure(.cancelled)
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }
}

extension ImageContainer {
    /// Whether a preview is worth playing: the poster of a video, or several frames.
    fileprivate var canPlay: Bool { type?.family == .video || !frames.isStill }
}
