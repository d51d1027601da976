internal import LazyBase
internal import LazyLoading
internal import LazyMedia

/// `fetch`: the downloads of one run and their reports.
package struct FetchJob {
    package let items: [FetchItem]
    package let target: Fetcher.Target
    package let overwrite: OverwritePolicy
    package let network: Network
    package let jobs: Int
    package let report: ReportStyle

    package init(
        items: [FetchItem], target: Fetcher.Target, overwrite: OverwritePolicy, network: Network,
        jobs: Int, report: ReportStyle
    ) {
        self.items = items
        self.target = target
        self.overwrite = overwrite
        self.network = network
        self.jobs = jobs
        self.report = report
    }

    package func run() async throws(CommandFailure) {
        let bar = ProgressBar(
            items.count == 1 ? FileNaming.name(url: items[0].url, headers: [:]) : "fetch", .bytes,
            total: nil, isQuiet: report.quiet)
        let fetcher = Fetcher(network: network, target: target, overwrite: overwrite, bar: bar)
        let (items, jobs, report) = (items, jobs, report)
        let outcomes = try await Interruption.cancelling {
            () async throws(CommandFailure) -> FetchOutcomes in
            var outcomes = FetchOutcomes(items, report, bar)
            defer { bar?.finish() }
            try await ConcurrentMap.runInputs(items, jobs: jobs) { _, item in
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
    package func attempt(_ item: FetchItem) async -> Result<Fetched, CommandFailure> {
        do throws(CommandFailure) {
            return .success(try await fetch(item))
        } catch {
            return .failure(error)
        }
    }
}

extension Fetcher.Target {
    var isStandardOutput: Bool {
        if case .output(.standardOutput) = self { true } else { false }
    }
}

/// Collects the outcomes of the downloads of one run.
package struct FetchOutcomes: Sendable {
    private let report: ReportStyle
    private let bar: ProgressBar?
    private let isAlone: Bool
    private var failures: Failures
    private var answers: [JSONValue?]

    package init(_ items: [FetchItem], _ report: ReportStyle, _ bar: ProgressBar?) {
        self.report = report
        self.bar = bar
        isAlone = items.count == 1
        failures = Failures(isAlone: isAlone, asJSON: report.json)
        answers = Array(repeating: nil, count: items.count)
    }

    /// Adds one outcome and reports it.
    package mutating func add(
        _ outcome: Result<Fetched, CommandFailure>, at index: Int
    ) throws(CommandFailure) {
        switch outcome {
        case .success(let fetched):
            answers[index] = Reports.fetched(fetched)
            if !report.json, !report.quiet { say(Reports.line(fetched)) }
        case .failure(let failure): answers[index] = try failures.add(failure)
        }
    }

    /// Prints the results and throws if some failed.
    package func finish(isOutputTaken: Bool) throws(CommandFailure) {
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
