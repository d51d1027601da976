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
