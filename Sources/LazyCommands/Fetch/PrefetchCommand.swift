internal import ArgumentParser
internal import CommandSupport
internal import LazyBytes
internal import LazyMedia
internal import MediaJobs

/// `lazyimg prefetch`: addresses into the cache.
struct PrefetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prefetch",
        abstract: "Download addresses into the cache, so that they are there later.",
        discussion: """
            A LIST is a file with an address on each line; empty lines and lines after # are passed \
            over, and a line that is no address keeps no other back. What is fresh in the cache is \
            not loaded again.

            Examples:
              lazyimg prefetch addresses.txt
              lazyimg prefetch https://example.org/a.gif https://example.org/b.mp4
              find-addresses | lazyimg prefetch -
            """)

    @Argument(
        help: .init(
            "Addresses, files that list addresses, or - for a list on standard input.",
            valueName: "list-or-url"),
        completion: .file())
    var list: [String]

    @Flag(
        name: [.customShort("0"), .long],
        help: "The addresses of a list are ended by NUL, not by line breaks.")
    var null = false

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: .init("Load so many at once. Default: 4.", valueName: "n"),
        transform: Arguments.jobs)
    var jobs: Int = 4

    @OptionGroup(title: "Options for the network") var network: NetworkOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        if network.connection.noCache {
            throw CommandFailure.usage("--no-cache would keep nothing of what is prefetched.")
        }
        let (items, faults) = try AddressList.items(list, isNullSeparated: null)
        let network = Network(
            try network.settings(inputs: items.count), isQuiet: report.quiet)
        try await PrefetchJob(
            items: items, faults: faults, network: network,
            jobs: jobs == 0 ? BlockingPool.coreCount : jobs,
            report: report.style
        ).run()
    }
}
