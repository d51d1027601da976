internal import LazyBase
internal import LazyMedia

extension FrameSequence {
    /// Encodes the frames on threads that may block, decoding some of them ahead.
    ///
    /// Frames are decoded on `threads` threads, 0 for one per core. The encoder gets planes if it prefers
    /// them.
    func encode(
        with encoder: any MediaEncoding, loop: LoopCount, threads: Int = 0,
        to write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) async throws(MediaError) {
        let info = self.info
        // A slow encoder does not benefit from large frames decoded ahead.
        let isSparing = encoder.isMemoryIntensive && info.size.isLarge
        let width = threads == 0 ? BlockingPool.coreCount : threads
        let frames = self.frames(
            lookAhead: isSparing ? 0 : Self.lookAhead(info.size),
            threads: isSparing ? 1 : width, planes: encoder.prefersPlanes)
        try await BlockingPool.shared.working { () async throws(MediaError) in
            try await encoder.encode(frames, info: info, loop: loop, to: write)
        }
    }

    /// The number of frames decoded ahead: some megabytes of them, and at least one, unless one exceeds
    /// 64 MB.
    static func lookAhead(_ size: PixelSize) -> Int {
        if size.rgbaByteCount > 64 << 20 { return 0 }
        return max(1, min(8, (12 << 20) / max(1, size.rgbaByteCount)))
    }
}
