internal import ArgumentParser
internal import CommandSupport

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
