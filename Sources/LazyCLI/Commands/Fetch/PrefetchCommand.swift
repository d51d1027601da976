internal import ArgumentParser
internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline

/// `lazyimg prefetch`: downloads URLs to the cache.
struct PrefetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prefetch",
        abstract: "Download URLs to the cache.",
        discussion: """
            A LIST is a file with a URL on each line; empty lines and lines that begin with # are \
            skipped, and an invalid line does not stop the others. Fresh responses in the cache are \
            not loaded again.

            Examples:
              lazyimg prefetch addresses.txt
              lazyimg prefetch https://example.org/a.gif https://example.org/b.mp4
              find-addresses | lazyimg prefetch -
            """)

    @Argument(
        help: .init(
            "URLs, files that list URLs, or - for a list on standard input.",
            valueName: "list-or-url"),
        completion: .file())
    var list: [String]

    @Flag(
        name: [.customShort("0"), .long],
        help: "Entries of lists end with a zero byte instead of a line break.")
    var null = false

    @OptionGroup var parallel: DownloadOptions
    @OptionGroup(title: "Options for the network") var network: NetworkOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        if network.connection.noCache {
            throw CommandFailure.usage("--no-cache cannot be combined with prefetch.")
        }
        let (items, faults) = try AddressList.items(list, isNullSeparated: null)
        let network = Network(
            try network.settings(inputs: items.count), isQuiet: report.quiet)
        try await PrefetchJob(
            items: items, faults: faults, network: network,
            jobs: parallel.count,
            report: report.style
        ).run()
    }
}

/// `prefetch`: all downloads to the cache, and their totals.
struct PrefetchJob {
    /// The totals of all downloads.
    struct Sum: Sendable {
        var loaded = 0
        var cached = 0
        var failed = 0
        /// Loaded but not stored.
        var notKept = 0
        /// Bytes that came over the network.
        var bytes = 0

        mutating func add(_ fetched: Fetched, isKept: Bool) {
            if !isKept { notKept += 1 }
            switch fetched.head.origin {
            case .store, .revalidated, .stale: cached += 1
            case .network, .resumed, .local:
                loaded += 1
                bytes += fetched.count - fetched.head.resumedCount
            }
        }
    }

    let items: [FetchItem]
    /// Invalid lines of lists.
    let faults: [CommandFailure]
    let network: Network
    let jobs: Int
    let report: ReportStyle

    func run() async throws(CommandFailure) {
        try network.settings.requireStore()
        let bar = ProgressBar("prefetch", .inputs, total: items.count, isQuiet: report.quiet)
        let fetcher = Fetcher(network: network, target: .cache, overwrite: .never, bar: nil)
        let (items, faults, jobs, report) = (items, faults, jobs, report)
        let settings = network.settings
        let (sum, failures) = try await Interruption.cancelling {
            () async throws(CommandFailure) -> (Sum, Failures) in
            var sum = Sum()
            var failures = Failures(
                isAlone: items.count + faults.count == 1, asJSON: report.json)
            for fault in faults { _ = try failures.add(fault) }
            sum.failed = faults.count
            defer { bar?.finish() }
            try await ConcurrentMap.runInputs(items, jobs: jobs) { _, item in
                await fetcher.attempt(item)
            } didEnd: { (_, outcome) throws(CommandFailure) in
                bar?.advance()
                switch outcome {
                case .success(let fetched):
                    sum.add(fetched, isKept: settings.keeps(fetched.item.url))
                case .failure(let failure):
                    bar?.clear()
                    sum.failed += 1
                    _ = try failures.add(failure)
                }
            }
            return (sum, failures)
        }
        try tell(sum)
        try failures.finish()
    }

    private func tell(_ sum: Sum) throws(CommandFailure) {
        if report.json {
            try Console.print(
                JSONValue.object([
                    ("addresses", .integer(items.count + faults.count)),
                    ("loaded", .integer(sum.loaded)),
                    ("cached", .integer(sum.cached)), ("failed", .integer(sum.failed)),
                    ("notKept", .integer(sum.notKept)),
                    ("bytes", .integer(sum.bytes)),
                ]).text)
        } else if !report.quiet {
            var rest = sum.failed > 0 ? ", \(sum.failed) failed" : ""
            if sum.notKept > 0 {
                rest += ", \(sum.notKept) not stored: no space, or the server forbids it"
            }
            let count = items.count + faults.count
            Console.say(
                "\(count) \(count == 1 ? "URL" : "URLs"): \(sum.loaded) loaded (\(ByteSize.text(sum.bytes))), "
                    + "\(sum.cached) already in the cache\(rest)")
        }
    }
}
