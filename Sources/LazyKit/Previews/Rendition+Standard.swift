internal import LazyEditing
public import LazyMedia
public import LazyRenditions

extension Rendition {
    /// The bytes of the first part, made by the encoders of this build.
    ///
    /// Memory beside the bytes is bounded whatever the length of the source, and cancelling the task ends the work soon.
    /// Throws as `make(of:into:encoders:threads:progress:)`.
    public func data(
        of frames: FrameSequence, progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> (bytes: [UInt8], report: Report) {
        try await data(of: Source(frames), encoders: .pictures, progress: progress)
    }

    /// The bytes of all parts; otherwise as `data(of:progress:)`.
    public func parts(
        of frames: FrameSequence, progress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MediaError) -> (bytes: [Part: [UInt8]], report: Report) {
        try await parts(of: Source(frames), encoders: .pictures, progress: progress)
    }

    /// The usual animated thumbnail, at most so wide; with `maxBytes`, it is made smaller until it fits.
    public static func animation(
        width: Int, as type: MediaType = .webpAnimation, maxBytes: Int? = nil
    ) -> Rendition {
        animation(
            as: type, edit: ClipEdit(size: TargetSize(width: width, fit: .scaleDown)),
            limit: maxBytes.map { .bytes($0) })
    }
}

extension FrameSequence {
    /// The sequence as a file of a type, with all frames, their times and the loop.
    ///
    /// What is asked for nowhere is chosen by the content. Throws what decoding and the encoder throw,
    /// and `.isAnimation` where an animation would become a still.
    public func encoded(
        as type: MediaType, options: EncodingOptions = .init()
    ) async throws(MediaError) -> [UInt8] {
        try await Rendition.conversion(to: type, encoding: options).data(of: self).bytes
    }
}
