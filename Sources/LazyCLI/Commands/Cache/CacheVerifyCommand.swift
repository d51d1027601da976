internal import ArgumentParser
internal import LazyBase
internal import LazyLoading
internal import LazyMedia

/// `lazyimg cache verify`: compares all entries with their checksums.
struct CacheVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Compare all entries with their checksums.",
        discussion: "Exits with 65 if an entry is damaged. Damaged entries are never used.")

    @Flag(help: "Remove damaged entries.")
    var remove = false

    @OptionGroup var options: CacheOptions

    func run() async throws {
        var checked = 0
        var damaged: [String] = []
        for store in try options.stores() {
            let (cache, isRemoving) = (store.store, remove)
            let report = await BlockingPool.disk.run {
                cache.verify(removingDamaged: isRemoving)
            }
            checked += report.count
            damaged += report.damaged.map { store.name + "/" + $0 }
        }
        try tell(checked, damaged)
        if !damaged.isEmpty {
            throw CommandFailure(
                .badData, "malformed",
                damaged.count == 1
                    ? "1 entry is damaged." : "\(damaged.count) entries are damaged.",
                hint: remove ? "It was removed." : "Remove it with --remove.")
        }
    }

    private func tell(_ checked: Int, _ damaged: [String]) throws(CommandFailure) {
        if options.report.json {
            try Console.print(
                JSONValue.object([
                    ("checked", .integer(checked)),
                    ("damaged", .array(damaged.map { .string($0) })),
                    ("removed", .bool(remove && !damaged.isEmpty)),
                ]).text)
        } else {
            for name in damaged { try Console.print("damaged: \(name)\n") }
            if !options.report.quiet {
                Console.say("\(checked) checked, \(damaged.count) damaged")
            }
        }
    }
}
