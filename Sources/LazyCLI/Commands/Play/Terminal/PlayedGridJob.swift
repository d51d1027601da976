internal import LazyBase
internal import LazyEditing
internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions
internal import LazyTerminal

/// `play --grid` on a terminal: several inputs beside each other, a window of them at a time.
struct PlayedGridJob {
    private let settings: PlayerSettings
    private let shape: (columns: Int, rows: Int?)
    private let inputs: [Input]
    private let reading: Reading
    private let edit: ClipEdit?
    private let plays: Looping?
    private let report: ReportStyle

    /// Makes a job; without `plays`, inputs that fit into one window play forever, others once.
    init(
        _ settings: PlayerSettings, shape: (columns: Int, rows: Int?), inputs: [Input],
        _ reading: Reading, edit: ClipEdit? = nil, plays: Looping?, _ report: ReportStyle
    ) {
        self.settings = settings
        self.shape = shape
        self.inputs = inputs
        self.reading = reading
        self.edit = edit
        self.plays = plays
        self.report = report
    }

    /// Plays; the keys for the next and the previous input change the window.
    func run(on screen: TerminalScreen) async throws(CommandFailure) {
        var failures = Failures(inputs, asJSON: report.json)
        var start = 0
        var opened: (start: Int, items: [PosterGrid.Item])?
        while start < inputs.count {
            let grid = PosterGrid(settings, shape: shape, isPlayed: true)
            let count = grid.columnCount * grid.rowCount
            let page = start..<min(start + count, inputs.count)
            if opened?.start != start || opened?.items.count != page.count {
                opened = (start, try await open(Array(inputs[page]), &failures))
            }
            switch try await play(opened?.items ?? [], page, grid, on: screen) {
            case .quit: start = inputs.count
            case .previous: start = max(0, start - count)
            case .finished, .next: start = page.upperBound
            case .resized: break
            }
        }
        try failures.finish()
    }

    private func open(
        _ inputs: [Input], _ failures: inout Failures
    ) async throws(CommandFailure) -> [PosterGrid.Item] {
        var items: [Int: PosterGrid.Item] = [:]
        var failed: [CommandFailure] = []
        let (reading, edit) = (reading, edit)
        try await ConcurrentMap.runInputs(inputs, jobs: BlockingPool.coreCount) { _, input in
            await Self.item(input, reading, edit)
        } didEnd: { (place, result) throws(CommandFailure) in
            switch result {
            case .success(let item): items[place] = item
            case .failure(let failure): failed.append(failure)
            }
        }
        for failure in failed { _ = try failures.add(failure) }
        return inputs.enumerated().map { place, input in
            items[place] ?? PosterGrid.Item(nil, length: .zero, name: input.address.fileName)
        }
    }

    private static func item(
        _ input: Input, _ reading: Reading, _ edit: ClipEdit?
    ) async -> Result<PosterGrid.Item, CommandFailure> {
        do throws(CommandFailure) {
            let sequence = try await input.open(reading, part: .all, edit)
            do throws(MediaError) {
                let length = try await sequence.detailedInfo().duration ?? .zero
                let name = input.address.fileName
                return .success(PosterGrid.Item(sequence, length: length, name: name))
            } catch {
                throw input.failure(error)
            }
        } catch {
            return .failure(error)
        }
    }

    private func play(
        _ items: [PosterGrid.Item], _ page: Range<Int>, _ grid: PosterGrid,
        on screen: TerminalScreen
    ) async throws(CommandFailure) -> TerminalPlayer.Ending {
        // Nothing could be opened: the next window.
        guard items.contains(where: { $0.sequence != nil }) else { return .next }
        var settings = settings
        settings.looping = plays ?? (page.count == inputs.count ? .forever : .times(1))
        settings.captions = grid.captions(of: items)
        settings.title =
            page.count == inputs.count ? "" : "\(page.lowerBound + 1)-\(page.upperBound)"
        let (sequence, job, input) = (grid.sequence(of: items), settings, inputs[page.lowerBound])
        return try await Interruption.withCleanup(
            onForcedExit: { screen.restoreAtOnce() }, onSignal: { screen.didReceive($0) }
        ) { () async throws(CommandFailure) -> TerminalPlayer.Ending in
            try await TerminalJob.onBlockingPool { () throws(CommandFailure) in
                do throws(TerminalError) {
                    return try TerminalPlayer(sequence, job, on: screen).play()
                } catch {
                    throw CommandFailure(error, input)
                }
            }
        }
    }
}
