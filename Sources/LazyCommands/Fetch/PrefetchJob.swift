internal import LazyLoading
internal import LazyMedia

/// `prefetch`: all downloads into the cache, and their sum.
struct PrefetchJob {
    /// What came of all downloads.
    struct Sum: Sendable {
        var loaded = 0
        var cached = 0
        var failed = 0
        /// Bytes that came over the network.
        var bytes = 0

        mutating func add(_ fetched: Fetched) {
            switch fetched.head.origin {
            case .store, .revalidated, .stale: cached += 1
            case .network, .resumed, .local:
                loaded += 1
                bytes += fetched.count - fetched.head.resumedCount
            }
        }
    }

    let items: [FetchItem]
    /// Lines of lists that are no addresses.
    let faults: [CommandFailure]
    let network: Network
    let jobs: Int
    let report: ReportOptions

    func run() async throws(CommandFailure) {
        let bar = ProgressBar("prefetch", .inputs, total: items.count, isQuiet: report.quiet)
        let fetcher = Fetcher(network: network, target: .nothing, overwrite: .never, bar: nil)
        let (items, faults, jobs, report) = (items, faults, jobs, report)
        let (sum, failures) = try await Interruption.cancelling {
            () async throws(CommandFailure) -> (Sum, Failures) in
            var sum = Sum()
            var failures = Failures(
                isAlone: items.count + faults.count == 1, asJSON: report.json)
            for fault in faults { _ = try failures.add(fault) }
            sum.failed = faults.count
            defer { bar?.finish() }
            try await SideBySide.run(items, jobs: jobs) { _, item in
                await fetcher.attempt(item)
            } didEnd: { (_, outcome) throws(CommandFailure) in
                bar?.advance()
                switch outcome {
                case .success(let fetched): sum.add(fetched)
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
                    ("bytes", .integer(sum.bytes)),
                ]).text)
        } else if !report.quiet {
            let failed = sum.failed > 0 ? ", \(sum.failed) failed" : ""
            let count = items.count + faults.count
            Console.say(
                "\(count) \(count == 1 ? "address" : "addresses"): \(sum.loaded) loaded (\(ByteSize.text(sum.bytes))), "
                    + "\(sum.cached) in the cache already\(failed)")
        }
    }
}
