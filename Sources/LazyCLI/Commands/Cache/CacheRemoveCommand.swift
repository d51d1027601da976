internal import ArgumentParser
internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline

/// `lazyimg cache rm`: removes the entries of URLs and patterns.
struct CacheRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Remove the entries of URLs or patterns.",
        discussion: "Partial downloads are removed, too; '*' means everything.",
        aliases: ["remove"])

    @Argument(help: "URLs, or patterns with * and ?.")
    var url: [String]

    @OptionGroup var options: CacheOptions

    func run() throws {
        let stores = try options.stores()
        let patterns = url.map(KeyPattern.init)
        let before = CacheRemoval.Count(stores)
        for store in stores.map(\.store) {
            let stored = store.entries().map(\.key) + store.partials().map(\.key)
            let keys = stored.filter { key in
                patterns.contains { $0.matches(key) }
            }
            // A partial download has no entry yet.
            try remove(
                keys.map(EntryChoice.key) + patterns.map { .variants(of: $0.key) }, from: store)
        }
        let removed = before - CacheRemoval.Count(stores)
        if removed.entries == 0 {
            throw CommandFailure(
                .noInput, "missing", "No cache has a matching entry.",
                hint: "See 'lazyimg cache stats'.")
        }
        try CacheRemoval.tell(removed, options.report)
    }

    private func remove(
        _ choices: [EntryChoice], from store: DiskStore
    ) throws(CommandFailure) {
        for choice in choices {
            do throws(SystemError) {
                try store.remove(choice)
            } catch {
                throw CommandFailure(writing: store.folder, error)
            }
        }
    }
}
