internal import ArgumentParser

/// `lazyimg cache`: prints and removes what the caches contain.
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Inspect the caches, and remove entries.",
        discussion: """
            The HTTP cache is named 'http'; caches that programs created have their own names. All are \
            in one folder, which may be deleted at any time.

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
