internal import LazyMedia

/// Compresses stored frames to images, on all cores.
///
/// Rows are mapped in parallel, each thread its own rows frame by frame, because a pixel's index
/// depends on what was shown there before. Then frames are compressed in parallel.
final class GIFCompressor {
    /// The most memory for frames in progress, in bytes.
    private static let maxBytes = 32 << 20

    private let size: PixelSize
    private let threads: Int
    private let shown: PixelMemory<UInt32>
    private let indices: PixelMemory<UInt16>
    private let canvas: PixelMemory<UInt32>
    private var mappers: [any RowMapping] = []
    private var idle: [GIFFrameJob] = []
    private var plan: GIFPlan
    /// The palette of the last frame.
    private(set) var lastTable: GIFColorTable?

    init(_ size: PixelSize, threads: Int) throws(MediaError) {
        self.size = size
        self.threads = threads
        plan = GIFPlan(size)
        shown = try PixelMemory(size)
        indices = try PixelMemory(size)
        canvas = try PixelMemory(size)
    }

    /// Compresses all frames of a store, in order.
    func run(
        _ store: GIFFrameStore, _ palettes: GIFPalettes,
        _ put: (GIFFrameJob) throws(MediaError) -> Void
    ) async throws(MediaError) {
        if palettes.painter == nil { try makeMappers(palettes.style) }
        // Enough for all threads; more would only touch fresh memory.
        let count = min(8 * threads, max(2, Self.maxBytes / (size.pixelCount * 6)))
        var rest = store.entries[...]
        while !rest.isEmpty {
            if Task.isCancelled { throw .cancelled }
            var jobs: [GIFFrameJob] = []
            for entry in rest.prefix(count) { jobs.append(try load(entry, store, palettes)) }
            rest = rest.dropFirst(count)
            await map(jobs, palettes)
            var ready: [GIFFrameJob] = []
            for job in jobs {
                let (settled, isFree) = plan.add(job)
                if let settled { ready.append(settled) }
                if isFree { idle.append(job) }
            }
            await compress(ready)
            for job in ready {
                try put(job)
                idle.append(job)
            }
        }
        lastTable = palettes.painter == nil ? palettes.tables.last : nil
    }

    /// Compresses the last frame.
    func finish(_ put: (GIFFrameJob) throws(MediaError) -> Void) async throws(MediaError) {
        guard let last = plan.finish() else { return }
        await compress([last])
        try put(last)
    }

    private func load(
        _ entry: GIFFrameStore.Entry, _ store: GIFFrameStore, _ palettes: GIFPalettes
    ) throws(MediaError) -> GIFFrameJob {
        let job = try makeJob()
        try store.read(entry, into: canvas)
        job.pixels.copy(canvas)
        job.begin(delay: entry.delay)
        job.painter = palettes.painter
        job.loss = palettes.loss
        if palettes.painter == nil { job.table = palettes.tables[entry.scene] }
        return job
    }

    private func makeJob() throws(MediaError) -> GIFFrameJob {
        if let job = idle.popLast() { return job }
        return try GIFFrameJob(size)
    }

    private func makeMappers(_ style: MappingStyle) throws(MediaError) {
        guard mappers.isEmpty else { return }
        if style.diffuses {
            mappers = [try DiffusionMapper(size, style)]
            return
        }
        let bands = min(threads, max(1, size.height / 8))
        mappers = (0..<bands).map { band in
            OrderedMapper(
                rows: (size.height * band / bands)..<(size.height * (band + 1) / bands),
                width: size.width, style)
        }
    }

    private func map(_ jobs: [GIFFrameJob], _ palettes: GIFPalettes) async {
        guard palettes.painter == nil else { return await compare(jobs) }
        let (mappers, shown, indices) = (mappers, shown, indices)
        await parallel(mappers.count) { band in
            for job in jobs { mappers[band].map(job, shown: shown, indices: indices) }
        }
        for (number, job) in jobs.enumerated() {
            for mapper in mappers {
                job.rect = job.rect.union(mapper.changes[number].changed)
                job.cleared = job.cleared.union(mapper.changes[number].cleared)
            }
        }
        for mapper in mappers { mapper.changes = [] }
    }

    private func compare(_ jobs: [GIFFrameJob]) async {
        let (shown, size) = (shown, size)
        await parallel(jobs.count) { number in
            ExactPainter.compare(
                jobs[number], with: number > 0 ? jobs[number - 1].pixels : shown, size)
        }
        if let last = jobs.last { shown.copy(last.pixels) }
        for place in 0..<size.pixelCount { indices.values[place] = GIFSymbol.leftOnly }
    }

    private func compress(_ jobs: [GIFFrameJob]) async {
        let width = size.width
        await parallel(jobs.count) { number in
            let job = jobs[number]
            job.paintBlank(stride: width)
            job.painter?.paint(job)
            var encoder = LZWEncoder()
            job.codes = encoder.compress(
                job.symbols.values, stride: width, job.rect, job.table, loss: job.loss)
        }
    }

    /// Calls a function with each number below `count`, in parallel.
    private func parallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
        guard threads > 1, count > 1 else {
            for number in 0..<count { body(number) }
            return
        }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask(executorPreference: BlockingPool.shared) { body(number) }
            }
        }
    }
}
