internal import ArgumentParser
internal import LazyLoading

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
        help: .init("Reduce each cache to this size: 500K, 100M, 2GiB.", valueName: "size"),
        transform: CacheArguments.size)
    var maxSize: Int?

    @Option(
        help: .init(
            "Remove entries stored longer ago: 90s, 15m, 12h, 30d, 2w.", valueName: "age"),
        transform: CacheArguments.age)
    var olderThan: Duration?

    @Option(
        help: .init(
            "Remove entries not used for this time: 90s, 15m, 12h, 30d, 2w.", valueName: "age"),
        transform: CacheArguments.age)
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

/// Parses the values of cache options.
enum CacheArguments {
    static func size(_ text: String) throws -> Int {
        guard let size = ByteSize.parse(text) else {
            throw ArgumentError("a size is written as 1500, 500K, 100MB or 2GiB")
        }
        return size
    }

    static func age(_ text: String) throws -> Duration {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()),
            (0...1_000_000).contains(number)
        else { throw ArgumentError("an age is written as 90s, 15m, 12h, 30d or 2w") }
        return .seconds(number * unit)
    }
}
