internal import LazyBase
internal import LazyEditing
internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions
internal import LazyTerminal

/// Posters of several inputs beside each other on the terminal.
struct GridJob {
    private let grid: PosterGrid
    private let inputs: [Input]
    private let reading: Reading
    private let edit: ClipEdit?
    private let report: ReportStyle

    init(
        _ grid: PosterGrid, inputs: [Input], _ reading: Reading, edit: ClipEdit? = nil,
        _ report: ReportStyle
    ) {
        self.grid = grid
        self.inputs = inputs
        self.reading = reading
        self.edit = edit
        self.report = report
    }

    /// Loads posters on all cores, and draws each row when its posters are there.
    func run() async throws(CommandFailure) {
        var failures = Failures(inputs, asJSON: report.json)
        var posters: [Int: Result<Bitmap, CommandFailure>] = [:]
        var drawn = 0
        let (grid, reading, edit, count) = (grid, reading, edit, inputs.count)
        try await ConcurrentMap.runInputs(inputs, jobs: BlockingPool.coreCount) { _, input in
            await Self.poster(of: input, grid, reading, edit)
        } didEnd: { (place, result) throws(CommandFailure) in
            posters[place] = result
            while drawn < count {
                let row = drawn..<min(drawn + grid.columnCount, count)
                guard row.allSatisfy({ posters[$0] != nil }) else { return }
                try draw(row.map { (inputs[$0], posters.removeValue(forKey: $0)) })
                drawn = row.upperBound
            }
        }
        try failures.finish()

        func draw(
            _ items: [(input: Input, poster: Result<Bitmap, CommandFailure>?)]
        ) throws(CommandFailure) {
            var row: [(picture: Bitmap?, name: String)] = []
            for (input, poster) in items {
                var picture: Bitmap?
                switch poster {
                case .success(let bitmap): picture = bitmap
                case .failure(let failure): _ = try failures.add(failure)
                case nil: break
                }
                row.append((picture, input.address.fileName))
            }
            do throws(TerminalError) { try grid.draw(row) } catch {
                throw CommandFailure(error, items[0].input)
            }
        }
    }

    private static func poster(
        of input: Input, _ grid: PosterGrid, _ reading: Reading, _ edit: ClipEdit?
    ) async -> Result<Bitmap, CommandFailure> {
        do throws(CommandFailure) {
            let sequence = try await input.open(reading, part: .facts, edit)
            let size = grid.posterSize(of: sequence.info.size)
            let target = TargetSize(width: size.width, height: size.height, fit: .fill)
            do throws(MediaError) {
                return .success(try await sequence.poster(.auto, size: target).bitmap)
            } catch {
                throw input.failure(error)
            }
        } catch {
            return .failure(error)
        }
    }
}
