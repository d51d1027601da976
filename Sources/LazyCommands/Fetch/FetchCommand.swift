internal import ArgumentParser
internal import CommandSupport
internal import LazyBytes
internal import LazyFiles
internal import LazyMedia
internal import MediaJobs

/// `lazyimg fetch`: addresses to files, through the cache.
struct FetchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Download addresses to files, through the cache.",
        discussion: """
            What is fresh in the cache is not loaded again, what is stale is asked after, and a \
            download that was broken off, by Ctrl-C or by the network, is continued when the same \
            command runs again. Each file appears whole or not at all.

            Without -o files go into the current folder, under the name that the server says, or \
            the end of the address.

            Examples:
              lazyimg fetch https://example.org/clip.mp4
              lazyimg fetch https://example.org/clip.mp4 -o copy.mp4
              lazyimg fetch https://example.org/{a,b}.gif -o pictures/
              lazyimg fetch https://example.org/a.gif -o - | other-program
            """,
        aliases: ["download", "get"])

    @Argument(help: "Addresses: http or https.")
    var url: [String]

    @Option(
        name: [.customShort("o", allowingJoined: true), .long],
        help: .init(
            "The file to write, a folder (it ends in / or is there), or - for standard output.",
            valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: .init("Load so many at once. Default: 4.", valueName: "n"),
        transform: Arguments.jobs)
    var jobs: Int = 4

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
            jobs: jobs == 0 ? BlockingPool.coreCount : jobs, report: report.style)
        try await job.run()
    }

    private func target(isAlone: Bool) throws(CommandFailure) -> Fetcher.Target {
        guard let output else { return .folder(OutputFolder(".")) }
        if output.isEmpty { throw .usage("-o needs the name of a file or folder.") }
        if output == "-" {
            guard isAlone else {
                throw .usage(
                    "Several addresses cannot go to standard output.", hint: "Name a folder.")
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
