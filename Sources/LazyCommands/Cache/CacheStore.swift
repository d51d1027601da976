internal import CommandSupport
import Glibc
internal import LazyBytes
internal import LazyCache
internal import LazyLoading
internal import LazyMedia

/// One cache on disk, by its name.
struct CacheStore {
    let name: String
    let store: DiskStore

    /// All caches below a folder; none where it is not there.
    static func all(in folder: String) throws(CommandFailure) -> [CacheStore] {
        var stores: [CacheStore] = []
        for name in names(in: folder) {
            let path = folder + "/" + name
            guard access(path + "/CACHEDIR.TAG", F_OK) == 0 else { continue }
            do throws(SystemError) {
                // What its owner keeps is not known here: only what is asked for is removed.
                let limits = name == "http" ? StoreLimits() : StoreLimits(byteCount: 1 << 60)
                stores.append(
                    CacheStore(name: name, store: try DiskStore(folder: path, limits: limits)))
            } catch {
                throw CommandFailure(
                    [EACCES, EPERM].contains(error.code) ? .noPermission : .inputOutput, "io",
                    "Cannot open the cache \(path): \(error).")
            }
        }
        return stores
    }

    private static func names(in folder: String) -> [String] {
        guard let handle = opendir(folder) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}

/// Tells keys by what people write: an address, a key, or a pattern with `*`, `?` and `[`.
struct KeyPattern {
    private let text: String
    /// The key that an address has; for a pattern the pattern.
    let key: String

    init(_ text: String) {
        self.text = text
        key = RemoteAddress.url(text).map { CacheKey.of($0) } ?? text
    }

    /// Whether a key is meant.
    ///
    /// The lines behind the first tell the variants of one address apart.
    func matches(_ key: String) -> Bool {
        let address = key.prefix { $0 != "\n" }
        return address == self.key || address == text || fnmatch(text, String(address), 0) == 0
    }
}
