internal import LazyBytes
package import LazyMedia

/// Writes sequences as animated WebP: frames are coded on all cores, and only what changes.
///
/// Lossy frames code the blocks that differ from what the canvas was made of by more than the
/// quality would make of them; the rest shows through. Lossless frames are exact, and what does
/// not change is transparent. Left to itself (`EncodingOptions.lossless` nil), the encoder codes
/// flat art losslessly and film lossily. Frames that look like the one before lengthen that. A
/// sequence of one frame becomes a still WebP, frames that are all alike an animation of one.
///
/// Quality is libwebp's, 75 unless given. Effort 0 to 10 is libwebp's method 0 to 6; the default of
/// 4 is method 1, which takes half the time of libwebp's own default for a seventh more bytes.
package struct AnimatedWebPEncoder: MediaEncoding {
    private let settings: WebPSettings
    private let threads: Int

    /// Makes an encoder.
    package init(_ options: EncodingOptions = .init()) {
        settings = WebPSettings(options, effort: 4)
        threads = options.threads > 0 ? options.threads : BlockingPool.coreCount
    }

    /// The format's name.
    package var name: String { "webp" }

    /// Animated WebP.
    package var type: MediaType { .webpAnimation }

    /// Always.
    package var canAnimate: Bool { true }

    /// Wherever pixels need not be exact.
    package var prefersPlanes: Bool { settings.lossless != true }

    /// Encodes frames of one size; throws `.notWritable` for none and for another size on the way.
    package func encode(
        _ frames: Frames, info: MediaInfo, loop: LoopCount,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        let flag = CancellationFlag()
        let outcome = await withTaskCancellationHandler {
            await withTaskGroup(of: WebPCodedFrame.self) { group in
                let run = WebPRun(settings, threads: threads, flag)
                let result = await run.encode(frames, &group)
                if case .failure = result { flag.cancel() }
                return result.flatMap { assembler in
                    Result { () throws(MediaError) in
                        try assembler.finish(loop, isMoving: run.isMoving, write)
                    }
                }
            }
        } onCancel: {
            flag.cancel()
        }
        try outcome.get()
    }
}

/// Makes animated WebP.
package struct AnimatedWebPMaker: EncoderMaking {
    /// Makes the maker.
    package init() {}

    /// Animated WebP.
    package var type: MediaType { .webpAnimation }

    /// Makes an `AnimatedWebPEncoder`.
    package func makeEncoder(_ options: EncodingOptions) -> any MediaEncoding {
        AnimatedWebPEncoder(options)
    }
}
