internal import LazyMedia

/// Runs one job for all inputs of a command, several side by side.
///
/// An input that fails does not keep the others back; with one input its failure is the command's.
struct JobRunner<Job: MediaJob>: Sendable {
    private typealias Item = (input: Input, output: String)

    let job: Job
    let report: ReportOptions
    /// The most inputs to work on at once; 0 for one a core.
    let jobs: Int

    /// Makes a runner.
    init(_ job: Job, jobs: Int = 0, _ report: ReportOptions) {
        self.job = job
        self.report = report
        self.jobs = jobs == 0 ? BlockingPool.coreCount : jobs
    }

    /// Makes the outputs of all inputs, and says what came of them.
    ///
    /// Throws before any work what is wrong with the outputs: two inputs with one output, several on
    /// standard output.
    func run(_ inputs: [Input]) async throws(CommandFailure) {
        let items = try plan(inputs)
        var answers = JobAnswers(inputs, report)
        let bar = JobBar(items.count == 1 ? inputs[0].label : Job.name, items.count, report)
        defer { bar?.finish() }
        let isAlone = items.count == 1
        try await SideBySide.run(items, jobs: jobs) { index, item in
            await attempt(item.input, isAlone: isAlone) { bar?.set($0, of: index) }
        } didEnd: { (index, outcome) throws(CommandFailure) in
            bar?.end(index)
            try answers.add(outcome, at: index, bar)
        }
        bar?.finish()
        try answers.finish(isOutputTaken: items.contains { $0.output == "-" })
    }

    /// The main output of each input; refuses what cannot be before it is worked on.
    private func plan(_ inputs: [Input]) throws(CommandFailure) -> [Item] {
        if job.output == "-", inputs.count > 1 {
            throw .usage(
                "Several inputs cannot go to standard output.", hint: "Name a folder after -o.")
        }
        var items: [Item] = []
        var seen: Set<String> = []
        for input in inputs {
            let outputs = try job.outputs(for: input, isAlone: inputs.count == 1)
            for output in outputs where !seen.insert(output).inserted {
                if FileKind.isDevice(output) { continue }
                throw .usage(
                    "Two inputs would be written to \(output).",
                    hint: "Write them to two folders.")
            }
            // Without an output there is only an answer.
            items.append((input, outputs.first ?? ""))
        }
        return items
    }

    private func attempt(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async -> Result<JobReport, CommandFailure> {
        do throws(CommandFailure) {
            return .success(try await job.run(input, isAlone: isAlone, progress: progress))
        } catch {
            return .failure(error)
        }
    }
}
