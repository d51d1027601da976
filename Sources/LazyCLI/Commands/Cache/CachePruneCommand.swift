internal import ArgumentParser
internal import LazyLoading
internal import LazyOptions
internal import LazyRenditions

/// `lazyimg cache prune`: removes old, unused or too many entries.
struct CachePruneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove old or least recently used entries.",
        discussion: """
            Without a size or an age, each cache is reduced to its own limit, and files left by \
            crashed programs are removed.
            """)

    @Option(
        "Reduce each cache to this size: 500K, 100M, 2GiB.",
        Words.byteCount(atLeast: 0, "1500, 500K, 100MB or 2GiB"), as: "size")
    var maxSize: Int?

    @Option("Remove entries stored longer ago: 90s, 15m, 12h, 30d, 2w.", Words.age, as: "age")
    var olderThan: Duration?

    @Option("Remove entries not used for this time: 90s, 15m, 12h, 30d, 2w.", Words.age, as: "age")
    var unusedFor: Duration?

    @OptionGroup var options: CacheOptions

    func run() throws {
        let stores = try options.stores()
        let before = CacheRemoval.Count(stores)
        for store in stores.map(\.store) {
            if let olderThan { store.prune(olderThan: olderThan) }
            if let unusedFor { store.prune(unusedFor: unusedFor) }
            if let maxSize { store.prune(toBytes: maxSize) }
            if olderThan == nil, unusedFor == nil, maxSize == nil { store.sweep() }
        }
        try CacheRemoval.tell(before - CacheRemoval.Count(stores), options.report)
    }
}
