internal import Glibc
internal import LazyBase

/// The names of files in the folder of a store.
///
/// ```
/// CACHEDIR.TAG
/// state                      counters; locked during changes
/// sweeping                   how far the sweep is; locked by the sweeping process
/// 3f/3f9a…                   an entry: the SHA-256 of its key
/// 3f/3f9a….0123456789abcdef  newer metadata for the entry of that ID
/// partial/3f9a….part         being written or suspended; locked by its writer
/// partial/3f9a….0123….tmp    being written; removed with its writer
/// ```
///
/// Paths are relative to the folder.
enum DiskLayout {
    static let partials = "partial"
    static let state = "state"
    static let sweeping = "sweeping"

    static let nameLength = 64

    /// The length of the prefix that a key shares with its variants.
    static let groupLength = 16

    /// The file name of a key; variants share the prefix of their group.
    static func name(of key: String) -> String {
        let name = SHA256.hash(key.utf8).hexadecimal()
        let group = EntryGroup.of(key)
        if group.endIndex == key.endIndex { return name }
        let groupName = SHA256.hash(group.utf8).hexadecimal()
        return String(groupName.prefix(groupLength) + name.dropFirst(groupLength))
    }

    static func shard(_ name: String) -> String { String(name.prefix(2)) }
    static func entry(_ name: String) -> String { shard(name) + "/" + name }
    static func metadata(_ name: String, id: UInt64) -> String {
        shard(name) + "/" + sidecar(name, id: id)
    }
    /// The name of a sidecar file in the folder of its shard.
    static func sidecar(_ name: String, id: UInt64) -> String {
        name + "." + id.bytes.hexadecimal()
    }
    static func partial(_ name: String) -> String { partials + "/" + name + ".part" }
    static func temporary(_ name: String) -> String {
        partials + "/" + temporary(name, id: .random(in: 0 ... .max))
    }
    /// The name of a temporary file in the folder of staging files.
    static func temporary(_ name: String, id: UInt64) -> String {
        sidecar(name, id: id) + ".tmp"
    }

    /// Opens the folder of an entry, which is created if it is missing.
    static func openShard(_ name: String, in root: OwnedFolder) throws(SystemError) -> OwnedFolder {
        if let folder = try root.folder(shard(name)) { return folder }
        try root.makeFolder(shard(name))
        guard let folder = try root.folder(shard(name)) else { throw SystemError(code: ENOENT) }
        return folder
    }

    /// Whether a name consists of lower-case hexadecimal digits.
    static func isHex(_ name: Substring.UTF8View) -> Bool { name.allSatisfy(isHex) }

    static func isHex(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...102).contains(byte)
    }

    /// Opens the folder of a store, and creates what is missing in it.
    ///
    /// Throws `EPERM` if the folder belongs to another user.
    static func open(_ folder: String) throws(SystemError) -> OwnedFolder {
        let root = try OwnedFolder.open(folder)
        try root.makeFolder(partials)
        try CacheFolder.tag(root)
        return root
    }
}
