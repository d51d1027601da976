internal import CommandSupport
import Glibc
internal import LazyBytes
internal import LazyCache
internal import LazyFiles

/// Where the journal of a batch is that names none.
enum JournalPlace {
    /// One for each output folder, or for the current folder where outputs are beside their inputs.
    ///
    /// Throws where this user has no folder for it: what another user has put there is not followed.
    static func standard(output: String?) throws(CommandFailure) -> String {
        let hint = "Name a journal with --journal, or do without one with --no-journal."
        guard let state else {
            throw .usage("There is no home folder that the journal could be in.", hint: hint)
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

    // A path that is not absolute is to be ignored (XDG Base Directory Specification).
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
