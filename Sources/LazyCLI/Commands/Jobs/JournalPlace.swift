import Glibc
internal import LazyBase
internal import LazyBatch
internal import LazyPipeline

/// Where the journal of a user is: one for all folders, so that what a run made is known to any other,
/// whichever folder it is given and wherever its outputs are.
enum JournalPlace {
    /// The path.
    ///
    /// Throws if this user has no folder for it; one that another user created there is not used.
    static func standard() throws(CommandFailure) -> String {
        let hint = "Name a journal with --journal, or use --no-journal."
        guard let state else {
            throw .usage("There is no home folder for the journal.", hint: hint)
        }
        let place = state + "/lazyimg"
        do throws(SystemError) {
            _ = try OwnedFolder.open(place, isPrivate: false)
        } catch {
            let reason = error.code == EPERM ? "it belongs to another user" : error.description
            throw CommandFailure(
                .noPermission, "permission", "The journal cannot be in \(place): \(reason).",
                hint: hint)
        }
        return place + "/journal.jsonl"
    }

    /// Opens a journal, and creates it where it is missing.
    static func open(_ path: String) throws(CommandFailure) -> Journal {
        do throws(FileError) { return try Journal(path) } catch {
            switch error.error {
            case Journal.foreign:
                throw CommandFailure(
                    .cannotCreate, "exists", "\(path) exists already and is no journal.",
                    hint: "Name a new file, or the journal of an earlier run.")
            case SystemError(code: EPERM):
                throw CommandFailure(
                    .noPermission, "permission",
                    "The journal cannot be \(path), which another user has put there.",
                    hint: "Name a file in a folder of your own.")
            default: throw CommandFailure(error)
            }
        }
    }

    /// Opens the journal that was named, or that of the user.
    ///
    /// Where that cannot be written, and nothing needs it, the work is done without: nil, and a warning.
    static func open(
        named path: String?, isNeeded: Bool, _ report: ReportStyle
    ) throws(CommandFailure) -> Journal? {
        if let path { return try open(path) }
        do throws(CommandFailure) { return try open(try standard()) } catch {
            if isNeeded { throw error }
            if !report.quiet {
                Console.say(
                    "lazyimg: warning: \(error.message) The results will not be known again. Name a journal with --journal."
                )
            }
            return nil
        }
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
