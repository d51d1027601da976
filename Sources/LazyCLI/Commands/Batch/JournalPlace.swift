import Glibc
internal import LazyBase
internal import LazyLoading

/// The default path of a journal.
enum JournalPlace {
    /// One per output folder, or for the current folder if outputs are next to their inputs.
    ///
    /// Throws if this user has no folder for it; one that another user created there is not used.
    static func standard(output: String?) throws(CommandFailure) -> String {
        let hint = "Name a journal with --journal, or use --no-journal."
        guard let state else {
            throw .usage("There is no home folder for the journal.", hint: hint)
        }
        let place = state + "/lazyimg/batch"
        do throws(SystemError) {
            _ = try OwnedFolder.open(place, isPrivate: false)
        } catch {
            let reason = error.code == EPERM ? "it belongs to another user" : error.description
            throw CommandFailure(
                .noPermission, "permission", "The journal cannot be in \(place): \(reason).",
                hint: hint)
        }
        let folder = FilePath.absolute(output ?? ".")
        let name = Digest.sha256(FileName.bytes(folder)).hex.prefix(16)
        return place + "/\(name).jsonl"
    }

    // Relative paths must be ignored (XDG Base Directory Specification).
    private static var state: String? {
        if let path = getenv("XDG_STATE_HOME"), path.pointee == CChar(UInt8(ascii: "/")) {
            return FileName.text(path)
        }
        guard let home = getenv("HOME"), home.pointee == CChar(UInt8(ascii: "/")) else {
            return nil
        }
        return FileName.text(home) + "/.local/state"
    }
}
