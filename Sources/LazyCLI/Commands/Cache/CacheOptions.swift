internal import ArgumentParser
internal import LazyOptions
internal import LazyPipeline

/// The options of all cache commands.
struct CacheOptions: ParsableArguments {
    @OptionGroup var folder: CacheFolderOptions

    @Option("Use only the cache of this name, such as http.", as: "name")
    var store: String?

    @OptionGroup var report: ReportOptions

    /// The selected caches.
    func stores() throws(CommandFailure) -> [CacheStore] {
        let path = try folder.requirePath()
        let all = try CacheStore.all(in: path)
        guard let store else { return all }
        let named = all.filter { $0.name == store }
        if named.isEmpty {
            throw CommandFailure(
                .noInput, "missing", "There is no cache '\(store)' in \(path).",
                hint: all.isEmpty
                    ? nil : "The caches are \(all.map(\.name).joined(separator: ", ")).")
        }
        return named
    }
}
