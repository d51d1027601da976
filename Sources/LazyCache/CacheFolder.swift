internal import Glibc
internal import LazyBytes

/// Where caches stand by the XDG base directory specification.
public enum CacheFolder {
    /// The folder for everything of ours: `$XDG_CACHE_HOME/lazyimg`, or `~/.cache/lazyimg`.
    public static var standard: String {
        path { name in getenv(name).map { String(cString: $0) } }
    }

    /// The folder by an environment; one below `/tmp` for this user where there is no home.
    static func path(_ environment: (String) -> String?) -> String {
        // "All paths set in these environment variables must be absolute. If an implementation
        // encounters a relative path […] it should consider the path invalid and ignore it."
        func absolute(_ name: String) -> String? {
            environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        func below(_ folder: String, _ rest: String) -> String {
            folder.hasSuffix("/") ? folder + rest : folder + "/" + rest
        }
        if let cache = absolute("XDG_CACHE_HOME") { return below(cache, "lazyimg") }
        if let home = absolute("HOME"), home != "/" { return below(home, ".cache/lazyimg") }
        return below(absolute("TMPDIR") ?? "/tmp", "lazyimg-\(getuid())")
    }

    /// Marks a folder as a cache, for programs that make backups (bford.info/cachedir).
    static func tag(_ folder: String) throws(SystemError) {
        let path = folder + "/CACHEDIR.TAG"
        if access(path, F_OK) == 0 { return }
        let text = """
            Signature: 8a477f597d28d172789f06886806bc55
            # This file is a cache directory tag created by lazyimg.
            # For information about cache directory tags see https://bford.info/cachedir/

            """
        do throws(SystemError) {
            try Descriptor.open(path, O_WRONLY | O_CREAT).write(Array(text.utf8), at: 0)
        } catch {
            // A store on a read-only file system can still be read, and one on a full disk emptied.
            guard [EROFS, EACCES, ENOSPC, EDQUOT].contains(error.code) else { throw error }
        }
    }
}
