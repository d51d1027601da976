internal import LazyBytes

/// Where in a store's folder things stand.
///
/// ```
/// CACHEDIR.TAG
/// state                      counts; locked while they change
/// sweeping                   locked by the process that sweeps
/// 3f/3f9a…                   an entry: the SHA-256 of its key
/// 3f/3f9a….0123456789abcdef  other metadata for the entry of that id
/// partial/3f9a….part         being written, or suspended; locked by its writer
/// partial/3f9a….0123….tmp    being written, and gone with its writer
/// ```
///
/// Paths are relative to that folder.
enum DiskLayout {
    static let partials = "partial"
    static let state = "state"
    static let sweeping = "sweeping"

    static let nameLength = 64

    /// How many letters of a name a key shares with its variants.
    static let groupLength = 16

    /// The name of a key's files: of a variant it begins as that of its group.
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
        entry(name) + "." + id.bytes.hexadecimal()
    }
    static func partial(_ name: String) -> String { partials + "/" + name + ".part" }
    static func temporary(_ name: String) -> String {
        partials + "/" + name + "." + UInt64.random(in: 0 ... .max).bytes.hexadecimal() + ".tmp"
    }

    /// Whether a name in a shard, or in the folder for shards themselves, is one of ours.
    static func isHex(_ name: some StringProtocol) -> Bool {
        name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Opens a store's folder, with all that stands in every one of them.
    ///
    /// Throws `EPERM` where the folder is another user's.
    static func open(_ folder: String) throws(SystemError) -> OwnedFolder {
        let root = try OwnedFolder.open(folder)
        try root.makeFolder(partials)
        try CacheFolder.tag(root)
        return root
    }
}
