internal import LazyBase
package import LazyMedia

/// Writes sequences as animated WebP: only changes are coded, on all cores.
///
/// Lossy frames code the blocks that differ from the canvas by more than the quality's coding
/// error; the rest is transparent. Lossless frames are exact, with unchanged pixels transparent.
/// Where `EncodingOptions.lossless` is nil, flat art is coded losslessly and film lossily. Equal
/// frames are merged. A sequence of one frame becomes a still WebP, one of equal frames an
/// animation of one frame.
///
/// Quality is libwebp's, 75 unless given. Effort 0 to 10 is libwebp's method 0 to 6; the default of
/// 4 is method 1, which takes half the time of libwebp's own default for a seventh more bytes.
package struct AnimatedWebPEncoder: MediaEncoding {
    private let settings: WebPSettings
    private let threads: Int
    private var written: WrittenFrames?

    /// Makes an encoder; `threads` of 0 means one a core.
    package init(_ options: EncodingOptions = .init(), threads: Int = 0) {
        settings = WebPSettings(options, effort: 4)
        self.threads = threads > 0 ? threads : BlockingPool.coreCount
    }

    package let name = "webp"

    /// True unless pixels must be exact.
    package var prefersPlanes: Bool { settings.lossless != true }

    /// Encodes frames of one size; throws `.notWritable` where there are none or sizes differ.
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
                        written?.tell(assembler.frameCount)
                    }
                }
            }
        } onCancel: {
            flag.cancel()
        }
        try outcome.get()
    }

    /// The same encoder, which also tells the number of frames in the file.
    package func counting(_ written: WrittenFrames) -> any MediaEncoding {
        var encoder = self
        encoder.written = written
        return encoder
    }
}
