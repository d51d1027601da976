import Glibc
internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline

/// A cache on disk and its name.
struct CacheStore {
    let name: String
    let store: DiskStore

    /// All caches in a folder; none if it does not exist.
    static func all(in folder: String) throws(CommandFailure) -> [CacheStore] {
        var stores: [CacheStore] = []
        for name in try names(in: folder) {
            let path = folder + "/" + name
            guard access(path + "/CACHEDIR.TAG", F_OK) == 0 else { continue }
            do throws(SystemError) {
                // The limits of its owner are unknown: only requested entries are removed.
                let limits = name == "http" ? StoreLimits() : StoreLimits(byteCount: 1 << 60)
                stores.append(
                    CacheStore(name: name, store: try DiskStore(folder: path, limits: limits)))
            } catch {
                throw failure(path, error)
            }
        }
        return stores
    }

    private static func names(in folder: String) throws(CommandFailure) -> [String] {
        do throws(SystemError) {
            return try FolderNames.read(folder).filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            if error.code == ENOENT { return [] }
            throw failure(folder, error)
        }
    }

    private static func failure(_ path: String, _ error: SystemError) -> CommandFailure {
        CommandFailure(
            [EACCES, EPERM].contains(error.code) ? .noPermission : .inputOutput, "io",
            "Cannot open the cache \(path): \(error).")
    }
}

/// Matches keys with a URL, a key, or a pattern with `*`, `?` and `[`.
struct KeyPattern {
    private let text: String
    /// The key of a URL, or the pattern.
    let key: String

    init(_ text: String) {
        self.text = text
        key = RemoteAddress.url(text).map { CacheKey.of($0) } ?? text
    }

    /// Whether a key matches.
    ///
    /// The lines after the first distinguish variants of one URL.
    func matches(_ key: String) -> Bool {
        let address = key.prefix { $0 != "\n" }
        return address == self.key || address == text || fnmatch(text, String(address), 0) == 0
    }
}
