internal import ArgumentParser
internal import LazyBase
internal import LazyMedia

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
        name: [.customShort("o", allowingJoined: true), .long],
        help: .init(
            "The file to write, a folder (which exists or ends in /), or - for standard output.",
            valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var parallel: DownloadOptions
    @OptionGroup var existing: OverwriteOptions
    @OptionGroup(title: "Options for the network") var network: NetworkOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        let items = try url.map { (text) throws(CommandFailure) in try FetchItem(text) }
        let target = try target(isAlone: items.count == 1)
        let network = Network(
            try network.settings(inputs: items.count), LimitsChoice(), isQuiet: report.quiet)
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
