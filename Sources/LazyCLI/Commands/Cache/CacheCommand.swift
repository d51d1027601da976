internal import ArgumentParser

/// `lazyimg cache`: prints and removes what the caches contain.
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Print the sizes of the caches, and remove entries.",
        discussion: """
            The HTTP cache is named 'http'; caches that programs created have their own names. All are \
            in one folder, which may be deleted at any time.

            Examples:
              lazyimg cache stats
              lazyimg cache rm 'https://example.org/*'
              lazyimg cache prune --max-size 100M --older-than 30d
              lazyimg cache rm '*'
            """,
        subcommands: [
            CacheStatsCommand.self, CacheRemoveCommand.self, CachePruneCommand.self,
        ])
}
