internal import CLazySystem
import Glibc

/// Linux system calls that Swift's Glibc module does not have; paths end in a zero byte.
package enum SystemCalls {
    /// Opens a file without a name in a folder (`O_TMPFILE`), or returns -1 and sets `errno`.
    package static func openUnnamed(in folder: [CChar]) -> CInt { lazy_open_unnamed(folder, 0o666) }

    /// Opens a path below a folder without following links (`openat2`), or returns -1 and sets `errno`.
    package static func open(
        _ path: String, beneath folder: CInt, _ flags: CInt, _ mode: UInt32
    ) -> CInt {
        lazy_open_beneath(folder, path, flags, mode)
    }

    /// The same to read what is there, by a path that ends in a zero byte.
    package static func open(_ path: [CChar], beneath folder: CInt, _ flags: CInt) -> CInt {
        lazy_open_beneath(folder, path, flags, 0)
    }

    /// Opens what is there below a folder, also by links that stay below it, or returns -1 and sets `errno`.
    package static func open(_ path: [CChar], inside folder: CInt, _ flags: CInt) -> CInt {
        lazy_open_inside(folder, path, flags)
    }

    /// Opens a name with `O_PATH`, or returns -1 and sets `errno`.
    ///
    /// `folder` is an open folder or `currentFolder`; a link is opened itself unless it is followed.
    package static func openPlace(_ name: String, in folder: CInt, followsLinks: Bool) -> CInt {
        lazy_open_place(folder, name, followsLinks ? 1 : 0)
    }

    /// Stands for the current folder (`AT_FDCWD`).
    package static var currentFolder: CInt { lazy_current_folder }

    /// Names an unnamed file; throws `EEXIST` where the name is taken.
    package static func link(_ unnamed: CInt, to path: [CChar]) throws(SystemError) {
        if lazy_link_unnamed(unnamed, path) != 0 { throw .last }
    }

    /// Renames a file unless the new name is taken, which throws `EEXIST`.
    package static func renameToNew(_ from: [CChar], _ to: [CChar]) throws(SystemError) {
        if lazy_rename_new(from, to) != 0 { throw .last }
    }

    /// Claims one of 2^62 places of an open file; false where another descriptor holds it.
    ///
    /// Always true on a file system without locks. The claim ends with the process.
    package static func claim(_ descriptor: CInt, _ place: UInt64) -> Bool {
        lazy_claim(descriptor, place) == 0
    }

    /// Gives a claim up.
    package static func release(_ descriptor: CInt, _ place: UInt64) {
        lazy_release(descriptor, place)
    }

    /// Locks an open file for shared use; false where the file system has no locks.
    ///
    /// Waits while another descriptor has it exclusively. Gives up all claims.
    package static func lockShared(_ descriptor: CInt) -> Bool { lazy_attend(descriptor) == 0 }

    /// Locks an open file that no other descriptor uses; false where that is not so.
    package static func lockExclusively(_ descriptor: CInt) -> Bool {
        lazy_have_alone(descriptor) == 0
    }

    /// Makes signals arrive as bytes in a pipe; returns its reading end, or -1.
    ///
    /// A signal that is ignored already, as under nohup, stays ignored.
    package static func signalsAsBytes(_ signals: [CInt]) -> CInt {
        lazy_signals_as_bytes(signals, CInt(signals.count))
    }

    /// Restores a terminal's modes before a fatal signal ends the process.
    package static func guardTerminalModes(_ terminal: CInt) { lazy_guard_keys(terminal) }

    /// Writes `ending` to a terminal before a fatal signal ends the process.
    package static func guardScreen(_ terminal: CInt, _ ending: String) {
        lazy_guard_screen(terminal, ending)
    }

    /// Removes a file before a fatal signal ends the process, and by `releaseTerminal`; `slot` is 0 to 3.
    package static func guardFile(_ slot: CInt, _ path: String) { lazy_guard_file(slot, path) }

    /// Ends the guards.
    package static func releaseTerminal() { lazy_release_terminal() }

    /// Returns freed blocks of at least so many bytes to the system at once, for the whole process.
    package static func mapBlocks(from bytes: CInt) { lazy_map_blocks_from(bytes) }

    /// The words that started this process: its name and its arguments.
    ///
    /// `CommandLine` reads them from `/proc`, and has none where that is missing.
    package static var words: [UnsafePointer<CChar>] {
        (0..<lazy_word_count()).compactMap { lazy_word($0) }
    }

    /// The path of this process's program, also where there is no `/proc`.
    package static var programPath: String {
        let link = "/proc/self/exe"
        guard access(link, F_OK) != 0, let path = lazy_program_path() else { return link }
        return String(cString: path)
    }

    /// The kind of processor, with what the code for it depends on.
    package static var processor: String { String(cString: lazy_processor()) }
}
