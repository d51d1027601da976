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
        // Beside an encoder that takes its time a large frame more is only memory.
        let isSparing = encoder.isMemoryIntensive && info.size.pixelCount > 1280 * 720
        let width = threads == 0 ? BlockingPool.coreCount : threads
        let frames = self.frames(
            lookAhead: isSparing ? 0 : Self.lookAhead(info.size),
            threads: isSparing ? 1 : width, planes: encoder.prefersPlanes)
        try await BlockingPool.shared.working { () async throws(MediaError) in
            try await encoder.encode(frames, info: info, loop: loop, to: write)
        }
    }

    /// Frames to decode before they are asked for: some megabytes of them, and one at least, unless
    /// one alone is more than 64 MB.
    static func lookAhead(_ size: PixelSize) -> Int {
        if size.rgbaByteCount > 64 << 20 { return 0 }
        return max(1, min(8, (12 << 20) / max(1, size.rgbaByteCount)))
    }
}
