internal import LazyBase
package import LazyMedia

/// Writes single pictures as WebP.
///
/// Quality is libwebp's, 75 unless given; effort 0 to 10 is its method 0 to 6, 4 unless given.
/// Where `EncodingOptions.lossless` is nil, flat art is lossless and the rest lossy.
package struct WebPStillEncoder: MediaEncoding {
    private let settings: WebPSettings

    /// Makes an encoder.
    package init(_ options: EncodingOptions = .init()) {
        settings = WebPSettings(options, effort: 6)
    }

    package let name = "webp"

    /// Never; `AnimatedWebPEncoder` can.
    package var canAnimate: Bool { false }

    /// True unless pixels must be exact.
    package var prefersPlanes: Bool { settings.lossless != true }

    /// Encodes the one frame; throws `.notWritable` for none and for more.
    package func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        let frame = try await frames.single(for: "still WebP")
        let profile = try frame.color.writtenProfile(in: .webp)
        let flag = CancellationFlag()
        let outcome = await withTaskCancellationHandler {
            () async -> Result<[UInt8], MediaError> in
            do throws(MediaError) {
                let bytes = try await BlockingPool.shared.run { () throws(MediaError) in
                    try Self.bytes(frame.bitmap, frame.planes, profile, settings, flag)
                }
                return .success(bytes)
            } catch {
                return .failure(error)
            }
        } onCancel: {
            flag.cancel()
        }
        try write(outcome.get())
    }

    /// Encodes a picture; blocks.
    package func encode(_ bitmap: Bitmap) throws(MediaError) -> [UInt8] {
        try Self.bytes(bitmap, nil, nil, settings, CancellationFlag())
    }

    private static func bytes(
        _ bitmap: Bitmap, _ planes: PlanarPicture?, _ profile: ICCProfile?,
        _ settings: WebPSettings, _ flag: CancellationFlag
    ) throws(MediaError) -> [UInt8] {
        try WebPSettings.check(bitmap.size)
        let isLossless = settings.lossless ?? (planes == nil && WebPContent(bitmap) == .flat)
        let rect = PixelRect(bitmap.size)
        if let planes, !isLossless {
            let data = try WebPCoder.code(
                planes.converted(to: .bt601), rect, settings.lossyConfig(isFrame: false), flag)
            return WebPAssembler.still(data, bitmap.size, profile)
        }
        let config =
            try isLossless ? settings.losslessConfig() : settings.lossyConfig(isFrame: false)
        var pixels = bitmap.argb(rect)
        let data = try WebPCoder.code(argb: &pixels, bitmap.size, config, flag)
        return WebPAssembler.still(data, bitmap.size, profile)
    }
}
