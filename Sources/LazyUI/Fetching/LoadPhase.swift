public import LazyMedia
public import LazyPipeline

/// What a place for a picture is to show.
public enum LoadPhase: Sendable {
    /// Nothing has begun, or there is nothing to load.
    case empty
    /// Bytes are arriving.
    case inProgress(ImageTask.Progress)
    /// A part of the picture is there and more is to come.
    case preview(ImageContainer)
    /// The picture is there.
    case success(ImageContainer)
    /// The load has failed; `retry` begins it anew.
    case failure(PipelineError, retry: @MainActor () -> Void)

    /// The poster, of the preview too; nil while it is not decoded, so that nothing blocks.
    public var image: Bitmap? { container?.decodedImage }

    /// The picture with its frames, of the preview too.
    public var container: ImageContainer? {
        switch self {
        case .preview(let container), .success(let container): container
        case .empty, .inProgress, .failure: nil
        }
    }

    /// Why the load failed.
    public var error: PipelineError? {
        guard case .failure(let error, _) = self else { return nil }
        return error
    }

    /// A word for the phase, such as for a template or a log.
    public var name: String {
        switch self {
        case .empty: "empty"
        case .inProgress: "inProgress"
        case .preview: "preview"
        case .success: "success"
        case .failure: "failure"
        }
    }
}
