import Glibc
public import LazyBase

/// The file in which a batch records what it has made, a line for each step.
///
/// A line is one `write` to the end of the file, so that several processes can share it and a kill
/// tears at most the last one. Lines survive the process; `flush` makes them survive the machine.
public final class Journal: Sendable {
    /// The path of the file.
    public let path: String
    private let descriptor: OutputStream
    private let known: Locked<JournalIndex>

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
            guard Self.isJournal(opened) else {
                close(opened.number)
                throw Self.foreign
            }
            var index = JournalIndex()
            index.read(opened)
            let compacted = JournalCompaction(path, opened, index, least: leastCompacted).run()
            descriptor = compacted ?? opened
            known = Locked(compacted == nil ? index : JournalIndex())
        } catch {
            throw FileError(path: path, error)
        }
        try endTornLine()
        readOn()
    }

    // Opens the file of the name and locks it for shared use.
    private static func open(_ path: String) throws(SystemError) -> OutputStream {
        while true {
            let opened = OutputStream(number: try AppendedFile.open(path))
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
    package func claim(_ output: String) -> Bool {
        SystemCalls.claim(descriptor.number, Self.place(of: output))
    }

    /// Gives a claim up.
    package func release(_ output: String) {
        SystemCalls.release(descriptor.number, Self.place(of: output))
    }

    private static func place(of output: String) -> UInt64 {
        Digest.sha256(FileName.bytes(output)).prefix
    }

    /// Waits until all lines are on the disk.
    public func flush() { fdatasync(descriptor.number) }

    /// The record of an output when the journal was last read.
    func record(of output: String) -> JournalRecord? {
        guard let line = known.withLock({ $0.line(of: output) }) else { return nil }
        let record = record(line)
        if record?.output.isSamePath(as: output) == true { return record }
        // The last line is torn: a complete one may be before it.
        let text = String(decoding: descriptor.bytes(0..<known.withLock { $0.end }), as: UTF8.self)
        return Self.replay(text)[PathKey(output)]
    }

    private func record(_ line: JournalIndex.Line) -> JournalRecord? {
        descriptor.bytes(line.offset..<line.offset + line.count).withUnsafeBytes {
            JournalRecord(usual: $0) ?? JournalRecord(String(decoding: $0, as: UTF8.self))
        }
    }

    /// The records of lines; the last one of each output counts.
    static func replay(_ text: some StringProtocol) -> [PathKey: JournalRecord] {
        var records: [PathKey: JournalRecord] = [:]
        for line in text.split(separator: "\n") {
            guard let record = JournalRecord(line) else { continue }
            records[PathKey(record.output)] = record.state == .gone ? nil : record
        }
        return records
    }

    /// Whether the file at an absolute path is what was made, and nobody has changed it since.
    package func isOurs(_ path: String) -> Bool {
        guard let line = known.withLock({ $0.line(ofFile: path) }) else { return false }
        return record(line)?.owns(path) ?? false
    }

    /// The canonical name of the input that an output was last made of, or nil.
    package func input(of output: String) -> String? {
        record(of: FilePath.absolute(output))?.input
    }

    /// The input that an output was last made of, or nil.
    package func knownInput(of output: String) -> KnownInput? {
        record(of: FilePath.absolute(output)).map { KnownInput($0) }
    }

    /// The records that no later ones replace, in their order; each is read when its turn comes.
    var records: some Sequence<JournalRecord> {
        known.withLock { $0.currentLines }.lazy.compactMap { self.record($0) }
    }

    /// Reads what this process and others have recorded since.
    package func readOn() {
        var later = JournalIndex(from: known.withLock { $0.end })
        let start = later.end
        later.read(descriptor)
        known.withLock { [later] known in
            // Another thread may have read further in the meantime.
            if known.end == start { known.append(later) }
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
