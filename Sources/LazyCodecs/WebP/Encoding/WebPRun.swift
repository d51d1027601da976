internal import LazyBase
internal import LazyMedia

/// A coded frame, or the error.
struct WebPCodedFrame: Sendable {
    let number: Int
    let cost: Int
    let data: Result<[UInt8], MediaError>
}

/// One encoding: plans frames in order, codes them in parallel, and writes them in order.
final class WebPRun {
    /// The most memory for frames in progress, unless one alone takes more.
    private static let maxMemory = 96 << 20

    private let settings: WebPSettings
    private let threads: Int
    private let cancellation: CancellationFlag
    private var planner: WebPPlanner
    private var timeline = WebPTimeline()
    private var assembler: WebPAssembler?
    /// The duration of the last frame.
    private var length = 0
    /// Whether there was more than one frame, equal or not.
    private(set) var isMoving = false
    private var running = 0
    private var memory = 0

    init(_ settings: WebPSettings, threads: Int, _ cancellation: CancellationFlag) {
        self.settings = settings
        self.threads = threads
        self.cancellation = cancellation
        planner = WebPPlanner(settings)
    }

    /// Codes all frames, ready to be written.
    func encode(
        _ frames: Frames, _ group: inout TaskGroup<WebPCodedFrame>
    ) async -> Result<WebPAssembler, MediaError> {
        do throws(MediaError) {
            let iterator = frames.makeAsyncIterator()
            while let frame = try await iterator.next() { try await add(frame, &group) }
            while running > 0 { try await takePiece(&group) }
            guard let assembler else {
                throw MediaError(.notWritable, "An animated WebP has at least one frame.")
            }
            try assembler.close(length)
            return .success(assembler)
        } catch {
            return .failure(error)
        }
    }

    private func add(
        _ frame: Frame, _ group: inout TaskGroup<WebPCodedFrame>
    ) async throws(MediaError) {
        try cancellation.check()
        isMoving = assembler != nil
        let job = try planner.plan(frame)
        let milliseconds = timeline.add(frame.timing.duration)
        guard let job else {
            length += milliseconds
            return
        }
        let assembler = assembler ?? WebPAssembler(frame.bitmap.size)
        self.assembler = assembler
        try assembler.close(length, clears: job.cleared != nil)
        length = milliseconds
        let number = assembler.begin(job.rect, blends: job.blends)
        while running >= threads + 1 || running > 0 && memory + job.cost > Self.maxMemory {
            try await takePiece(&group)
        }
        running += 1
        memory += job.cost
        let (settings, cancellation) = (settings, cancellation)
        group.addTask(executorPreference: BlockingPool.shared) {
            let data = Result { () throws(MediaError) in try job.run(settings, cancellation) }
            return WebPCodedFrame(number: number, cost: job.cost, data: data)
        }
    }

    private func takePiece(_ group: inout TaskGroup<WebPCodedFrame>) async throws(MediaError) {
        guard let piece = await group.next() else { return }
        running -= 1
        memory -= piece.cost
        try assembler?.take(piece.number, piece.data.get())
    }
}
