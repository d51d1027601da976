internal import Glibc
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
struct DiskLayout: Sendable {
    let folder: String

    var partials: String { folder + "/partial" }
    var state: String { folder + "/state" }
    var sweeping: String { folder + "/sweeping" }

    static let nameLength = 64

    /// The name of a key's files.
    static func name(of key: String) -> String {
        hex(Fingerprint.digest(of: key))
    }

    func shard(_ name: String) -> String { folder + "/" + name.prefix(2) }
    func entry(_ name: String) -> String { shard(name) + "/" + name }
    func metadata(_ name: String, id: UInt64) -> String {
        entry(name) + "." + Self.hex(id.bytes)
    }
    func partial(_ name: String) -> String { partials + "/" + name + ".part" }
    func temporary(_ name: String) -> String {
        partials + "/" + name + "." + Self.hex(UInt64.random(in: 0 ... .max).bytes) + ".tmp"
    }

    static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Whether a name in a shard, or in the folder for shards themselves, is one of ours.
    static func isHex(_ name: some StringProtocol) -> Bool {
        name.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Makes the folders and the tag that tells backup programs to pass by.
    ///
    /// Throws `EPERM` where the folder was made by another user: below `/tmp` anybody could.
    func make() throws(SystemError) {
        try Self.makeFolder(folder)
        guard Self.isOurs(folder) else { throw SystemError(code: EPERM) }
        try Self.makeFolder(partials)
        try CacheFolder.tag(folder)
    }

    /// Makes a folder for its owner alone, with those above it; one that is there is left as it is.
    static func makeFolder(_ path: String) throws(SystemError) {
        if mkdir(path, 0o700) == 0 { return }
        var code = errno
        if code == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try makeFolder(String(path[..<slash]))
            if mkdir(path, 0o700) == 0 { return }
            code = errno
        }
        guard code == EEXIST || code == EROFS || code == EACCES, isFolder(path) else {
            throw SystemError(code: code == EEXIST ? ENOTDIR : code)
        }
    }

    private static func isOurs(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && (status.st_uid == geteuid() || geteuid() == 0)
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The names in a folder, without those that begin with a dot; none where it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
