internal import LazyKit
internal import LazyMedia

/// Writes one image in any format of stills.
struct PosterEncoding: Sendable {
    let format: OutputFormat
    let options: EncodingOptions
    /// Texts for a PNG.
    var texts: [(key: String, value: String)] = []

    /// Writes the file.
    func write(
        _ bitmap: Bitmap, to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        // PNG, PPM and raw pixels are written from one buffer, without a frame sequence.
        if let plain = PictureFormat(rawValue: format.rawValue) {
            // A thumbnail is transferred often, so it should be small; a large still should be fast.
            let isSmall = bitmap.size.pixelCount <= 400_000
            if plain == .png { return try writePNG(bitmap, isSmall: isSmall, to: write) }
            return try writePlain(bitmap, plain, to: write)
        }
        guard let type = format.type(isAnimation: false) else {
            throw MediaError(.notWritable, "A picture cannot be written as \(format.rawValue).")
        }
        var options = options
        options.threads = 1
        // Limits were checked where the picture was decoded.
        let sequence = FrameSequence(StillMedia(bitmap), limits: DecodingLimits())
        try await EncoderRegistry.standard.encoder(for: type, options).encode(
            sequence.frames(), info: sequence.info, loop: sequence.info.loop, to: write)
    }

    private func writePNG(
        _ bitmap: Bitmap, isSmall: Bool, to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        let encoder =
            if let effort = options.effort {
                try PNGPictures(effort: effort)
            } else {
                try PNGPictures(isSmall: isSmall)
            }
        try write(
            try encoder.encode(bitmap, texts: texts) { (bytes) throws(MediaError) in Array(bytes) })
    }

    private func writePlain(
        _ bitmap: Bitmap, _ format: PictureFormat,
        to write: ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        var failure: MediaError?
        do throws(CommandFailure) {
            let encoder = try format.makeEncoder(background: options.background)
            try encoder.encode(bitmap, .sRGB) { (bytes) throws(CommandFailure) in
                do throws(MediaError) { try write(Array(bytes)) } catch {
                    failure = error
                }
            }
        } catch {
            throw MediaError(.environment, error.message)
        }
        if let failure { throw failure }
    }
}
