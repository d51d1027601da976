internal import ArgumentParser
internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyOptions
internal import LazyPipeline

/// `lazyimg fetch`: downloads URLs to files, through the cache.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Download URLs to files, through the cache.",
        discussion: """
            Fresh responses in the cache are not loaded again, stale ones are validated, and the same \
            command continues a download that Ctrl-C or the network interrupted. Each file appears \
            complete or not at all.

            Without -o files are written to the current folder, named by the server or by the end of \
            the URL.

            Examples:
              lazyimg fetch https://example.org/clip.mp4
              lazyimg fetch https://example.org/clip.mp4 -o copy.mp4
              lazyimg fetch https://example.org/{a,b}.gif -o pictures/
              lazyimg fetch https://example.org/a.gif -o - | other-program
            """,
        aliases: ["download", "get"])

    @Argument(help: "The URLs: http or https.")
    var url: [String]

    @Option(
        "The file to write, a folder (which exists or ends in /), or - for standard output.",
        as: "file", name: [.customShort("o", allowingJoined: true), .long], completion: .file())
    var output: String?

    @OptionGroup var parallel: DownloadOptions
    @OptionGroup var existing: OverwriteOptions
    @OptionGroup(title: "Options for the network") var network: NetworkOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let items = try url.map { (text) throws(CommandFailure) in try FetchItem(text) }
        let target = try target(isAlone: items.count == 1)
        let network = Network(
            try network.settings(inputs: items.count), isQuiet: report.quiet)
        let job = FetchJob(
            items: items, target: target, overwrite: existing.policy, network: network,
            jobs: parallel.count, report: report.style)
        try await job.run()
    }

    private func target(isAlone: Bool) throws(CommandFailure) -> Fetcher.Target {
        guard let output else { return .folder(OutputFolder(".")) }
        if output.isEmpty { throw .usage("-o needs the name of a file or folder.") }
        if output == "-" {
            guard isAlone else {
                throw .usage(
                    "Several downloads cannot go to standard output.", hint: "Name a folder.")
            }
            try OutputTarget.refuseTerminal("Downloads")
            return .output(.standardOutput)
        }
        if output.endsInSlash || FileKind(output) == .folder || !isAlone {
            let folder = OutputFolder(output)
            try folder.create()
            return .folder(folder)
        }
        let target = OutputTarget(path: output)
        try target.refuseExisting(existing.policy)
        return .output(target)
    }
}

/// `fetch`: the downloads of one run and their reports.
struct FetchJob {
    let items: [FetchItem]
    let target: Fetcher.Target
    let overwrite: OverwritePolicy
    let network: Network
    let jobs: Int
    let report: ReportStyle

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
        if case .output(.standardOutput) = self { true } else { false }
    }
}

/// Collects the outcomes of the downloads of one run.
struct FetchOutcomes: Sendable {
    private let report: ReportStyle
    private let bar: ProgressBar?
    private let isAlone: Bool
    private var failures: Failures
    private var answers: [JSONValue?]

    init(_ items: [FetchItem], _ report: ReportStyle, _ bar: ProgressBar?) {
        self.report = report
        self.bar = bar
        isAlone = items.count == 1
        failures = Failures(isAlone: isAlone, asJSON: report.json)
        answers = Array(repeating: nil, count: items.count)
    }

    /// Adds one outcome and reports it.
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

    /// Prints the results and throws if some failed.
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

extension Reports {
    /// `fetch --json`: one download.
    static func fetched(_ fetched: Fetched) -> JSONValue {
        let head = fetched.head
        return .object([
            ("input", .name(fetched.item.label)),
            ("output", .name(orNull: fetched.output)),
            ("bytes", .integer(fetched.count)),
            ("from", .string(head.origin.rawValue)),
            ("resumedBytes", .integer(head.resumedCount)),
            ("status", .integer(head.status)),
            ("url", .string(head.url.absoluteString)),
            ("contentType", .string(orNull: head.headers["Content-Type"])),
        ])
    }

    /// One download as a line for people.
    static func line(_ fetched: Fetched) -> String {
        let name = fetched.output.map { $0 == "-" ? fetched.item.label : $0 } ?? fetched.item.label
        return "\(name): \(ByteSize.text(fetched.count)) \(origin(of: fetched))"
    }

    private static func origin(of fetched: Fetched) -> String {
        switch fetched.head.origin {
        case .network: "from the network"
        case .store: "from the cache"
        case .revalidated: "from the cache, validated by the server"
        case .stale: "from the cache, stale"
        case .resumed:
            "from the network, except \(ByteSize.text(fetched.head.resumedCount)) of an earlier run"
        case .local: "local"
        }
    }
}
