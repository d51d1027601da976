internal import LazyBytes
internal import LazyMedia

extension FrameSequence {
    /// Encodes the frames on the threads that may block, decoding some of them ahead.
    ///
    /// Frames are decoded on `threads` threads, 0 for one a core, beside the encoder, which are given
    /// planes where it does better with them.
    func encode(
        with encoder: any MediaEncoding, loop: LoopCount, threads: Int = 0,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        let info = self.info
        let frames = self.frames(
            lookAhead: Self.lookAhead(info.size),
            threads: threads == 0 ? BlockingPool.coreCount : threads, planes: encoder.prefersPlanes)
        let result = await withTaskExecutorPreference(BlockingPool.shared) {
            () async -> Result<Void, MediaError> in
            do throws(MediaError) {
                return .success(
                    try await encoder.encode(frames, info: info, loop: loop, to: write))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Frames to decode before they are asked for: some megabytes of them, and one at least.
    static func lookAhead(_ size: PixelSize) -> Int {
        max(1, min(8, (12 << 20) / max(1, size.rgbaByteCount)))
    }
}
