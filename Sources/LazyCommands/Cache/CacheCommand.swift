internal import ArgumentParser
internal import CommandSupport

/// `lazyimg cache`: what is kept, and its end.
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Look into the caches, and remove what is in them.",
        discussion: """
            There is the store of HTTP answers, 'http', and the caches that programs have made for \
            themselves, by their names. All are below one folder; deleting it by hand is safe.

            Examples:
              lazyimg cache stats
              lazyimg cache ls --long
              lazyimg cache rm 'https://example.org/*'
              lazyimg cache prune --max-size 100M --older-than 30d
              lazyimg cache verify
            """,
        subcommands: [
            CacheStatsCommand.self, CacheListCommand.self, CacheRemoveCommand.self,
            CachePruneCommand.self, CacheClearCommand.self, CacheVerifyCommand.self,
        ])
}

/// What all commands about caches share.
struct CacheOptions: ParsableArguments {
    @OptionGroup var folder: CacheFolderOptions

    @Option(help: .init("Only the cache of this name, such as http.", valueName: "name"))
    var store: String?

    @OptionGroup var report: ReportOptions

    /// The caches that are meant.
    func stores() throws(CommandFailure) -> [CacheStore] {
        let path = try folder.requirePath()
        let all = try CacheStore.all(in: path)
        guard let store else { return all }
        let named = all.filter { $0.name == store }
        if named.isEmpty {
            throw CommandFailure(
                .noInput, "missing", "There is no cache '\(store)' in \(path).",
                hint: all.isEmpty
                    ? nil : "There is: \(all.map(\.name).joined(separator: ", ")).")
        }
        return named
    }
}
