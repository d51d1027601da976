internal import ArgumentParser
import Glibc
internal import LazyBase
internal import LazyKit
internal import LazyLoading
internal import LazyOptions

/// The folder of the caches.
struct CacheFolderOptions: ParsableArguments {
    @Option(
        "The folder of the caches, instead of LAZYIMG_CACHE_DIR or ~/.cache/lazyimg.",
        as: "dir", completion: .directory)
    var cacheDir: String?

    func validate() throws {
        // The caches take text for names, so a different folder would be created.
        if let cacheDir, FileName.isMapped(cacheDir) {
            throw ValidationError("The folder of --cache-dir has a name that is not UTF-8.")
        }
    }

    /// The folder of the option or the environment; nil if this user has none.
    var path: String? {
        if let cacheDir, !cacheDir.isEmpty { return cacheDir }
        return Self.standardPath
    }

    /// The folder; throws if there is none.
    func requirePath() throws(CommandFailure) -> String {
        guard let path else {
            throw CommandFailure(
                .noInput, "missing", DiskCacheProblem.noFolder.description + ".",
                hint: "Name one with --cache-dir.")
        }
        return path
    }

    /// The folder of the environment.
    static var standardPath: String? {
        if let folder = getenv("LAZYIMG_CACHE_DIR"), folder.pointee != 0 {
            return String(cString: folder)
        }
        return CacheFolder.standard
    }
}
