import Glibc

/// An open folder of this user; paths in it are opened without following links.
///
/// The owner is checked on the open descriptor, which prevents races. A folder of another user is
/// refused with `EPERM`, even for root, which would otherwise read planted files.
package final class OwnedFolder: Sendable {
    /// The path with which it was opened, for messages.
    package let path: String
    private let descriptor: FileDescriptor

    private init(_ descriptor: FileDescriptor, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens a folder; a missing one is created with its parents, private to this user.
    ///
    /// A symbolic link is followed only if it belongs to this user or root. `isPrivate` removes all
    /// permissions of other users.
    package static func open(
        _ path: String, making: Bool = true, isPrivate: Bool = true
    ) throws(SystemError) -> OwnedFolder {
        let place: FileDescriptor
        do throws(SystemError) { place = try find(path) } catch {
            guard making, error.code == ENOENT else { throw error }
            try makeFolder(path)
            place = try find(path)
        }
        let folder = try withExtendedLifetime(place) { () throws(SystemError) in
            let flags = O_RDONLY | O_DIRECTORY
            return OwnedFolder(
                try FileDescriptor(
                    checking: SystemCalls.open(".", beneath: place.number, flags, 0)), path)
        }
        if isPrivate { try folder.removePermissionsOfOthers() }
        return folder
    }

    /// Opens the folder of a path with `O_PATH`, if it belongs to this user.
    private static func find(
        _ path: String, from folder: CInt = SystemCalls.currentFolder, links: Int = 8
    ) throws(SystemError) -> FileDescriptor {
        let (parent, name) = split(path)
        let above = try FileDescriptor(
            checking: SystemCalls.openPlace(parent, in: folder, followsLinks: true))
        defer { withExtendedLifetime(above) {} }
        let place = try FileDescriptor(
            checking: SystemCalls.openPlace(name, in: above.number, followsLinks: false))
        let status = try place.status()
        if status.isFolder {
            guard status.isOurs else { throw SystemError(code: EPERM) }
            return place
        }
        guard status.isLink else { throw SystemError(code: ENOTDIR) }
        guard links > 0 else { throw SystemError(code: ELOOP) }
        guard status.isOurs || status.owner == 0 else { throw SystemError(code: EPERM) }
        return try find(try place.linkTarget(), from: above.number, links: links - 1)
    }

    /// Splits a path into the parent folder and the last name.
    private static func split(_ path: String) -> (parent: String, name: String) {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return (".", String(path)) }
        let name = path[path.index(after: slash)...]
        let parent = slash == path.startIndex ? "/" : path[..<slash]
        return (String(parent), name.isEmpty ? "." : String(name))
    }

    /// Creates a private folder with its parents, unless it exists.
    private static func makeFolder(_ path: String) throws(SystemError) {
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

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether other users have no permissions.
    package var isPrivate: Bool { (try? descriptor.status()).map { $0.mode & 0o077 == 0 } ?? false }

    private func removePermissionsOfOthers() throws(SystemError) {
        let mode = try descriptor.status().mode
        if mode & 0o077 == 0 || fchmod(descriptor.number, 0o700) == 0 { return }
        // Readable folders are harmless: the files in them are private.
        if mode & 0o022 != 0, errno != EROFS { throw .last }
    }

    /// Opens a folder in it, so that the files there are reached without opening it for each; nil if there is none.
    package func folder(_ path: String) throws(SystemError) -> OwnedFolder? {
        do throws(SystemError) {
            return OwnedFolder(
                try open(path, O_RDONLY | O_DIRECTORY), self.path + "/" + path)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Opens a folder in it that is for this user alone, made where it is missing unless `making` says otherwise.
    ///
    /// A link is refused, and so is another user's folder.
    package func privateFolder(
        _ name: String, making: Bool = true
    ) throws(SystemError) -> OwnedFolder {
        if making { try makeFolder(name) }
        let folder = OwnedFolder(try open(name, O_RDONLY | O_DIRECTORY), path + "/" + name)
        guard try folder.descriptor.status().isOurs else { throw SystemError(code: EPERM) }
        try folder.removePermissionsOfOthers()
        return folder
    }

    /// Removes an empty folder in it; a link stays.
    package func removeFolder(_ name: String) {
        _ = try? inParent(of: name) { unlinkat($0, $1, AT_REMOVEDIR) }
    }

    /// A path of a name in it for calls that take no open folder; valid as long as this object.
    package func openPath(of name: String) -> String {
        "/proc/self/fd/\(descriptor.number)/\(name)"
    }

    // MARK: - Files in it

    /// Opens a file; a created one is private.
    ///
    /// A file opened for writing must belong to this user and have no other hard link, as one has that `O_EXCL`
    /// creates.
    package func open(_ path: String, _ flags: CInt) throws(SystemError) -> FileDescriptor {
        let file = try FileDescriptor(
            checking: SystemCalls.open(path, beneath: descriptor.number, flags, 0o600))
        if flags & O_ACCMODE != O_RDONLY, flags & O_EXCL == 0 {
            let status = try file.status()
            guard status.isOurs, status.isFile, status.linkCount < 2 else {
                throw SystemError(code: EPERM)
            }
        }
        return file
    }

    /// Opens a file for reading without updating its access time; nil if there is none.
    package func openToRead(_ path: String) throws(SystemError) -> FileDescriptor? {
        do throws(SystemError) { return try open(path, O_RDONLY | Self.noAccessTime) } catch {
            if [ENOENT, ENOTDIR, ELOOP].contains(error.code) { return nil }
            guard error.code == EPERM else { throw error }
        }
        // O_NOATIME is only allowed to the owner.
        return try open(path, O_RDONLY)
    }

    /// `O_NOATIME`, which is missing in Glibc's module; equal on all known architectures.
    private static let noAccessTime: CInt = 0o1000000

    /// The metadata of a file, or of a link itself; nil if there is none.
    package func status(of path: String) -> FileStatus? {
        try? inParent(of: path) { folder, name in
            var status = stat()
            guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
            return FileStatus(status)
        }
    }

    /// Renames a file, replacing another one.
    package func rename(_ path: String, to other: String) throws(SystemError) {
        try rename(path, to: other, in: self)
    }

    /// Moves a file into another folder, replacing another one.
    package func rename(_ path: String, to other: String, in target: OwnedFolder)
        throws(SystemError)
    {
        try inParent(of: path) { (from, name) throws(SystemError) in
            try target.inParent(of: other) { (to, otherName) throws(SystemError) in
                if renameat(from, name, to, otherName) != 0 { throw .last }
            }
        }
    }

    /// Removes a file or a link; on failure returns false and sets `errno`.
    @discardableResult
    package func remove(_ path: String) -> Bool {
        (try? inParent(of: path) { unlinkat($0, $1, 0) == 0 }) ?? false
    }

    /// Creates a private folder, unless it exists.
    package func makeFolder(_ path: String) throws(SystemError) {
        // Looking takes no lock of the folder above, and waits for no other process that writes there.
        if status(of: path)?.isFolder == true { return }
        try inParent(of: path) { (folder, name) throws(SystemError) in
            if mkdirat(folder, name, 0o700) == 0 { return }
            let code = errno
            var status = stat()
            guard [EEXIST, EROFS, EACCES].contains(code),
                fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mode & S_IFMT == S_IFDIR
            else { throw SystemError(code: code == EEXIST ? ENOTDIR : code) }
        }
    }

    /// The bytes of a small file of this user, or nil.
    package func contents(of path: String) -> [UInt8]? {
        guard let file = try? openToRead(path), let status = try? file.status(),
            status.isOurs, status.isFile
        else { return nil }
        return try? file.bytes(at: 0, count: status.size)
    }

    /// Writes a private file atomically, replacing another one; creates its parent folders.
    package func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        for end in path.indices where path[end] == "/" { try makeFolder(String(path[..<end])) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        var random = SystemRandomNumberGenerator()
        let temporary =
            "\(folder).lazyimg-\(withUnsafeBytes(of: random.next(), Array.init).hexadecimal())"
        let file = try open(temporary, O_WRONLY | O_CREAT | O_EXCL)
        do throws(SystemError) {
            try file.write(bytes, at: 0)
            try rename(temporary, to: path)
        } catch {
            remove(temporary)
            throw error
        }
    }

    /// The names in a folder, except those that begin with a dot; none if it cannot be read.
    package func names(in path: String = ".") -> [String] {
        var names: [String] = []
        forEachName(in: path) { names.append(String(decoding: $0, as: UTF8.self)) }
        return names
    }

    /// Calls a closure with the bytes of each of these names.
    package func forEachName(in path: String = ".", _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        let number = SystemCalls.open(
            path, beneath: descriptor.number, O_RDONLY | O_DIRECTORY, 0)
        guard number >= 0 else { return }
        guard let directory = fdopendir(number) else {
            close(number)
            return
        }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            withUnsafeBytes(of: &entry.pointee.d_name) { name in
                let bytes = name.bindMemory(to: UInt8.self)
                let length = bytes.firstIndex(of: 0) ?? bytes.count
                if bytes[0] != UInt8(ascii: ".") { body(.init(rebasing: bytes[..<length])) }
            }
        }
    }

    /// The files in a folder with their metadata.
    package func files(in path: String) -> [(name: String, status: FileStatus)] {
        guard let folder = try? folder(path) else { return [] }
        return folder.files(of: folder.names())
    }

    /// Those of some names in this folder.
    package func files(of names: some Sequence<String>) -> [(name: String, status: FileStatus)] {
        names.compactMap { name in status(of: name).map { (name, $0) } }
    }

    /// Calls a closure with the parent folder of a path and its last name.
    ///
    /// `openat2` forbids links in all parts of a path, other calls at most in the last one: so they get
    /// the open folder.
    private func inParent<Result>(
        of path: String, _ body: (CInt, String) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return try body(descriptor.number, path)
        }
        let parent = try open(String(path[..<slash]), O_RDONLY | O_DIRECTORY)
        defer { withExtendedLifetime(parent) {} }
        return try body(parent.number, String(path[path.index(after: slash)...]))
    }
}
