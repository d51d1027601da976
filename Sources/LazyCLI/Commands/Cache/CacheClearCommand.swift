internal import ArgumentParser
import Glibc
internal import LazyBase
internal import LazyLoading
internal import LazyMedia

/// `lazyimg cache clear`: removes everything.
struct CacheClearCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Remove everything, including partial downloads.",
        discussion: "Asks first on a terminal, unless --yes is given.")

    @Flag(name: [.customShort("y"), .long], help: "Do not ask.")
    var yes = false

    @OptionGroup var options: CacheOptions

    func run() throws {
        let stores = try options.stores()
        let before = CacheRemoval.Count(stores)
        guard yes || before.entries == 0 || isConfirmed(before) else {
            throw CommandFailure.usage("Nothing was removed.", hint: "Confirm with --yes.")
        }
        for store in stores {
            do throws(SystemError) {
                try store.store.removeAll()
            } catch {
                throw CommandFailure(writing: store.store.folder, error)
            }
        }
        try CacheRemoval.tell(before - CacheRemoval.Count(stores), options.report)
    }

    // Asks only on a terminal, where somebody can answer.
    private func isConfirmed(_ count: CacheRemoval.Count) -> Bool {
        guard isatty(STDIN_FILENO) == 1, OutputStream.standardError.isTerminal else {
            return true
        }
        let size = ByteSize.text(count.bytes)
        let folder = options.folder.path ?? ""
        try? OutputStream.standardError.write(
            "Remove \(count.entries) entries (\(size)) of \(folder)? [y/N] ")
        return readLine()?.trimmed.lowercased().hasPrefix("y") ?? false
    }
}
