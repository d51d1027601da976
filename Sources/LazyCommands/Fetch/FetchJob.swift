internal import LazyLoading
internal import LazyMedia

/// `fetch`: all downloads of one run, and what is said about them.
struct FetchJob {
    let items: [FetchItem]
    let target: Fetcher.Target
    let overwrite: OverwritePolicy
    let network: Network
    let jobs: Int
    let report: ReportOptions

    func run() async throws(CommandFailure) {
        let bar = ProgressBar(
            items.count == 1 ? FileNaming.name(url: items[0].url, headers: [:]) : "fetch", .bytes,
            total: nil, isQuiet: report.quiet)
        let fetcher = Fetcher(network: network, target: target, overwrite: overwrite, bar: bar)
        let (items, jobs, report) = (items, jobs, report)
        let outcomes = try await Interruption.cancelling {
            () async throws(CommandFailure) -> FetchOutcomes in
            var outcomes = FetchOutcomes(items, report, bar)
            defer { bar?.finish() }
            try await SideBySide.run(items, jobs: jobs) { _, item in
                await fetcher.attempt(item)
            } didEnd: { (index, outcome) throws(CommandFailure) in
                try outcomes.add(outcome, at: index)
            }
            return outcomes
        }
        try outcomes.finish(isOutputTaken: target.isStandardOutput)
    }
}

extension Fetcher {
    /// Loads one; the failure is a result.
    func attempt(_ item: FetchItem) async -> Result<Fetched, CommandFailure> {
        do throws(CommandFailure) {
            return .success(try await fetch(item))
        } catch {
            return .failure(error)
        }
    }
}

extension Fetcher.Target {
    var isStandardOutput: Bool {
        if case .standardOutput = self { true } else { false }
    }
}

/// Gathers what came of the downloads of one run.
struct FetchOutcomes: Sendable {
    private let report: ReportOptions
    private let bar: ProgressBar?
    private let isAlone: Bool
    private var failures: Failures
    private var answers: [JSONValue?]

    init(_ items: [FetchItem], _ report: ReportOptions, _ bar: ProgressBar?) {
        self.report = report
        self.bar = bar
        isAlone = items.count == 1
        failures = Failures(isAlone: isAlone, asJSON: report.json)
        answers = Array(repeating: nil, count: items.count)
    }

    /// Takes one outcome and says it.
    mutating func add(
        _ outcome: Result<Fetched, CommandFailure>, at index: Int
    ) throws(CommandFailure) {
        switch outcome {
        case .success(let fetched):
            answers[index] = Reports.fetched(fetched)
            if !report.json, !report.quiet { say(Reports.line(fetched)) }
        case .failure(let failure): answers[index] = try failures.add(failure)
        }
    }

    /// Prints the answers and throws where some failed.
    func finish(isOutputTaken: Bool) throws(CommandFailure) {
        if report.json {
            let all = answers.compactMap { $0 }
            let value = isAlone ? all[0] : JSONValue.array(all)
            if isOutputTaken { Console.say(value.line) } else { try Console.print(value.text) }
        }
        try failures.finish()
    }

    private func say(_ line: String) {
        bar?.clear()
        Console.say(line)
    }
}
