internal import CLazySystem
package import CommandSupport
import Glibc
internal import LazyBytes
package import LazyFiles
internal import LazyMedia

/// The file in which a batch notes what it has made, a line for each step.
///
/// A line is one `write` to the end of the file, so that several processes can share it and a kill
/// tears at most the last one. What is written survives the process; `flush` makes it survive the
/// machine.
package final class Journal: Sendable {
    private struct Known {
        package var records: [PathKey: JournalRecord] = [:]
        /// Where the lines begin that are not read yet.
        package var offset = 0
    }

    package let path: String
    private let descriptor: OutputStream
    private let known = Locked(Known())

    /// Opens a journal to append to it; makes it and its folder where they are missing.
    ///
    /// Where most of its lines say what later ones say otherwise, and no other process has it open,
    /// it is made anew without them; files of fewer lines than `leastCompacted` stay.
    package init(_ path: String, leastCompacted: Int = 256) throws(CommandFailure) {
        self.path = path
        if let slash = path.lastSlash, slash > path.startIndex {
            try OutputFolder(path.parentFolder).create()
        }
        let opened = try Self.attend(path)
        descriptor = JournalCompaction(path, opened, least: leastCompacted).run() ?? opened
        try endTornLine()
        readOn()
    }

    /// Opens the file of a name, and says that it is in use.
    private static func attend(_ path: String) throws(CommandFailure) -> OutputStream {
        while true {
            let opened = OutputStream(
                number: open(path.systemPath, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o644))
            guard opened.number >= 0 else { throw CommandFailure(writing: path, .last) }
            // Another process may put a shorter one in its place until this is said.
            guard lazy_attend(opened.number) == 0, !JournalCompaction.isSame(opened, path) else {
                return opened
            }
            close(opened.number)
        }
    }

    deinit { close(descriptor.number) }

    /// Appends a line.
    package func append(_ line: String) throws(CommandFailure) {
        do throws(SystemError) {
            try descriptor.write(line)
        } catch {
            throw CommandFailure(writing: path, error)
        }
    }

    /// Claims an output for this process, until it is released or the process ends; false where
    /// another process has it.
    ///
    /// Where the file system knows no locks all claims hold: then work may be done twice.
    package func claim(_ output: String) -> Bool {
        lazy_claim(descriptor.number, Self.place(of: output)) == 0
    }

    /// Gives a claim up.
    package func release(_ output: String) {
        lazy_release(descriptor.number, Self.place(of: output))
    }

    private static func place(of output: String) -> UInt64 {
        Digest.sha256(FileName.bytes(output)).prefix
    }

    /// Waits until all lines are on the disk.
    package func flush() { fdatasync(descriptor.number) }

    /// What the lines say, the last of each output being right.
    package static func replay(_ text: some StringProtocol) -> [PathKey: JournalRecord] {
        var records: [PathKey: JournalRecord] = [:]
        for line in text.split(separator: "\n") {
            guard let record = JournalRecord(line) else { continue }
            records[PathKey(record.output)] = record
        }
        return records
    }

    /// What was known of an output when the journal was last read.
    package func record(of output: String) -> JournalRecord? {
        known.withLock { $0.records[PathKey(output)] }
    }

    /// Reads what this process and others have noted since.
    package func readOn() {
        var offset = known.withLock { $0.offset }
        let bytes = descriptor.bytes(from: offset)
        guard let last = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return }
        let records = Self.replay(String(decoding: bytes[...last], as: UTF8.self))
        offset += last + 1
        known.withLock { known in
            // Another thread may have read further in the meantime.
            guard offset > known.offset else { return }
            known.records.merge(records) { $1 }
            known.offset = offset
        }
    }

    private func endTornLine() throws(CommandFailure) {
        let end = lseek(descriptor.number, 0, SEEK_END)
        var last: UInt8 = 0
        if end > 0, pread(descriptor.number, &last, 1, end - 1) == 1, last != UInt8(ascii: "\n") {
            try append("\n")
        }
    }
}
