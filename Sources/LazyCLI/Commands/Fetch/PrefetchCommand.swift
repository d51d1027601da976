internal import ArgumentParser
internal import LazyBase
internal import LazyMedia

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
            try network.settings(inputs: items.count), LimitsChoice(), isQuiet: report.quiet)
        try await PrefetchJob(
            items: items, faults: faults, network: network,
            jobs: parallel.count,
            report: report.style
        ).run()
    }
}
