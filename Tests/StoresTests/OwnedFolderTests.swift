import CLazySystem
import Foundation
import Support
import Testing

@testable import LazyBase
@testable import LazyLoading

/// Whether these tests may change the owner of files.
private let isRoot = geteuid() == 0

/// The usual ID of the user `nobody`.
private let nobody: uid_t = 65_534

/// Folders that other users can change.
@Suite struct OwnedFolderTests {
    let scratch = Scratch()

    private func path(_ name: String) -> String { scratch.path + "/" + name }

    private func link(_ name: String, to target: String) {
        #expect(symlink(target, path(name)) == 0)
    }

    private func makeFolder(_ name: String, _ mode: mode_t = 0o700) {
        #expect(mkdir(path(name), mode) == 0)
        #expect(chmod(path(name), mode) == 0)
    }

    @Test(.enabled(if: isRoot), arguments: [0o700, 0o755, 0o777] as [mode_t])
    func `another user's folder is used by nobody else, root included`(mode: mode_t) {
        makeFolder("store", mode)
        #expect(chown(path("store"), nobody, nobody) == 0)
        #expect(throws: SystemError(code: EPERM)) { try DiskStore(folder: path("store")) }
        #expect(throws: SystemError(code: EPERM)) { try DataCache(folder: path("store")) }
        #expect(scratch.files == [])
        #expect(!OwnedFolder.isFolder(path("store/partial")))
    }

    @Test(.enabled(if: isRoot)) func `files of another user are not served`()
        throws
    {
        let planted = try DiskStore(folder: path("store"))
        try planted.store(Blob([1]), for: "key")
        try planted.store(Blob([1]), for: "other")
        let suspended = try planted.makeWriter(for: "key", metadata: [])
        try suspended.append([1, 2, 3])
        suspended.suspend()
        for name in scratch.entries(below: "store") + scratch.partials(below: "store")
        where !name.hasSuffix(DiskLayout.name(of: "other")) {
            #expect(chown(path("store/" + name), nobody, nobody) == 0)
        }
        let store = try DiskStore(folder: path("store"))
        #expect(try store.entry(for: "key") == nil)
        #expect(throws: SystemError(code: EPERM)) { try store.suspendedWriter(for: "key") }
        #expect(try store.entry(for: "other")?.body.bytes() == [1])
        #expect(scratch.entries(below: "store").count == 1)
    }

    @Test func `the folder is made private`() throws {
        makeFolder("store", 0o777)
        let store = try DiskStore(folder: path("store"))
        let folder = try OwnedFolder.open(path("store"), making: false, isPrivate: false)
        #expect(folder.isPrivate)
        try store.store(Blob([1]), for: "key")
        #expect(store.contains("key"))
    }

    @Test func `this user's link to a folder is followed`() throws {
        makeFolder("real")
        link("store", to: "real")
        link("twice", to: path("store"))
        try DiskStore(folder: path("twice/")).store(Blob([1]), for: "key")
        #expect(try DiskStore(folder: path("real")).contains("key"))
        link("round", to: "round")
        #expect(throws: SystemError(code: ELOOP)) { try DiskStore(folder: path("round")) }
    }

    @Test(.enabled(if: isRoot)) func `another user's link to a folder is not followed`() {
        makeFolder("real")
        link("store", to: "real")
        #expect(lchown(path("store"), nobody, nobody) == 0)
        #expect(throws: SystemError(code: EPERM)) { try DiskStore(folder: path("store")) }
        #expect(scratch.files == ["store"])
    }

    /// Links in a store's folder, and whether a store works with them.
    private static let links: [(name: String, isFolder: Bool)] = [
        ("state", false), ("sweeping", false), ("CACHEDIR.TAG", false), ("partial", true),
        (DiskLayout.shard(DiskLayout.name(of: "key")), true),
        (DiskLayout.entry(DiskLayout.name(of: "key")), false),
        (DiskLayout.partial(DiskLayout.name(of: "key")), false),
    ]

    @Test(arguments: links.indices, [false, true])
    func `nothing is written or read through links in a store`(index: Int, isDangling: Bool) throws
    {
        let (name, isFolder) = Self.links[index]
        makeFolder("store")
        if isFolder && !isDangling { makeFolder("target") }
        if !isFolder && !isDangling { scratch["target"] = [7, 7, 7] }
        let parent = (name as NSString).deletingLastPathComponent
        if !parent.isEmpty { makeFolder("store/" + parent) }
        link("store/" + name, to: path("target"))
        let store = try? DiskStore(folder: path("store"))
        try? store?.store(Blob([1]), for: "key")
        let writer = try? store?.makeWriter(for: "key", metadata: [])
        try? writer?.append([1, 2, 3])
        writer?.suspend()
        _ = try? store?.entry(for: "key")
        _ = try? store?.suspendedWriter(for: "key")
        store?.sweep()
        try? store?.removeAll()
        let below = scratch.files.filter { $0.hasPrefix("target") }
        #expect(below == (isFolder || isDangling ? [] : ["target"]))
        if !isFolder && !isDangling { #expect(scratch["target"] == [7, 7, 7]) }
    }

    @Test func `a file with another hard link is not written`() throws {
        let store = try DiskStore(folder: path("store"))
        scratch["elsewhere"] = [7, 7, 7]
        #expect(Glibc.link(path("elsewhere"), path("store/state")) == 0)
        #expect(throws: SystemError(code: EPERM)) { try store.store(Blob([1]), for: "key") }
        #expect(scratch["elsewhere"] == [7, 7, 7])
    }

    @Test(arguments: [
        ("file", 0), ("folder/file", 0), ("folder", 0), (".", 0), ("folder/.", 0),
        ("missing", ENOENT), ("missing/file", ENOENT), ("file/below", ENOTDIR),
        ("link", ELOOP), ("folderlink", ELOOP), ("folderlink/file", ELOOP),
        ("../file", EXDEV), ("folder/../../file", EXDEV), ("/etc/passwd", EXDEV),
    ])
    func `opening below a folder leaves it in no way`(name: String, code: CInt) throws {
        makeFolder("root")
        makeFolder("root/folder")
        for file in ["file", "root/file", "root/folder/file"] { scratch[file] = [1] }
        link("root/link", to: "file")
        link("root/folderlink", to: "folder")
        let root = open(path("root"), O_RDONLY | O_DIRECTORY)
        defer { close(root) }
        for (way, opening) in [(0, lazy_open_beneath), (1, lazy_open_stepwise)] {
            let number = opening(root, name, O_RDONLY, 0)
            let found = number < 0 ? errno : 0
            if number >= 0 { close(number) }
            // A link as a part of the way is no folder to those who look at it alone.
            let isEqual = found == code || way == 1 && found == ENOTDIR && code == ELOOP
            #expect(isEqual, "\(name) by way \(way): \(found)")
        }
    }
}

extension Scratch {
    func entries(below folder: String) -> [String] {
        files(below: folder).filter { $0.utf8.count == 3 + DiskLayout.nameLength }
    }

    func partials(below folder: String) -> [String] {
        files(below: folder).filter { $0.hasPrefix("partial/") }
    }

    private func files(below folder: String) -> [String] {
        files.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
    }
}
