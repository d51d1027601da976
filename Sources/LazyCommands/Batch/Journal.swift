import Glibc
internal import LazyMedia

/// The file in which a batch notes what it has made, a line for each step.
///
/// A line is one `write` to the end of the file, so that several processes can share it and a kill
/// tears at most the last one. What is written survives the process; `flush` makes it survive the
/// machine.
final class Journal: Sendable {
    let path: String
    private let descriptor: Descriptor

    /// Opens a journal to append to it; makes it and its folder where they are missing.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            try OutputFolder(String(path[..<slash])).create()
        }
        descriptor = Descriptor(
            number: open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o644))
        guard descriptor.number >= 0 else { throw CommandFailure(writing: path, .last) }
        try endTornLine()
    }

    deinit { close(descriptor.number) }

    /// Appends a line.
    func append(_ line: String) throws(CommandFailure) {
        do throws(SystemError) {
            try descriptor.write(line)
        } catch {
            throw CommandFailure(writing: path, error)
        }
    }

    /// Waits until all lines are on the disk.
    func flush() { fdatasync(descriptor.number) }

    /// What the lines say, the last of each output being right.
    static func replay(_ text: some StringProtocol) -> [String: JournalRecord] {
        var records: [String: JournalRecord] = [:]
        for line in text.split(separator: "\n") {
            guard let record = JournalRecord(line) else { continue }
            records[record.output] = record
        }
        return records
    }

    /// Reads the journal at a path; one that is not there says nothing.
    static func replay(path: String) throws(CommandFailure) -> [String: JournalRecord] {
        do throws(MediaError) {
            let bytes = try FileBytes(path: path).contiguous()
            return replay(bytes.withBytes { String(decoding: $0, as: UTF8.self) })
        } catch {
            if (error.underlying as? SystemError)?.code == ENOENT { return [:] }
            throw CommandFailure(error, about: path)
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
