import Glibc
internal import LazyBase
internal import LazyPipeline

/// A folder in which files appear complete or not at all.
final class OutputFolder: Sendable {
    let path: String

    /// Refers to a folder; nothing is created yet.
    init(_ path: String) { self.path = path.isEmpty ? "." : path }

    /// Creates the folder and its parents where they are missing; returns the created ones.
    @discardableResult func create() throws(CommandFailure) -> [String] {
        do throws(SystemError) {
            return try FilePath.createFolder(path)
        } catch {
            throw error.code == ENOTDIR && FileKind(path) != .nothing
                ? notAFolder : CommandFailure(writing: path, error)
        }
    }

    /// The failure for a path that is not a folder.
    var notAFolder: CommandFailure {
        CommandFailure(
            .cannotCreate, "cannotCreate", "\(path) is not a folder.",
            hint: "Name a folder, or a path that does not exist.")
    }

    /// The path of a file in this folder.
    func path(of name: String) -> String { FilePath.joined(path, name) }

    /// Whether it contains no visible files.
    var isEmpty: Bool {
        guard let folder = opendir(path.systemPath) else { return true }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { return false }
        }
        return true
    }

    /// Waits until no other process writes its first frame to the folder, and locks it.
    ///
    /// Nil if the file system has no locks. The lock ends with the claim, or the process.
    func claim() -> FolderClaim? { FolderClaim(path) }

    /// Whether a name exists in it, including dangling links.
    func contains(_ name: String) -> Bool {
        var status = stat()
        return lstat(path(of: name).systemPath, &status) == 0
    }

    /// Writes a file; throws for an existing file that the policy keeps.
    func write(
        _ bytes: UnsafeRawBufferPointer, to name: String, _ policy: OverwritePolicy
    ) throws(CommandFailure) {
        do throws(SystemError) {
            let file = try NewFile(in: path)
            try file.write(bytes)
            try file.publish(as: name, replacing: policy == .always)
        } catch {
            throw CommandFailure(writing: path(of: name), error)
        }
    }

    /// Writes a text file.
    func write(
        _ text: String, to name: String, _ policy: OverwritePolicy
    ) throws(CommandFailure) {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(CommandFailure) in
                try write(UnsafeRawBufferPointer(bytes), to: name, policy)
            }
        }
        try result.get()
    }
}
