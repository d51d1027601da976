internal import CLazySystem
import Glibc
package import LazyBytes
internal import LazyFiles
internal import LazyMedia
import Synchronization

/// A folder that files appear in whole or not at all.
///
/// A file is written without a name (`O_TMPFILE`) and then linked, so that even SIGKILL leaves no
/// part of one; where the file system cannot do that, under a name that begins with a full stop.
package final class OutputFolder: Sendable {
    package let path: String
    private let takesUnnamed = Atomic<Bool>(true)
    private let counter = Atomic<Int>(0)

    /// Takes a folder; nothing is made yet.
    package init(_ path: String) { self.path = path.isEmpty ? "." : path }

    /// Makes the folder, and those above it, where they are missing; returns those it made.
    @discardableResult package func create() throws(CommandFailure) -> [String] {
        var status = stat()
        if stat(path.systemPath, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { throw isNoFolder }
            return []
        }
        var made: [String] = []
        for end in path.utf8.indices
        where end > path.startIndex && path.utf8[end] == UInt8(ascii: "/") {
            let folder = String(path[..<end])
            if mkdir(folder.systemPath, 0o777) == 0 { made.append(folder) }
        }
        if mkdir(path.systemPath, 0o777) == 0 {
            made.append(path)
        } else if errno != EEXIST {
            throw CommandFailure(writing: path, .last)
        }
        return made
    }

    /// Said where something else has the folder's name.
    package var isNoFolder: CommandFailure {
        CommandFailure(
            .cannotCreate, "cannotCreate", "\(path) is not a folder.",
            hint: "Name a folder, or one that is not there yet.")
    }

    /// The path of a file in this folder.
    package func path(of name: String) -> String {
        if path == "." { return name }
        return path.endsInSlash ? path + name : path + "/" + name
    }

    /// Whether nothing is in it that is not hidden.
    package var isEmpty: Bool {
        guard let folder = opendir(path.systemPath) else { return true }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { return false }
        }
        return true
    }

    /// Waits until no other process writes its first frame into the folder, and keeps others from it.
    ///
    /// Nil where the file system has no locks. Ends with the claim, or the process.
    package func claim() -> FolderClaim? { FolderClaim(path) }

    /// Whether there is something of a name, a dangling link included.
    package func contains(_ name: String) -> Bool {
        var status = stat()
        return lstat(path(of: name).systemPath, &status) == 0
    }

    /// Writes a file; throws with the status for an existing file under `.never`.
    package func write(
        _ bytes: UnsafeRawBufferPointer, to name: String, _ policy: OverwritePolicy
    ) throws(CommandFailure) {
        do throws(SystemError) {
            if takesUnnamed.load(ordering: .relaxed) {
                if try writeUnnamed(bytes, to: name, policy) { return }
                takesUnnamed.store(false, ordering: .relaxed)
            }
            try writeNamed(bytes, to: name, policy)
        } catch {
            throw CommandFailure(writing: path(of: name), error)
        }
    }

    /// Writes a text file.
    package func write(_ text: String, to name: String, _ policy: OverwritePolicy)
        throws(CommandFailure)
    {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(CommandFailure) in
                try write(UnsafeRawBufferPointer(bytes), to: name, policy)
            }
        }
        try result.get()
    }

    /// A path for a file that has not its name yet.
    // In a container every run may have the same number, and a killed one may have left its file:
    // who finds a name taken asks for the next.
    package func temporaryPath(for name: String) -> String {
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        return path(of: ".\(name).lazyimg-\(getpid())-\(number)")
    }

    // Returns false where the file system has no unnamed files.
    private func writeUnnamed(
        _ bytes: UnsafeRawBufferPointer, to name: String, _ policy: OverwritePolicy
    ) throws(SystemError) -> Bool {
        let descriptor = lazy_open_unnamed(path.systemPath, 0o666)
        guard descriptor >= 0 else {
            if [EOPNOTSUPP, EISDIR, ENOENT, EINVAL].contains(errno) { return false }
            throw .last
        }
        defer { close(descriptor) }
        try OutputStream(number: descriptor).write(bytes)
        if lazy_link_unnamed(descriptor, path(of: name).systemPath) == 0 { return true }
        guard errno == EEXIST else {
            // Without /proc there is no way to the file; another fault shows again below.
            return false
        }
        if policy == .never { throw .last }
        var temporary = temporaryPath(for: name)
        while lazy_link_unnamed(descriptor, temporary.systemPath) != 0 {
            guard errno == EEXIST else { throw .last }
            temporary = temporaryPath(for: name)
        }
        try rename(temporary, to: name, .always)
        return true
    }

    private func writeNamed(
        _ bytes: UnsafeRawBufferPointer, to name: String, _ policy: OverwritePolicy
    ) throws(SystemError) {
        var temporary = temporaryPath(for: name)
        var descriptor = open(temporary.systemPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        while descriptor < 0, errno == EEXIST {
            temporary = temporaryPath(for: name)
            descriptor = open(temporary.systemPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        }
        guard descriptor >= 0 else { throw .last }
        do throws(SystemError) {
            defer { close(descriptor) }
            try OutputStream(number: descriptor).write(bytes)
        } catch {
            unlink(temporary.systemPath)
            throw error
        }
        try rename(temporary, to: name, policy)
    }

    /// Gives a temporary file its name, or removes it.
    package func rename(
        _ temporary: String, to name: String, _ policy: OverwritePolicy
    ) throws(SystemError) {
        let target = path(of: name)
        let status =
            policy == .always
            ? Glibc.rename(temporary.systemPath, target.systemPath)
            : lazy_rename_new(temporary.systemPath, target.systemPath)
        guard status != 0 else { return }
        let error = SystemError.last
        unlink(temporary.systemPath)
        throw error
    }
}
