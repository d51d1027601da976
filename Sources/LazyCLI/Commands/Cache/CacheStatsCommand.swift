internal import ArgumentParser
internal import LazyBase
internal import LazyLoading

/// `lazyimg cache stats`: prints the size of each cache.
struct CacheStatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Print the size of each cache.")

    @OptionGroup var options: CacheOptions

    func run() throws {
        let stores = try options.stores().map { ($0.name, $0.store.statistics()) }
        let folder = try options.folder.requirePath()
        if options.report.json {
            let rows = stores.map { JSONValue.object(Self.members($0.0, $0.1)) }
            try Console.print(
                JSONValue.object([("folder", .string(folder)), ("caches", .array(rows))]).text)
        } else {
            let rows = stores.map { ($0.0, Self.text($0.1)) }
            try Console.print(
                folder + "\n" + (rows.isEmpty ? "  no caches\n" : Reports.table(rows)))
        }
    }

    private static func members(
        _ name: String, _ statistics: StoreStatistics
    ) -> [(String, JSONValue)] {
        [
            ("name", .string(name)), ("entries", .integer(statistics.count)),
            ("bytes", .integer(statistics.byteCount)),
            ("allocatedBytes", .integer(statistics.allocatedByteCount)),
            ("suspended", .integer(statistics.partialCount)),
            ("suspendedBytes", .integer(statistics.partialByteCount)),
        ]
    }

    private static func text(_ statistics: StoreStatistics) -> String {
        let count = statistics.count
        var text =
            "\(count) \(count == 1 ? "entry" : "entries"), \(ByteSize.text(statistics.byteCount))"
        if statistics.partialCount > 0 {
            text += ", \(statistics.partialCount) partial "
            text += "(\(ByteSize.text(statistics.partialByteCount)))"
        }
        return text
    }
}
