public import LazyBytes
public import LazyMedia

/// How previews are made of bytes that are still arriving.
public enum PreviewPolicy: String, CaseIterable, Sendable {
    /// Each as good as the bytes so far allow: JPEG scans, the GIF frames so far, a video's poster.
    case incremental
    /// The small picture that the file carries for itself (EXIF, cover art), once.
    case thumbnail
    /// None.
    case disabled
}

/// Makes previews of the first part of a download, as it grows; for one task at a time.
public final class PreviewMaker {
    /// Makes a maker for one download.
    public init(decoders: DecoderRegistry, limits: DecodingLimits, delayRule: DelayRule) {}

    /// The policy for bytes that begin like this: incremental for what gains by it, else disabled.
    public static func defaultPolicy(for type: MediaType, prefix: Blob) -> PreviewPolicy {
        .disabled
    }

    /// A preview that shows more than the one before, or nil. Blocks while it decodes.
    ///
    /// - Parameter size: The size frames are wanted at, or nil for their own.
    public func makePreview(
        of prefix: Blob, policy: PreviewPolicy, size: TargetSize? = nil
    ) -> ImageContainer? { nil }
}
