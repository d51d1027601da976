internal import Glibc
internal import LazyBase

/// The folder of caches by the XDG base directory specification.
public enum CacheFolder {
    /// The folder of all caches, or nil if this user has none.
    ///
    /// `$XDG_CACHE_HOME/lazyimg`, or `~/.cache/lazyimg`; without a home folder `$XDG_RUNTIME_DIR/lazyimg`,
    /// which is removed with the session. Never in a shared folder such as `/tmp`, where other users
    /// could plant files.
    public static var standard: String? { place.map(\.folder) }

    /// The limits of a store in the standard folder.
    ///
    /// At most an eighth of `$XDG_RUNTIME_DIR`, which is in memory and shared by the session.
    public static func limits(_ limits: StoreLimits = StoreLimits()) -> StoreLimits {
        guard let place, place.isShort else { return limits }
        var status = statvfs()
        let parent = String(place.folder.dropLast("/lazyimg".count))
        guard statvfs(parent, &status) == 0 else { return limits }
        let most = Int(clamping: UInt64(status.f_blocks) &* UInt64(status.f_frsize) / 8)
        var bounded = limits
        bounded.byteCount = min(limits.byteCount, most)
        bounded.partialBytes = min(limits.partialBytes, most)
        return bounded
    }

    private static var place: Place? {
        place(
            { name in getenv(name).map { String(cString: $0) } }, isFolder: OwnedFolder.isFolder,
            isPrivate: { path in
                let folder = try? OwnedFolder.open(path, making: false, isPrivate: false)
                return folder?.isPrivate ?? false
            })
    }

    /// A folder for caches.
    struct Place: Equatable {
        var folder: String
        /// Whether it is in memory, and removed with the session.
        var isShort = false
    }

    /// The folder according to an environment.
    static func place(
        _ environment: (String) -> String?, isFolder: (String) -> Bool,
        isPrivate: (String) -> Bool
    ) -> Place? {
        // "All paths set in these environment variables must be absolute. If an implementation
        // encounters a relative path […] it should consider the path invalid and ignore it."
        func absolute(_ name: String) -> String? {
            environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        func below(_ folder: String, _ rest: String) -> String {
            folder.hasSuffix("/") ? folder + rest : folder + "/" + rest
        }
        if let cache = absolute("XDG_CACHE_HOME") {
            return Place(folder: below(cache, "lazyimg"))
        }
        if let home = absolute("HOME"), home != "/", isFolder(home) {
            return Place(folder: below(home, ".cache/lazyimg"))
        }
        if let session = absolute("XDG_RUNTIME_DIR"), isPrivate(session) {
            return Place(folder: below(session, "lazyimg"), isShort: true)
        }
        return nil
    }

    /// Marks a folder as a cache for backup programs (bford.info/cachedir).
    static func tag(_ folder: OwnedFolder) throws(SystemError) {
        let name = "CACHEDIR.TAG"
        if folder.status(of: name) != nil { return }
        let text = """
            Signature: 8a477f597d28d172789f06886806bc55
            # This file is a cache directory tag created by lazyimg.
            # For information about cache directory tags see https://bford.info/cachedir/

            """
        do throws(SystemError) {
            try folder.open(name, O_WRONLY | O_CREAT).write(Array(text.utf8), at: 0)
        } catch {
            // A store can be read on a read-only file system, and emptied on a full disk.
            guard [EROFS, EACCES, ENOSPC, EDQUOT].contains(error.code) else { throw error }
        }
    }
}
