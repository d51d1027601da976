public import FoundationEssentials
public import LazyBytes
public import LazyLoading
public import LazyMedia
import Synchronization

/// From an address to frames, once for everybody who asks.
public final class ImagePipeline: Sendable {
    /// The parts it was made of.
    public let configuration: Configuration
    private let lastID = Atomic<Int>(0)

    /// Makes a pipeline.
    public init(configuration: Configuration) { self.configuration = configuration }

    /// Begins a load.
    public func imageTask(with request: ImageRequest) -> ImageTask {
        let id = lastID.add(1, ordering: .relaxed).newValue
        let task = ImageTask(id: id, request: request)
        task.start { [self] in
            do throws(PipelineError) {
                let container = try await load(request, task)
                task.send(
                    .finished(.success(ImageResponse(container: container, request: request))))
            } catch {
                task.send(.finished(.failure(error)))
            }
        }
        return task
    }

    /// Begins a load of an address.
    public func imageTask(with url: URL) -> ImageTask { imageTask(with: ImageRequest(url: url)) }

    /// Loads a picture: its poster. Cancelling the Swift task cancels the load.
    public func image(for request: ImageRequest) async throws(PipelineError) -> Bitmap {
        try await response(for: request).image
    }

    /// Loads the poster of an address.
    public func image(for url: URL) async throws(PipelineError) -> Bitmap {
        try await image(for: ImageRequest(url: url))
    }

    /// Loads a picture with all that belongs to it.
    public func response(for request: ImageRequest) async throws(PipelineError) -> ImageResponse {
        try await imageTask(with: request).response
    }

    /// Loads the bytes of a request, undecoded, with the head of the answer.
    public func data(
        for request: ImageRequest
    ) async throws(PipelineError) -> (data: Blob, head: ResponseHead?) {
        guard case .url(let load) = request.source else { throw .requestMissing }
        do throws(LoadingError) {
            let response = try await configuration.dataLoader.load(load)
            return (Blob(try await response.body.collect()), response.head)
        } catch {
            throw .dataLoadingFailed(error)
        }
    }

    private func load(
        _ request: ImageRequest, _ task: ImageTask
    ) async throws(PipelineError) -> ImageContainer {
        let (data, _) = try await data(for: request)
        task.send(.progress(.init(completed: Int64(data.count), total: Int64(data.count))))
        do throws(MediaError) {
            let bytes = data.bytesInMemory ?? []
            let opened = try configuration.decoders.open(
                MemoryBytes(bytes), limits: configuration.limits)
            let frames = FrameSequence(opened, limits: configuration.limits)
            let poster = try await frames.poster()
            return ImageContainer(
                frames: frames, image: poster.bitmap, type: frames.info.type, data: data)
        } catch {
            throw .decodingFailed(error)
        }
    }
}
