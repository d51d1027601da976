import Glibc
internal import LazyBytes
public import LazyFiles

/// The file in which a batch records what it has made, a line for each step.
///
/// A line is one `write` to the end of the file, so that several processes can share it and a kill
/// tears at most the last one. Lines survive the process; `flush` makes them survive the machine.
public final class Journal: Sendable {
    private struct Known {
        var records: [PathKey: JournalRecord] = [:]
        /// The offset of the lines that are not read yet.
        var offset = 0
    }

    /// The path of the file.
    public let path: String
    private let descriptor: OutputStream
    private let known = Locked(Known())

    /// Opens a journal to append to it; creates it and its folder where they are missing.
    ///
    /// Where most of its lines are outdated by later ones, and no other process has it open, it is
    /// rewritten without them.
    public convenience init(_ path: String) throws(FileError) {
        try self.init(path, leastCompacted: 256)
    }

    /// Files of fewer lines than `leastCompacted` are not compacted.
    package init(_ path: String, leastCompacted: Int) throws(FileError) {
        self.path = path
        do throws(SystemError) {
            if let slash = path.lastSlash, slash > path.startIndex {
                _ = try FilePath.createFolder(path.parentFolder)
            }
            let opened = try Self.open(path)
            descriptor = JournalCompaction(path, opened, least: leastCompacted).run() ?? opened
        } catch {
            throw FileError(path: path, error)
        }
        try endTornLine()
        readOn()
    }

    // Opens the file of the name and locks it for shared use.
    private static func open(_ path: String) throws(SystemError) -> OutputStream {
        while true {
            let opened = OutputStream(
                number: Glibc.open(
                    path.systemPath, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o644))
            guard opened.number >= 0 else { throw .last }
            // Another process may replace the file by a shorter one until it is locked.
            guard SystemCalls.lockShared(opened.number), !JournalCompaction.isSame(opened, path)
            else { return opened }
            close(opened.number)
        }
    }

    deinit { close(descriptor.number) }

    /// Appends a line.
    package func append(_ line: String) throws(FileError) {
        do throws(SystemError) { try descriptor.write(line) } catch {
            throw FileError(path: path, error)
        }
    }

    /// Claims an output for this process, until it is released or the process ends; false where
    /// another process has it.
    ///
    /// Always true on a file system without locks: then work may be done twice.
    func claim(_ output: String) -> Bool {
        SystemCalls.claim(descriptor.number, Self.place(of: output))
    }

    /// Gives a claim up.
    func release(_ output: String) {
        SystemCalls.release(descriptor.number, Self.place(of: output))
    }

    private static func place(of output: String) -> UInt64 {
        Digest.sha256(FileName.bytes(output)).prefix
    }

    /// Waits until all lines are on the disk.
    public func flush() { fdatasync(descriptor.number) }

    /// The records of lines; the last one of each output counts.
    static func replay(_ text: some StringProtocol) -> [PathKey: JournalRecord] {
        var records: [PathKey: JournalRecord] = [:]
        for line in text.split(separator: "\n") {
            guard let record = JournalRecord(line) else { continue }
            records[PathKey(record.output)] = record
        }
        return records
    }

    /// The record of an output when the journal was last read.
    func record(of output: String) -> JournalRecord? {
        known.withLock { $0.records[PathKey(output)] }
    }

    /// Reads what this process and others have recorded since.
    func readOn() {
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

    private func endTornLine() throws(FileError) {
        let end = lseek(descriptor.number, 0, SEEK_END)
        var last: UInt8 = 0
        if end > 0, pread(descriptor.number, &last, 1, end - 1) == 1, last != UInt8(ascii: "\n") {
            try append("\n")
        }
    }
}
