internal import LazyMedia

/// Encodes one GIF: frames are collected until they have a palette, then written.
final class GIFWriter {
    private let size: PixelSize
    private let loop: LoopCount
    private let settings: GIFSettings
    private let write: @Sendable ([UInt8]) throws(MediaError) -> Void
    private let compressor: GIFCompressor
    private var store: GIFFrameStore
    private var delays = GIFDelays()
    /// Images that are compressed and not yet written.
    private var output: GIFOutput?

    init(
        _ size: PixelSize, _ loop: LoopCount, _ settings: GIFSettings,
        _ write: @escaping @Sendable ([UInt8]) throws(MediaError) -> Void
    ) throws(MediaError) {
        guard size.width <= 65_535, size.height <= 65_535 else {
            throw MediaError(
                .notWritable, "A GIF is at most 65535 pixels wide and high, not \(size).")
        }
        self.size = size
        self.loop = loop
        self.write = write
        self.settings = settings
        compressor = try GIFCompressor(size, threads: settings.threads)
        store = try Self.makeStore(size, settings)
    }

    /// Adds a frame; writes the collected frames when there are many.
    func append(_ frame: Frame) async throws(MediaError) {
        guard frame.bitmap.size == size else {
            throw MediaError(
                .notWritable, "A GIF of \(size) has no room for a frame of \(frame.bitmap.size).")
        }
        guard let delay = delays.delay(frame.timing.duration) else { return }
        guard delay <= GIFDelays.most * GIFDelays.maxParts else {
            throw MediaError(.notWritable, "A GIF cannot show a frame for more than a week.")
        }
        try store.add(frame.bitmap, delay: delay)
        if store.isFull {
            try await writeStore(isLast: false)
            store = try Self.makeStore(size, settings)
        }
    }

    /// Writes the remaining frames and the trailer; returns the number of images.
    func finish() async throws(MediaError) -> Int {
        try await writeStore(isLast: true)
        try await compressor.finish { (job) throws(MediaError) in try self.put(job) }
        try output?.finish()
        return output?.imageCount ?? 0
    }

    private static func makeStore(
        _ size: PixelSize, _ settings: GIFSettings
    ) throws(MediaError) -> GIFFrameStore {
        try GIFFrameStore(
            size, matte: settings.matte, maxColors: settings.maxColors,
            isBounded: settings.scope != .clip)
    }

    private func writeStore(isLast: Bool) async throws(MediaError) {
        guard !store.entries.isEmpty else { return }
        let palettes = settings.makePalettes(
            store.colors, size, last: compressor.lastTable,
            isSingle: isLast && output == nil && store.entries.count == 1)
        if output == nil {
            output = try GIFOutput(size, palettes.shared, loop, to: write)
        }
        try await compressor.run(store, palettes) { (job) throws(MediaError) in try self.put(job) }
    }

    private func put(_ job: GIFFrameJob) throws(MediaError) { try output?.put(job) }
}
