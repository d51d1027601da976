public import LazyMedia

/// What a view of an image is to show.
public enum LoadPhase: Sendable {
    /// No load has started, or there is nothing to load.
    case empty
    /// Bytes are arriving.
    case inProgress(ImageTask.Progress)
    /// A part of the image is there; more bytes are to come.
    case preview(ImageContainer)
    /// The image has been loaded.
    case success(ImageContainer)
    /// The load has failed; `retry` starts it again.
    case failure(PipelineError, retry: @MainActor () -> Void)

    /// The poster, of a preview too; nil until it is decoded, so that nothing blocks.
    public var image: Bitmap? { container?.decodedImage }

    /// The image with its frames, of a preview too.
    public var container: ImageContainer? {
        switch self {
        case .preview(let container), .success(let container): container
        case .empty, .inProgress, .failure: nil
        }
    }

    /// The error of a failed load.
    public var error: PipelineError? {
        guard case .failure(let error, _) = self else { return nil }
        return error
    }

    /// The name of the phase, for templates and logs.
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
